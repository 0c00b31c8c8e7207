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
    /**
     * Carries out an action, and answers `{"error":null}` or `{"error":{"code","hint","message","recoverable"}}`. Where a secret was
     * asked for, native keeps it for `<SecretText>`, and the answer has its number: `{"error":null,"given":N}`.
     */
    send(ticket: number, action: string, secret: string | number | null): Promise<string>;
    /** Ends the action with this ticket, and the prompt that it shows. */
    cancel(ticket: number): void;
    /** Whether a prompt asks the owner now, who may take their time. */
    isAsking(): boolean;
    /**
     * Keeps, reads or erases a short secret behind its owner: `{"call":"set","name","prompt":{"cancel","reason"},"protection"}`,
     * (`ownerPresence` or `currentBiometrics`), the same with `get`, which refuses what is kept behind less than that, or
     * `{"call":"remove","name"}`. Answers as `send`, or with the bytes that `get` found.
     */
    ownerSecret(request: string, secret: string | number | Uint8Array | null): Promise<string | Uint8Array>;
    /** Answers with the 32 bytes of the key that the open vault derives for this label, or with a refusal as `send`. */
    derivedKey(label: string): Promise<string | Uint8Array>;
    /** Calls a listener each time when the value is another. */
    addListener(event: 'onChange', listener: (event: {
        value: string;
    }) => void): Subscription;
}
/** Looks for the native module, once; null in Expo Go, and in an app that was not built with it. */
export declare function findNative(): NativeVault | null;
/** Returns the component of a native view; call it where the module is there. */
export declare function findView<Props>(name: 'ThumbturnSecretField' | 'ThumbturnSecretText' | 'ThumbturnCover'): ComponentType<Props>;
