// Seed 002's own declarations (its §4.1 and §4.2), word for word, held against the package's: this file has to type-check.
import type * as ours from '@thumbturn/react-native';

export type BiometryType = "FACE_ID" | "TOUCH_ID" | "NONE";

export interface BiometricCapability {
  available: boolean;
  enrolled: boolean;
  biometryType: BiometryType;
  reasonIfUnavailable?: string;
}

export interface UseBiometricSettingsResult {
  capability: BiometricCapability;
  enabled: boolean;
  loading: boolean;
  enable: (password: string) => Promise<void>;
  disable: (reason?: string) => Promise<void>;
  refresh: () => Promise<void>;
  error?: { code: string; message: string };
}

export declare function useBiometricSettings(): UseBiometricSettingsResult;

export interface UseAppUnlockResult {
  state:
    | "LOCKED"
    | "PROMPTING_BIOMETRIC"
    | "UNLOCKED"
    | "REQUIRE_PASSWORD"
    | "REVOKED";
  failedAttempts: number;
  unlockWithBiometric: () => Promise<void>;
  unlockWithPassword: (password: string) => Promise<void>;
  resetError: () => void;
  error?: { code: string; message: string; recoverable: boolean };
}

export declare function useAppUnlock(): UseAppUnlockResult;

// Whoever wrote against the seed's declarations goes on with ours.
type Fits<Ours extends Seed, Seed> = Ours;
export type Hooks = [
  Fits<typeof ours.useAppUnlock, typeof useAppUnlock>,
  Fits<typeof ours.useBiometricSettings, typeof useBiometricSettings>,
];

// Field by field: each is there, none can be missing that the seed promises, and none that is only read is wider than the seed's.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Fields<Ours extends { [Name in keyof Seed]: Seed[Name] }, Seed> = { [Name in keyof Seed]-?: Same<Ours[Name], Seed[Name]> };
type Capability = Fields<ours.BiometricCapability, BiometricCapability>;
type Settings = Fields<ours.UseBiometricSettingsResult, UseBiometricSettingsResult>;
type Unlock = Fields<ours.UseAppUnlockResult, UseAppUnlockResult>;

// Both ways: what only says something is the seed's exactly, and what takes a password or tells a refusal fits and is wider.
export const capability: Capability = { available: true, enrolled: true, biometryType: true, reasonIfUnavailable: true };
export const settings: Omit<Settings, 'capability' | 'enable' | 'disable' | 'error'> = {
  enabled: true,
  loading: true,
  refresh: true,
};
export const unlock: Omit<Unlock, 'unlockWithPassword' | 'error'> = {
  state: true,
  failedAttempts: true,
  unlockWithBiometric: true,
  resetError: true,
};

// A refusal can be thrown away as the seed's, and a SecretEntry goes where the seed has a string.
export const refusal = (error: ours.Refusal): Required<UseAppUnlockResult>['error'] => error;
export const widened = (hook: ours.UseAppUnlockResult, entry: ours.SecretEntry): Promise<void> => hook.unlockWithPassword(entry);
