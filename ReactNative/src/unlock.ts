import { useMemo } from 'react';
import { Refusal, VaultError, readRefusal } from './refusal';
import { Secret } from './secret';
import { BiometryType, Shown, readBiometry, readCount, readOffers, readText, readTexts, useShown } from './shown';
import { Offer, isObject } from './value';
import { vault } from './vault';

/** Seed 002's five states of the unlock screen. */
export type AppUnlockState = 'LOCKED' | 'PROMPTING_BIOMETRIC' | 'UNLOCKED' | 'REQUIRE_PASSWORD' | 'REVOKED';

/** What is on the unlock screen, and what some of them have besides: a `step`, a `countdown`, an `error`. */
export interface UnlockScreen {
  readonly name:
    | 'opening' | 'content' | 'offer' | 'completion' | 'olderCopy' | 'prompt' | 'secret' | 'system' | 'reopen' | 'wait' | 'recovery'
    | 'reset' | 'erased';
  readonly step?: string;
  readonly countdown?: { readonly hours: number; readonly minutes: number; readonly seconds: number; readonly text: string };
  readonly error?: { readonly code: string; readonly hint: string; readonly message: string };
}

/** What the lock screen shows, and what it can be asked for. All functions keep their identity. */
export interface UseAppUnlockResult {
  readonly state: AppUnlockState;
  /** Consecutive failed prompts. */
  readonly failedAttempts: number;
  /** The refusal of the last call, until the next one or `resetError`. */
  readonly error?: Refusal;
  /** Shows the system's prompt; a second call joins the first. Rejects with a `VaultError`. */
  readonly unlockWithBiometric: () => Promise<void>;
  /** Tries a PIN or password; a `SecretEntry` stays out of JavaScript's memory, a string does not. Rejects with a `VaultError`. */
  readonly unlockWithPassword: (password: Secret) => Promise<void>;
  readonly resetError: () => void;

  /** Shows the device's own authentication, in system mode. */
  readonly unlockWithSystem: () => Promise<void>;
  /** Locks; there is no prompt by itself until the next unlock. */
  readonly lock: () => Promise<void>;
  readonly screen: UnlockScreen;
  /** The message to show: the error, otherwise the reason where it is worth showing. */
  readonly notice?: Refusal;
  /** Why biometrics are not enough. */
  readonly reason?: string;
  /** Consecutive wrong PINs or passwords. */
  readonly failedSecrets: number;
  /** A warning that the PIN or password is too short for this device. */
  readonly secretAdvice?: string;
  /** The sensor that a tap would use. */
  readonly biometry?: BiometryType;
  /** What the open session may do. */
  readonly scope?: 'full' | 'exportOnly';
  readonly isBusy: boolean;
  /** Whether the owner may be stuck here, and only a recovery key or a reset leads on: `offers` has the way. */
  readonly leadsOut: boolean;
  /** Whether to cover the app's content; `<VaultCover>` does it in time for the system's picture. */
  readonly isCovered: boolean;
  readonly title?: string;
  readonly texts: readonly string[];
  /** What the screen offers now: pass an action to `send` of `useScreen`. */
  readonly offers: readonly Offer[];
}

/** Locks and unlocks the app's vault. */
export function useAppUnlock(): UseAppUnlockResult {
  const shown = useShown('unlock');
  return useMemo(() => ({ ...readUnlock(shown), ...calls }), [shown]);
}

const calls = {
  unlockWithBiometric: async (): Promise<void> => void (await vault.send({ screen: 'unlock', name: 'unlockWithBiometric' })),
  unlockWithPassword: async (password: Secret): Promise<void> =>
    void (await vault.send({ screen: 'unlock', name: 'submitSecret', secret: 'taken' }, password)),
  unlockWithSystem: async (): Promise<void> => void (await vault.send({ screen: 'unlock', name: 'unlockWithSystem' })),
  lock: async (): Promise<void> => void (await vault.send({ screen: 'unlock', name: 'lock' })),
  resetError: (): void => void vault.send({ screen: 'unlock', name: 'resetError' }).catch(() => undefined),
};

const states: readonly unknown[] = ['LOCKED', 'PROMPTING_BIOMETRIC', 'UNLOCKED', 'REQUIRE_PASSWORD', 'REVOKED'];
const opening = { name: 'opening' } as const;

/** Reads what native shows: what is missing or unknown there is locked and covered here. */
function readUnlock(shown: Shown): Omit<UseAppUnlockResult, keyof typeof calls> {
  const [fields, fault] = shown instanceof VaultError ? [null, shown] : [shown, undefined];
  const { state, screen, scope } = fields ?? {};
  return {
    state: !fields ? 'LOCKED' : states.includes(state) ? (state as AppUnlockState) : 'REQUIRE_PASSWORD',
    failedAttempts: readCount(fields?.['failedAttempts']),
    error: fault ?? readRefusal(fields?.error),
    screen: isObject(screen) && typeof screen['name'] === 'string' ? (screen as unknown as UnlockScreen) : opening,
    notice: fault ?? readRefusal(fields?.['notice']),
    reason: readText(fields?.['reason']),
    failedSecrets: readCount(fields?.['failedSecrets']),
    secretAdvice: readText(fields?.['secretAdvice']),
    biometry: fields?.['biometry'] ? readBiometry(fields['biometry']) : undefined,
    scope: scope === 'full' || scope === 'exportOnly' ? scope : undefined,
    isBusy: fields?.['isBusy'] === true,
    leadsOut: fields?.['leadsOut'] === true,
    isCovered: fields?.['isCovered'] !== false,
    title: readText(fields?.title),
    texts: readTexts(fields),
    offers: readOffers(fields),
  };
}
