"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.useVault = exports.useScreen = void 0;
const react_1 = require("react");
const refusal_1 = require("./refusal");
const shown_1 = require("./shown");
const vault_1 = require("./vault");
/**
 * Follows any screen: `app`, `onboarding`, `unlock`, `recover`, `biometrics`, `system`, `pin`, `recoveryKey`, `words`, `backup`,
 * `trail` or `wallets`.
 *
 * A generic view draws `title`, `texts` and a button for each of `offers`.
 */
function useScreen(name) {
    const shown = (0, shown_1.useShown)(name);
    const send = (0, react_1.useMemo)(() => makeSend(name), [name]);
    return (0, react_1.useMemo)(() => (shown instanceof refusal_1.VaultError ? { fields: null, error: shown, send } : { fields: shown, send }), [shown, send]);
}
exports.useScreen = useScreen;
/** All that the vault's screens show: for an app that draws them itself. Renders at each change. */
function useVault() {
    const value = (0, react_1.useSyncExternalStore)(vault_1.vault.subscribe, vault_1.vault.read, vault_1.vault.read);
    return (0, react_1.useMemo)(() => ({ ...value, send: vault_1.vault.send }), [value]);
}
exports.useVault = useVault;
function makeSend(screen) {
    return (action, secret) => {
        if (typeof action === 'string')
            return vault_1.vault.send({ screen, name: action }, secret);
        return vault_1.vault.send({ screen, ...action }, secret);
    };
}
