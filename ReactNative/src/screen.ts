import { useMemo, useSyncExternalStore } from 'react';
import { Refusal, VaultError } from './refusal';
import { Secret } from './secret';
import { useShown } from './shown';
import { Action, Answer, ScreenFields, Value } from './value';
import { vault } from './vault';

/** An action of one screen: the name alone, or with further members; what `offers` have fits as it is. */
export type ScreenAction = string | (Omit<Action, 'screen'> & { readonly name: string; readonly [member: string]: string | boolean });

/** One screen as native shows it, and its actions. */
export interface UseScreenResult<Fields extends ScreenFields = ScreenFields> {
  /** What the screen shows; null while there is nothing to show. */
  readonly fields: Fields | null;
  /** Why there will be nothing. */
  readonly error?: Refusal;
  /** Asks for an action. Rejects with a `VaultError`. Keeps its identity. */
  readonly send: (action: ScreenAction, secret?: Secret) => Promise<Answer>;
}

/**
 * Follows any screen: `app`, `onboarding`, `unlock`, `recover`, `biometrics`, `system`, `pin`, `recoveryKey`, `words`, `backup`,
 * `trail` or `wallets`.
 *
 * A generic view draws `title`, `texts` and a button for each of `offers`.
 */
export function useScreen<Fields extends ScreenFields = ScreenFields>(name: string): UseScreenResult<Fields> {
  const shown = useShown(name);
  const send = useMemo(() => makeSend(name), [name]);
  return useMemo(
    () => (shown instanceof VaultError ? { fields: null, error: shown, send } : { fields: shown as Fields | null, send }),
    [shown, send],
  );
}

/** All that the vault's screens show: for an app that draws them itself. Renders at each change. */
export function useVault(): Value & { readonly send: (action: Action, secret?: Secret) => Promise<Answer> } {
  const value = useSyncExternalStore(vault.subscribe, vault.read, vault.read);
  return useMemo(() => ({ ...value, send: vault.send }), [value]);
}

function makeSend(screen: string): UseScreenResult['send'] {
  return (action, secret) => {
    if (typeof action === 'string') return vault.send({ screen, name: action }, secret);
    return vault.send({ screen, ...action }, secret);
  };
}
