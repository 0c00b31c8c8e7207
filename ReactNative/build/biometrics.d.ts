import { Refusal } from './refusal';
import { Secret } from './secret';
import { BiometryType } from './shown';
import { Offer } from './value';
/** The sensor, as seed 002 has it, and how well the device guards keys. */
export interface BiometricCapability {
    readonly available: boolean;
    readonly enrolled: boolean;
    readonly biometryType: BiometryType;
    readonly reasonIfUnavailable?: string;
    /** Whether there is a sensor: without one the toggle is hidden, not inactive. */
    readonly supported: boolean;
    readonly assurance?: string;
}
/** What the settings show about biometrics, and what they can be asked for. All functions keep their identity. */
export interface UseBiometricSettingsResult {
    readonly capability: BiometricCapability;
    readonly enabled: boolean;
    /** Whether a call is in progress, or the vault is still being read. */
    readonly loading: boolean;
    /** Turns biometrics on; asking for it is the owner's consent. Shows no prompt by itself. Rejects with a `VaultError`. */
    readonly enable: (password: Secret) => Promise<void>;
    /**
     * Turns biometrics off. Rejects with a `VaultError`.
     *
     * The reason is for the app's own records: the vault's trail writes its own, and nothing that was passed here by mistake. One
     * without a letter is refused (`REASON_WRONG`), since it is the PIN. Give the password where `asksSecretToDisable`.
     */
    readonly disable: (reason?: string, password?: Secret) => Promise<void>;
    /** Reads vault and sensor again. */
    readonly refresh: () => Promise<void>;
    /** The refusal of the last call, until the next one. */
    readonly error?: Refusal;
    readonly resetError: () => void;
    /** Whether to show anything: a sensor, or something to turn off. */
    readonly isShown: boolean;
    /** Why biometrics can't be turned on: the toggle is inactive. */
    readonly obstacle?: {
        readonly name: string;
        readonly message: string;
    };
    /** Whether turning biometrics off needs the PIN or password. */
    readonly asksSecretToDisable: boolean;
    readonly title?: string;
    readonly texts: readonly string[];
    readonly offers: readonly Offer[];
}
/** Turns biometric unlock on and off (C9). */
export declare function useBiometricSettings(): UseBiometricSettingsResult;
