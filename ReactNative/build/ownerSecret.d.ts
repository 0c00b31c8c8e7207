import { Secret } from './secret';
/**
 * Options in the shapes of react-native-keychain.
 *
 * One that this package can't keep as it is meant is refused (`ARGUMENT_WRONG`), never weakened.
 */
export interface OwnerSecretOptions {
    /** `BiometryCurrentSet`: the fingers or face of now. Otherwise any, or the device's passcode, which is what is meant without it. */
    readonly accessControl?: 'BiometryCurrentSet' | 'BiometryAnyOrDevicePasscode' | 'UserPresence';
    /** Always this device alone, while it is unlocked. */
    readonly accessible?: 'AccessibleWhenUnlockedThisDeviceOnly' | 'AccessibleWhenPasscodeSetThisDeviceOnly';
    /** The words on the prompt. */
    readonly authenticationPrompt?: string | {
        readonly title?: string;
        readonly cancel?: string;
    };
}
/** What was kept under a name. */
export interface OwnerCredentials {
    readonly username: string;
    readonly password: string;
}
/** A short secret of the app's own behind its owner: a finger, a face or the passcode. It is in no backup and no vault. */
export declare const OwnerSecret: {
    /**
     * Keeps a secret of up to 4096 bytes; the argument shape is that of `setGenericPassword`.
     *
     * @param password a text, bytes such as a key, or the entry of a `<SecretField use="ownerSecret">`. No other field's: what is kept
     *   here can be read by the app, and a vault's PIN must not be.
     * @throws VaultError `ERR-TT-407` where there is one already, `ERR-TT-401` where the device can't guard it.
     */
    set(name: string, password: Secret | Uint8Array, options?: OwnerSecretOptions): Promise<void>;
    /**
     * Reads a secret after a prompt.
     *
     * It comes from native as bytes, never in JSON, and they are wiped; the text is a JavaScript string, which can't be.
     *
     * @throws VaultError `ERR-TT-402` where there is none, `ERR-107-060` where it ended with the owner's finger, face or passcode:
     *   never `false` or null for both. `PROTECTION_WEAKER` where it is kept behind less than `options` ask for. `ARGUMENT_WRONG`
     *   for bytes that are no text: `getBytes` reads them.
     */
    get(name: string, options?: OwnerSecretOptions): Promise<OwnerCredentials>;
    /** Reads a secret as `get` does, as bytes: they are yours, so `fill(0)` them when they are not needed any more. */
    getBytes(name: string, options?: OwnerSecretOptions): Promise<Uint8Array>;
    /** Erases a secret, without a prompt and whatever became of it. */
    remove(name: string): Promise<void>;
};
