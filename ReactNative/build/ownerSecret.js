"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.OwnerSecret = void 0;
const value_1 = require("./value");
const vault_1 = require("./vault");
/** A short secret of the app's own behind its owner: a finger, a face or the passcode. It is in no backup and no vault. */
exports.OwnerSecret = {
    /**
     * Keeps a secret of up to 4096 bytes; the argument shape is that of `setGenericPassword`.
     *
     * @param password a text, bytes such as a key, or the entry of a `<SecretField use="ownerSecret">`. No other field's: what is kept
     *   here can be read by the app, and a vault's PIN must not be.
     * @throws VaultError `ERR-TT-407` where there is one already, `ERR-TT-401` where the device can't guard it.
     */
    async set(name, password, options) {
        const json = writeRequest('set', name, options);
        if (!json)
            return vault_1.vault.refusal('argumentWrong');
        await vault_1.vault.changeOwnerSecret(json, true, password);
    },
    /**
     * Reads a secret after a prompt.
     *
     * It comes from native as bytes, never in JSON, and they are wiped; the text is a JavaScript string, which can't be.
     *
     * @throws VaultError `ERR-TT-402` where there is none, `ERR-107-060` where it ended with the owner's finger, face or passcode:
     *   never `false` or null for both. `PROTECTION_WEAKER` where it is kept behind less than `options` ask for. `ARGUMENT_WRONG`
     *   for bytes that are no text: `getBytes` reads them.
     */
    async get(name, options) {
        const json = writeRequest('get', name, options);
        if (!json)
            return vault_1.vault.refusal('argumentWrong');
        const { text } = await vault_1.vault.ownerText(json);
        return text === undefined ? vault_1.vault.refusal('argumentWrong') : { username: name, password: text };
    },
    /** Reads a secret as `get` does, as bytes: they are yours, so `fill(0)` them when they are not needed any more. */
    async getBytes(name, options) {
        const json = writeRequest('get', name, options);
        return json ? vault_1.vault.ownerBytes(json) : vault_1.vault.refusal('argumentWrong');
    },
    /** Erases a secret, without a prompt and whatever became of it. */
    async remove(name) {
        if (!isName(name))
            return vault_1.vault.refusal('argumentWrong');
        await vault_1.vault.changeOwnerSecret(JSON.stringify({ call: 'remove', name }), false);
    },
};
/** Returns what native takes; undefined where the name or an option is wrong. */
function writeRequest(call, name, options) {
    const read = readOptions(options);
    return isName(name) && read ? JSON.stringify({ call, name, ...read }) : undefined;
}
/** What react-native-keychain's words ask for. */
const protections = new Map([
    ['BiometryCurrentSet', 'currentBiometrics'],
    ['BiometryAnyOrDevicePasscode', 'ownerPresence'],
    ['UserPresence', 'ownerPresence'],
]);
const accessible = ['AccessibleWhenUnlockedThisDeviceOnly', 'AccessibleWhenPasscodeSetThisDeviceOnly'];
function readOptions(options = {}) {
    if (!(0, value_1.isObject)(options))
        return undefined;
    const { accessControl = 'UserPresence', accessible: when, authenticationPrompt = {}, ...others } = options;
    const protection = typeof accessControl === 'string' ? protections.get(accessControl) : undefined;
    const prompt = typeof authenticationPrompt === 'string' ? { title: authenticationPrompt } : authenticationPrompt;
    if (!protection || !(0, value_1.isObject)(prompt) || Object.keys(others).length > 0)
        return undefined;
    if (when !== undefined && !accessible.includes(when))
        return undefined;
    const { title = '', cancel = '' } = prompt;
    if (typeof title !== 'string' || typeof cancel !== 'string')
        return undefined;
    return { prompt: { cancel, reason: title }, protection };
}
/** A name as native takes it: 1 to 64 characters of a-z, A-Z, 0-9, dot, hyphen and underscore. */
function isName(name) {
    return typeof name === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(name);
}
