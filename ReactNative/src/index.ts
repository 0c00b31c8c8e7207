import { VaultOptions, vault } from './vault';

/**
 * Opens the app's one vault: call it where the app starts. It asks nobody and derives nothing.
 *
 * Without the native part, as in Expo Go, it does nothing, and the hooks say so.
 *
 * @throws VaultError `ARGUMENT_WRONG` for options that are none.
 */
export function openVault(options?: VaultOptions): void {
  vault.open(options);
}

export { BiometricCapability, UseBiometricSettingsResult, useBiometricSettings } from './biometrics';
export { withDerivedKey } from './derivedKey';
export { OwnerCredentials, OwnerSecret, OwnerSecretOptions } from './ownerSecret';
export { Language, Refusal, VaultError } from './refusal';
export { ScreenAction, UseScreenResult, useScreen, useVault } from './screen';
export { GivenSecret, Secret, SecretEntry, SecretUse } from './secret';
export { BiometryType } from './shown';
export { AppUnlockState, UnlockScreen, UseAppUnlockResult, useAppUnlock } from './unlock';
export { Action, Answer, Offer, ScreenFields, Value } from './value';
export { VaultOptions } from './vault';
export {
  SecretField, SecretFieldProps, SecretText, SecretTextProps, VaultCover, VaultCoverProps,
} from './views';
