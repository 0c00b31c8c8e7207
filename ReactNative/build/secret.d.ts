import type { Cause } from './refusal';
/** What a field's secret is for: native takes it for nothing else, so that no PIN goes where a script can read it again. */
export declare type SecretUse = 'vault' | 'ownerSecret';
/**
 * What the owner typed into a `<SecretField>`: native keeps it, and JavaScript has its number alone.
 *
 * It counts once, and for the field's `use` alone: whatever the call answers, native has wiped it.
 */
export declare class SecretEntry {
    /** How many characters were typed. */
    readonly length: number;
    private constructor();
    /** @internal Made by `SecretField` alone. */
    static of(handle: number, length: number, use: SecretUse): SecretEntry;
}
/** A secret that was asked for, such as a wallet's words: native keeps it, and `<SecretText>` shows it, once. */
export declare class GivenSecret {
    /** Makes the type one of its own: nothing else is given. */
    protected readonly isGiven: never;
    private constructor();
    /** @internal Made of native's answer alone. */
    static of(number: number): GivenSecret;
}
/** Returns the number by which native knows a given secret; 0 for what is none. */
export declare function numberOf(given: unknown): number;
/**
 * A PIN, a password or a recovery key.
 *
 * JavaScript can't wipe a string: it stays in memory until the engine happens to reuse that place, and copies of it too. Let the
 * owner type into a `<SecretField>` and pass on its `SecretEntry`.
 */
export declare type Secret = string | SecretEntry;
/** What native takes: the text, or the number of an entry. */
export declare type NativeSecret = string | number | Uint8Array | null;
/** Whether a text has no half of a surrogate pair, so that it can be written as UTF-8. */
export declare function isWellFormed(text: string): boolean;
/**
 * Returns what native takes for this use, or why this is no secret of it. Uses an entry up.
 *
 * Written for callers without types, too: a number is refused, since it would name someone's entry.
 */
export declare function takeSecret(secret: unknown, use: SecretUse): {
    secret: NativeSecret;
} | {
    cause: Cause;
};
/** Returns the text whose UTF-8 this is; undefined for other bytes. Hermes has had a `TextDecoder` for a short time alone. */
export declare function readUTF8(bytes: Uint8Array): string | undefined;
