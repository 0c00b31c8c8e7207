"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.useBiometricSettings = void 0;
const react_1 = require("react");
const refusal_1 = require("./refusal");
const shown_1 = require("./shown");
const value_1 = require("./value");
const vault_1 = require("./vault");
/** Turns biometric unlock on and off (C9). */
function useBiometricSettings() {
    const shown = (0, shown_1.useShown)('biometrics');
    return (0, react_1.useMemo)(() => ({ ...readBiometrics(shown), ...calls }), [shown]);
}
exports.useBiometricSettings = useBiometricSettings;
const calls = {
    enable: async (password) => void (await vault_1.vault.send({ screen: 'biometrics', name: 'enable', secret: 'taken' }, password)),
    disable: async (reason, password) => {
        if (!isReason(reason))
            return vault_1.vault.refusal('reasonWrong');
        await vault_1.vault.send({ screen: 'biometrics', name: 'disable' }, password);
    },
    refresh: async () => void (await vault_1.vault.send({ screen: 'biometrics', name: 'refresh' })),
    resetError: () => void vault_1.vault.send({ screen: 'biometrics', name: 'resetError' }).catch(() => undefined),
};
/** Whether this may be a reason: what has no letter, or is no text, is a PIN that was meant to come second. */
function isReason(reason) {
    return reason === undefined || reason === null || reason === '' || (typeof reason === 'string' && /\p{L}/u.test(reason));
}
/** Reads what native shows: what is missing there is off and hidden here. */
function readBiometrics(shown) {
    const [fields, fault] = shown instanceof refusal_1.VaultError ? [null, shown] : [shown, undefined];
    const { obstacle } = fields ?? {};
    return {
        capability: readCapability(fields?.['capability']),
        enabled: fields?.['enabled'] === true,
        loading: fields ? fields['loading'] === true : !fault,
        error: fault ?? (0, refusal_1.readRefusal)(fields?.error),
        isShown: fields?.['isShown'] === true,
        obstacle: (0, value_1.isObject)(obstacle) ? obstacle : undefined,
        asksSecretToDisable: fields?.['asksSecretToDisable'] !== false,
        title: (0, shown_1.readText)(fields?.title),
        texts: (0, shown_1.readTexts)(fields),
        offers: (0, shown_1.readOffers)(fields),
    };
}
function readCapability(json) {
    const capability = (0, value_1.isObject)(json) ? json : {};
    return {
        available: capability['available'] === true,
        enrolled: capability['enrolled'] === true,
        biometryType: (0, shown_1.readBiometry)(capability['biometryType']),
        reasonIfUnavailable: (0, value_1.isObject)(json) ? (0, shown_1.readText)(capability['reasonIfUnavailable']) : 'temporarilyUnavailable',
        supported: capability['supported'] === true,
        assurance: (0, shown_1.readText)(capability['assurance']),
    };
}
