"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.takeSecret = exports.isWellFormed = exports.SecretEntry = void 0;
/**
 * What the owner typed into a `<SecretField>`: native keeps it, and JavaScript has its number alone.
 *
 * It counts once: whatever the call answers, native has wiped it.
 */
class SecretEntry {
    constructor(length) {
        this.length = length;
    }
    /** @internal Made by `SecretField` alone. */
    static of(handle, length) {
        const entry = new SecretEntry(length);
        handles.set(entry, handle);
        return entry;
    }
}
exports.SecretEntry = SecretEntry;
/** Numbers of the entries that were not used yet; no tool that shows components shows them. */
const handles = new WeakMap();
/** The most UTF-16 units of a secret that native takes. */
const maximumLength = 4096;
/** Whether a text has no half of a surrogate pair, so that it can be written as UTF-8. */
function isWellFormed(text) {
    return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}
exports.isWellFormed = isWellFormed;
/**
 * Returns what native takes, or why this is no secret. Uses an entry up.
 *
 * Written for callers without types, too: a number is refused, since it would name someone's entry.
 */
function takeSecret(secret) {
    if (secret === undefined || secret === null)
        return { secret: null };
    if (typeof secret === 'string') {
        return secret.length <= maximumLength && isWellFormed(secret) ? { secret } : { cause: 'notText' };
    }
    if (!(secret instanceof SecretEntry))
        return { cause: 'argumentWrong' };
    const handle = handles.get(secret);
    handles.delete(secret);
    return handle === undefined ? { cause: 'secretMissing' } : { secret: handle };
}
exports.takeSecret = takeSecret;
