import type { Cause } from './refusal';

/**
 * What the owner typed into a `<SecretField>`: native keeps it, and JavaScript has its number alone.
 *
 * It counts once: whatever the call answers, native has wiped it.
 */
export class SecretEntry {
  /** How many characters were typed. */
  readonly length: number;

  private constructor(length: number) {
    this.length = length;
  }

  /** @internal Made by `SecretField` alone. */
  static of(handle: number, length: number): SecretEntry {
    const entry = new SecretEntry(length);
    handles.set(entry, handle);
    return entry;
  }
}

/**
 * A PIN, a password or a recovery key.
 *
 * JavaScript can't wipe a string: it stays in memory until the engine happens to reuse that place, and copies of it too. Let the
 * owner type into a `<SecretField>` and pass on its `SecretEntry`.
 */
export type Secret = string | SecretEntry;

/** What native takes: the text, or the number of an entry. */
export type NativeSecret = string | number | null;

/** Numbers of the entries that were not used yet; no tool that shows components shows them. */
const handles = new WeakMap<SecretEntry, number>();

/** The most UTF-16 units of a secret that native takes. */
const maximumLength = 4096;

/** Whether a text has no half of a surrogate pair, so that it can be written as UTF-8. */
export function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}

/**
 * Returns what native takes, or why this is no secret. Uses an entry up.
 *
 * Written for callers without types, too: a number is refused, since it would name someone's entry.
 */
export function takeSecret(secret: unknown): { secret: NativeSecret } | { cause: Cause } {
  if (secret === undefined || secret === null) return { secret: null };
  if (typeof secret === 'string') {
    return secret.length <= maximumLength && isWellFormed(secret) ? { secret } : { cause: 'notText' };
  }
  if (!(secret instanceof SecretEntry)) return { cause: 'argumentWrong' };
  const handle = handles.get(secret);
  handles.delete(secret);
  return handle === undefined ? { cause: 'secretMissing' } : { secret: handle };
}
