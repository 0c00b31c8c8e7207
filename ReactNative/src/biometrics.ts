import { useMemo } from 'react';
import { Refusal, VaultError, readRefusal } from './refusal';
import { Secret } from './secret';
import { BiometryType, Shown, readBiometry, readOffers, readText, readTexts, useShown } from './shown';
import { Offer, isObject } from './value';
import { vault } from './vault';

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
  readonly obstacle?: { readonly name: string; readonly message: string };
  /** Whether turning biometrics off needs the PIN or password. */
  readonly asksSecretToDisable: boolean;
  readonly title?: string;
  readonly texts: readonly string[];
  readonly offers: readonly Offer[];
}

/** Turns biometric unlock on and off (C9). */
export function useBiometricSettings(): UseBiometricSettingsResult {
  const shown = useShown('biometrics');
  return useMemo(() => ({ ...readBiometrics(shown), ...calls }), [shown]);
}

const calls = {
  enable: async (password: Secret): Promise<void> =>
    void (await vault.send({ screen: 'biometrics', name: 'enable', secret: 'taken' }, password)),
  disable: async (reason?: string, password?: Secret): Promise<void> => {
    if (!isReason(reason)) return vault.refusal('reasonWrong');
    await vault.send({ screen: 'biometrics', name: 'disable' }, password);
  },
  refresh: async (): Promise<void> => void (await vault.send({ screen: 'biometrics', name: 'refresh' })),
  resetError: (): void => void vault.send({ screen: 'biometrics', name: 'resetError' }).catch(() => undefined),
};

/** Whether this may be a reason: what has no letter, or is no text, is a PIN that was meant to come second. */
function isReason(reason: unknown): boolean {
  return reason === undefined || reason === null || reason === '' || (typeof reason === 'string' && /\p{L}/u.test(reason));
}

/** Reads what native shows: what is missing there is off and hidden here. */
function readBiometrics(shown: Shown): Omit<UseBiometricSettingsResult, keyof typeof calls> {
  const [fields, fault] = shown instanceof VaultError ? [null, shown] : [shown, undefined];
  const { obstacle } = fields ?? {};
  return {
    capability: readCapability(fields?.['capability']),
    enabled: fields?.['enabled'] === true,
    loading: fields ? fields['loading'] === true : !fault,
    error: fault ?? readRefusal(fields?.error),
    isShown: fields?.['isShown'] === true,
    obstacle: isObject(obstacle) ? (obstacle as UseBiometricSettingsResult['obstacle']) : undefined,
    asksSecretToDisable: fields?.['asksSecretToDisable'] !== false,
    title: readText(fields?.title),
    texts: readTexts(fields),
    offers: readOffers(fields),
  };
}

function readCapability(json: unknown): BiometricCapability {
  const capability = isObject(json) ? json : {};
  return {
    available: capability['available'] === true,
    enrolled: capability['enrolled'] === true,
    biometryType: readBiometry(capability['biometryType']),
    reasonIfUnavailable: isObject(json) ? readText(capability['reasonIfUnavailable']) : 'temporarilyUnavailable',
    supported: capability['supported'] === true,
    assurance: readText(capability['assurance']),
  };
}
