import type { Cause } from './refusal';

/** What a field's secret is for: native takes it for nothing else, so that no PIN goes where a script can read it again. */
export type SecretUse = 'vault' | 'ownerSecret';

/**
 * What the owner typed into a `<SecretField>`: native keeps it, and JavaScript has its number alone.
 *
 * It counts once, and for the field's `use` alone: whatever the call answers, native has wiped it.
 */
export class SecretEntry {
  /** How many characters were typed. */
  readonly length: number;

  private constructor(length: number) {
    this.length = length;
  }

  /** @internal Made by `SecretField` alone. */
  static of(handle: number, length: number, use: SecretUse): SecretEntry {
    const entry = new SecretEntry(length);
    entries.set(entry, { handle, use });
    return entry;
  }
}

/** A secret that was asked for, such as a wallet's words: native keeps it, and `<SecretText>` shows it, once. */
export class GivenSecret {
  /** Makes the type one of its own: nothing else is given. */
  protected declare readonly isGiven: never;

  private constructor() {}

  /** @internal Made of native's answer alone. */
  static of(number: number): GivenSecret {
    const given = new GivenSecret();
    numbers.set(given, number);
    return given;
  }
}

/** Returns the number by which native knows a given secret; 0 for what is none. */
export function numberOf(given: unknown): number {
  return (given instanceof GivenSecret && numbers.get(given)) || 0;
}

/**
 * A PIN, a password or a recovery key.
 *
 * JavaScript can't wipe a string: it stays in memory until the engine happens to reuse that place, and copies of it too. Let the
 * owner type into a `<SecretField>` and pass on its `SecretEntry`.
 */
export type Secret = string | SecretEntry;

/** What native takes: the text, or the number of an entry. */
export type NativeSecret = string | number | Uint8Array | null;

/** Numbers of the entries that were not used yet; no tool that shows components shows them. */
const entries = new WeakMap<SecretEntry, { readonly handle: number; readonly use: SecretUse }>();
const numbers = new WeakMap<GivenSecret, number>();

/** The most UTF-16 units of a secret that native takes. */
const maximumLength = 4096;

/** Whether a text has no half of a surrogate pair, so that it can be written as UTF-8. */
export function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}

/**
 * Returns what native takes for this use, or why this is no secret of it. Uses an entry up.
 *
 * Written for callers without types, too: a number is refused, since it would name someone's entry.
 */
export function takeSecret(secret: unknown, use: SecretUse): { secret: NativeSecret } | { cause: Cause } {
  if (secret === undefined || secret === null) return { secret: null };
  if (typeof secret === 'string') {
    return secret.length <= maximumLength && isWellFormed(secret) ? { secret } : { cause: 'notText' };
  }
  if (use === 'ownerSecret' && secret instanceof Uint8Array) {
    return secret.length <= maximumLength ? { secret } : { cause: 'notText' };
  }
  if (!(secret instanceof SecretEntry)) return { cause: 'argumentWrong' };
  const entry = entries.get(secret);
  if (entry && entry.use !== use) return { cause: 'argumentWrong' };
  entries.delete(secret);
  return entry === undefined ? { cause: 'secretMissing' } : { secret: entry.handle };
}

/** Returns the text whose UTF-8 this is; undefined for other bytes. Hermes has had a `TextDecoder` for a short time alone. */
export function readUTF8(bytes: Uint8Array): string | undefined {
  const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  try {
    return decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}
