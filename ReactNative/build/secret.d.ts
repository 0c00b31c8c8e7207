import type { Cause } from './refusal';
/**
 * What the owner typed into a `<SecretField>`: native keeps it, and JavaScript has its number alone.
 *
 * It counts once: whatever the call answers, native has wiped it.
 */
export declare class SecretEntry {
    /** How many characters were typed. */
    readonly length: number;
    private constructor();
    /** @internal Made by `SecretField` alone. */
    static of(handle: number, length: number): SecretEntry;
}
/**
 * A PIN, a password or a recovery key.
 *
 * JavaScript can't wipe a string: it stays in memory until the engine happens to reuse that place, and copies of it too. Let the
 * owner type into a `<SecretField>` and pass on its `SecretEntry`.
 */
export declare type Secret = string | SecretEntry;
/** What native takes: the text, or the number of an entry. */
export declare type NativeSecret = string | number | null;
/** Whether a text has no half of a surrogate pair, so that it can be written as UTF-8. */
export declare function isWellFormed(text: string): boolean;
/**
 * Returns what native takes, or why this is no secret. Uses an entry up.
 *
 * Written for callers without types, too: a number is refused, since it would name someone's entry.
 */
export declare function takeSecret(secret: unknown): {
    secret: NativeSecret;
} | {
    cause: Cause;
};
