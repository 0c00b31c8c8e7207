"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.useAppUnlock = void 0;
const react_1 = require("react");
const refusal_1 = require("./refusal");
const shown_1 = require("./shown");
const value_1 = require("./value");
const vault_1 = require("./vault");
/** Locks and unlocks the app's vault. */
function useAppUnlock() {
    const shown = (0, shown_1.useShown)('unlock');
    return (0, react_1.useMemo)(() => ({ ...readUnlock(shown), ...calls }), [shown]);
}
exports.useAppUnlock = useAppUnlock;
const calls = {
    unlockWithBiometric: async () => void (await vault_1.vault.send({ screen: 'unlock', name: 'unlockWithBiometric' })),
    unlockWithPassword: async (password) => void (await vault_1.vault.send({ screen: 'unlock', name: 'submitSecret', secret: 'taken' }, password)),
    unlockWithSystem: async () => void (await vault_1.vault.send({ screen: 'unlock', name: 'unlockWithSystem' })),
    lock: async () => void (await vault_1.vault.send({ screen: 'unlock', name: 'lock' })),
    resetError: () => void vault_1.vault.send({ screen: 'unlock', name: 'resetError' }).catch(() => undefined),
};
const states = ['LOCKED', 'PROMPTING_BIOMETRIC', 'UNLOCKED', 'REQUIRE_PASSWORD', 'REVOKED'];
const opening = { name: 'opening' };
/** Reads what native shows: what is missing or unknown there is locked and covered here. */
function readUnlock(shown) {
    const [fields, fault] = shown instanceof refusal_1.VaultError ? [null, shown] : [shown, undefined];
    const { state, screen, scope } = fields ?? {};
    return {
        state: !fields ? 'LOCKED' : states.includes(state) ? state : 'REQUIRE_PASSWORD',
        failedAttempts: (0, shown_1.readCount)(fields?.['failedAttempts']),
        error: fault ?? (0, refusal_1.readRefusal)(fields?.error),
        screen: (0, value_1.isObject)(screen) && typeof screen['name'] === 'string' ? screen : opening,
        notice: fault ?? (0, refusal_1.readRefusal)(fields?.['notice']),
        reason: (0, shown_1.readText)(fields?.['reason']),
        failedSecrets: (0, shown_1.readCount)(fields?.['failedSecrets']),
        secretAdvice: (0, shown_1.readText)(fields?.['secretAdvice']),
        biometry: fields?.['biometry'] ? (0, shown_1.readBiometry)(fields['biometry']) : undefined,
        scope: scope === 'full' || scope === 'exportOnly' ? scope : undefined,
        isBusy: fields?.['isBusy'] === true,
        leadsOut: fields?.['leadsOut'] === true,
        isCovered: fields?.['isCovered'] !== false,
        title: (0, shown_1.readText)(fields?.title),
        texts: (0, shown_1.readTexts)(fields),
        offers: (0, shown_1.readOffers)(fields),
    };
}
