"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.OwnerSecret = void 0;
const value_1 = require("./value");
const vault_1 = require("./vault");
/** A short secret of the app's own behind its owner: a finger, a face or the passcode. It is in no backup and no vault. */
exports.OwnerSecret = {
    /**
     * Keeps a secret; the argument shape is that of `setGenericPassword`.
     *
     * @throws VaultError `ERR-TT-407` where there is one already, `ERR-TT-401` where the device can't guard it.
     */
    async set(name, password, options) {
        const read = readOptions(options);
        if (!isName(name) || !read)
            return vault_1.vault.refusal('argumentWrong');
        await vault_1.vault.ownerSecret('set', JSON.stringify({ call: 'set', name, ...read }), password);
    },
    /**
     * Reads a secret after a prompt.
     *
     * @throws VaultError `ERR-TT-402` where there is none, `ERR-107-060` where it ended with the owner's finger, face or passcode:
     *   never `false` or null for both.
     */
    async get(name, options) {
        const read = readOptions(options);
        if (!isName(name) || !read)
            return vault_1.vault.refusal('argumentWrong');
        const { secret } = await vault_1.vault.ownerSecret('get', JSON.stringify({ call: 'get', name, prompt: read.prompt }));
        if (typeof secret !== 'string')
            return vault_1.vault.refusal('nativeDiffers');
        return { username: name, password: secret };
    },
    /** Erases a secret, without a prompt and whatever became of it. */
    async remove(name) {
        if (!isName(name))
            return vault_1.vault.refusal('argumentWrong');
        await vault_1.vault.ownerSecret('remove', JSON.stringify({ call: 'remove', name }));
    },
};
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
