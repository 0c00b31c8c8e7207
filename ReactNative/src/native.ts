import { requireOptionalNativeModule, requireNativeView } from 'expo';
import type { ComponentType } from 'react';

/** What was added as a listener; `remove` takes it away. */
export interface Subscription {
  remove(): void;
}

/**
 * The native module `Thumbturn`: one vault, what its screens show as one JSON value, and actions on it.
 *
 * No JSON ever holds a secret: one is given beside it, as a string or as the number of what was typed into a native field,
 * and comes back beside it.
 */
export interface NativeVault {
  /** Opens the app's vault: `{"language","policy","secret":{"kind","length"}}`. Once; the app's life cycle is native's own. */
  open(config: string): void;
  /** The value that the screens show now, or null before there is one. */
  fields(): string | null;
  /** Carries out an action, and answers `{"error":null}` or `{"error":{"code","hint","message","recoverable"}}`. */
  send(ticket: number, action: string, secret: string | number | null): Promise<string>;
  /** Ends the action with this ticket, and the prompt that it shows. */
  cancel(ticket: number): void;
  /**
   * Keeps, reads or erases a short secret behind its owner: `{"call":"set","name","prompt":{"cancel","reason"},"protection"}`,
   * (`ownerPresence` or `currentBiometrics`), `{"call":"get","name","prompt"}` or `{"call":"remove","name"}`. Answers as `send`, a `get` with a member `secret` more.
   */
  ownerSecret(request: string, secret: string | number | null): Promise<string>;
  /** Calls a listener each time when the value is another. */
  addListener(event: 'onChange', listener: (event: { value: string }) => void): Subscription;
}

/** Looks for the native module, once; null in Expo Go, and in an app that was not built with it. */
export function findNative(): NativeVault | null {
  if (found === undefined) {
    try {
      found = requireOptionalNativeModule<NativeVault>(moduleName);
    } catch {
      found = null;
    }
  }
  return found;
}

/** Returns the component of a native view; call it where the module is there. */
export function findView<Props>(name: 'ThumbturnSecretField' | 'ThumbturnCover'): ComponentType<Props> {
  const view = views.get(name) ?? requireNativeView(moduleName, name);
  views.set(name, view);
  return view as ComponentType<Props>;
}

const moduleName = 'Thumbturn';
let found: NativeVault | null | undefined;
/** A view may be registered with React Native once. */
const views = new Map<string, unknown>();
