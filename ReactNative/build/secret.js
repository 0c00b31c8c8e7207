"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readUTF8 = exports.takeSecret = exports.isWellFormed = exports.numberOf = exports.GivenSecret = exports.SecretEntry = void 0;
/**
 * What the owner typed into a `<SecretField>`: native keeps it, and JavaScript has its number alone.
 *
 * It counts once, and for the field's `use` alone: whatever the call answers, native has wiped it.
 */
class SecretEntry {
    constructor(length) {
        this.length = length;
    }
    /** @internal Made by `SecretField` alone. */
    static of(handle, length, use) {
        const entry = new SecretEntry(length);
        entries.set(entry, { handle, use });
        return entry;
    }
}
exports.SecretEntry = SecretEntry;
/** A secret that was asked for, such as a wallet's words: native keeps it, and `<SecretText>` shows it, once. */
class GivenSecret {
    constructor() { }
    /** @internal Made of native's answer alone. */
    static of(number) {
        const given = new GivenSecret();
        numbers.set(given, number);
        return given;
    }
}
exports.GivenSecret = GivenSecret;
/** Returns the number by which native knows a given secret; 0 for what is none. */
function numberOf(given) {
    return (given instanceof GivenSecret && numbers.get(given)) || 0;
}
exports.numberOf = numberOf;
/** Numbers of the entries that were not used yet; no tool that shows components shows them. */
const entries = new WeakMap();
const numbers = new WeakMap();
/** The most UTF-16 units of a secret that native takes. */
const maximumLength = 4096;
/** Whether a text has no half of a surrogate pair, so that it can be written as UTF-8. */
function isWellFormed(text) {
    return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}
exports.isWellFormed = isWellFormed;
/**
 * Returns what native takes for this use, or why this is no secret of it. Uses an entry up.
 *
 * Written for callers without types, too: a number is refused, since it would name someone's entry.
 */
function takeSecret(secret, use) {
    if (secret === undefined || secret === null)
        return { secret: null };
    if (typeof secret === 'string') {
        return secret.length <= maximumLength && isWellFormed(secret) ? { secret } : { cause: 'notText' };
    }
    if (use === 'ownerSecret' && secret instanceof Uint8Array) {
        return secret.length <= maximumLength ? { secret } : { cause: 'notText' };
    }
    if (!(secret instanceof SecretEntry))
        return { cause: 'argumentWrong' };
    const entry = entries.get(secret);
    if (entry && entry.use !== use)
        return { cause: 'argumentWrong' };
    entries.delete(secret);
    return entry === undefined ? { cause: 'secretMissing' } : { secret: entry.handle };
}
exports.takeSecret = takeSecret;
/** Returns the text whose UTF-8 this is; undefined for other bytes. Hermes has had a `TextDecoder` for a short time alone. */
function readUTF8(bytes) {
    const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    try {
        return decodeURIComponent(escaped);
    }
    catch {
        return undefined;
    }
}
exports.readUTF8 = readUTF8;
