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
     * Keeps a secret; the argument shape is that of `setGenericPassword`.
     *
     * @throws VaultError `ERR-TT-407` where there is one already, `ERR-TT-401` where the device can't guard it.
     */
    set(name: string, password: Secret, options?: OwnerSecretOptions): Promise<void>;
    /**
     * Reads a secret after a prompt.
     *
     * @throws VaultError `ERR-TT-402` where there is none, `ERR-107-060` where it ended with the owner's finger, face or passcode:
     *   never `false` or null for both.
     */
    get(name: string, options?: OwnerSecretOptions): Promise<OwnerCredentials>;
    /** Erases a secret, without a prompt and whatever became of it. */
    remove(name: string): Promise<void>;
};
