"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.isObject = exports.share = exports.readAnswer = exports.readValue = exports.emptyValue = void 0;
const refusal_1 = require("./refusal");
const secret_1 = require("./secret");
/** What is shown before native says anything, and instead of what can't be read. */
function emptyValue(language, fault) {
    return { language, phrases: {}, screens: {}, secret: { kind: 'pin', length: null }, fault };
}
exports.emptyValue = emptyValue;
/** Reads native's value; undefined for what is none. Members that an older native half lacks are empty. */
function readValue(text) {
    let json;
    try {
        json = JSON.parse(text);
    }
    catch {
        return undefined;
    }
    if (!isObject(json) || !isObject(json['screens']))
        return undefined;
    const { language, phrases, screens, secret } = json;
    for (const name of Object.keys(screens))
        if (!isObject(screens[name]))
            screens[name] = null;
    const { kind, length } = isObject(secret) ? secret : { kind: 'pin', length: null };
    return {
        language: language === 'fr' ? 'fr' : 'en',
        phrases: isObject(phrases) ? phrases : {},
        screens: screens,
        secret: { kind: kind === 'password' ? 'password' : 'pin', length: typeof length === 'number' ? length : null },
        fault: undefined,
    };
}
exports.readValue = readValue;
/** Reads an answer: its members, or its refusal; undefined for what is no answer, such as a bare yes. */
function readAnswer(text) {
    let json;
    try {
        json = JSON.parse(text);
    }
    catch {
        return undefined;
    }
    if (!isObject(json) || !('error' in json))
        return undefined;
    // No JSON has a secret: native has its number.
    const { error, given, secret: _, ...answer } = json;
    if (error === null)
        return { answer: Number.isSafeInteger(given) ? { ...answer, secret: secret_1.GivenSecret.of(given) } : answer };
    const refusal = (0, refusal_1.readRefusal)(error);
    return refusal && { refusal };
}
exports.readAnswer = readAnswer;
/** Returns `next` with every part that is equal to one of `former` replaced by that one, so that equal parts are identical. */
function share(former, next) {
    if (Object.is(former, next))
        return next;
    if (Array.isArray(former) && Array.isArray(next)) {
        let isSame = former.length === next.length;
        for (let index = 0; index < next.length; index++) {
            next[index] = share(former[index], next[index]);
            isSame = isSame && next[index] === former[index];
        }
        return isSame ? former : next;
    }
    if (!isObject(former) || !isObject(next) || Array.isArray(former) || Array.isArray(next))
        return next;
    const names = Object.keys(next);
    let isSame = names.length === Object.keys(former).length;
    for (const name of names) {
        const part = share(former[name], next[name]);
        next[name] = part;
        isSame = isSame && part === former[name];
    }
    return isSame ? former : next;
}
exports.share = share;
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
exports.isObject = isObject;
