"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.vault = void 0;
const native_1 = require("./native");
const refusal_1 = require("./refusal");
const secret_1 = require("./secret");
const value_1 = require("./value");
/** In seconds: how long native may take where nobody is asked. */
const patience = 10;
/** The app's vault as JavaScript sees it: native's value, and actions on their way. It decides nothing. */
class Vault {
    constructor() {
        /** Whether native refused to open the vault. */
        this.isBroken = false;
        this.text = null;
        this.value = (0, value_1.emptyValue)('en');
        this.listeners = new Set();
        this.pending = new Map();
        this.ticket = 0;
        /** Opens the vault; again with the same options changes nothing, with others opens it so. */
        this.open = (options = {}) => {
            const config = readOptions(options);
            if (!config)
                throw (0, refusal_1.refuse)('argumentWrong', this.value.language);
            const json = JSON.stringify(config);
            if (json === this.config)
                return;
            this.config = json;
            this.value = (0, value_1.emptyValue)(config.language);
            this.text = null;
            const native = (0, native_1.findNative)();
            if (native)
                this.isBroken = !attempt(() => native.open(json));
            if (this.listeners.size > 0)
                this.follow();
            this.look();
            this.tell();
        };
        /** Calls a listener after each change. All of them share one listener of native's. */
        this.subscribe = (listener) => {
            // One that was added twice is called twice, and removed twice.
            const own = () => listener();
            this.listeners.add(own);
            if (this.listeners.size === 1) {
                this.follow();
                this.look();
            }
            return () => {
                this.listeners.delete(own);
                if (this.listeners.size > 0)
                    return;
                this.subscription?.remove();
                this.subscription = undefined;
            };
        };
        /** The present value, the same object until it changes. */
        this.read = () => {
            if (!this.subscription)
                this.look();
            return this.value;
        };
        /**
         * Asks native for an action.
         *
         * One that is the same as one under way is that one: a second tap shows no second prompt. Ends within 10 s, not counting the
         * time in which a prompt asks the owner.
         */
        this.send = (action, secret) => {
            const written = writeAction(action, secret);
            if (!written)
                return this.refusal('argumentWrong');
            const { json, takesSecret } = written;
            return this.ask(secret, {
                key: json,
                takes: takesSecret ? 'vault' : undefined,
                start: (native, ticket, given) => native.send(ticket, json, given),
                stop: (native, ticket) => native.cancel(ticket),
                read: (given) => (given instanceof Uint8Array ? undefined : given),
            });
        };
        /** Asks native to keep an owner's secret, or to erase it where there is none to keep. */
        this.changeOwnerSecret = (json, takesSecret, secret) => this.ask(secret, {
            takes: takesSecret ? 'ownerSecret' : undefined,
            start: (native, _, given) => native.ownerSecret(json, given),
            read: (given) => (given instanceof Uint8Array ? undefined : given),
        });
        /** Asks native for an owner's secret; one that is the same as one under way is that one. Undefined for what is no text. */
        this.ownerText = (json) => this.ask(undefined, {
            key: json,
            start: (native) => native.ownerSecret(json, null),
            read: (given) => {
                if (!(given instanceof Uint8Array))
                    return undefined;
                const text = (0, secret_1.readUTF8)(given);
                given.fill(0);
                return { text };
            },
        });
        /** The same as bytes, which are the caller's own. */
        this.ownerBytes = (json) => this.ask(undefined, {
            start: (native) => native.ownerSecret(json, null),
            read: (given) => (given instanceof Uint8Array ? given : undefined),
        });
        /** Asks native for a derived key, which is the caller's own. */
        this.derivedKey = (label) => this.ask(undefined, {
            start: (native) => native.derivedKey(label),
            read: (given) => (given instanceof Uint8Array && given.length === 32 ? given : undefined),
        });
        /** A promise that was refused here. */
        this.refusal = (cause) => Promise.reject((0, refusal_1.refuse)(cause, this.value.language));
    }
    ask(secret, call) {
        const native = (0, native_1.findNative)();
        if (!native)
            return this.refusal('nativeMissing');
        if (this.config === undefined)
            return this.refusal('notOpened');
        const { key, takes } = call;
        const underWay = key === undefined ? undefined : this.pending.get(key);
        // The same call with another secret is another call: native answers it by itself.
        if (underWay && underWay.secret === secret)
            return underWay.promise;
        const taken = (0, secret_1.takeSecret)(secret, takes ?? 'vault');
        if ('cause' in taken)
            return this.refusal(taken.cause);
        if (!takes !== (taken.secret === null))
            return this.refusal(takes ? 'secretMissing' : 'secretUnexpected');
        const ticket = ++this.ticket;
        let started;
        try {
            started = Promise.resolve(call.start(native, ticket, taken.secret));
        }
        catch {
            // An older native half lacks the function.
            return this.refusal('nativeDiffers');
        }
        const promise = this.end(started, native, ticket, call);
        if (key === undefined)
            return promise;
        const entry = { secret, promise };
        const forget = () => {
            if (this.pending.get(key) === entry)
                this.pending.delete(key);
        };
        promise.then(forget, forget);
        this.pending.set(key, entry);
        return promise;
    }
    /** Waits for an answer, as long as there is someone to wait for; what comes later is not heard. */
    end(started, native, ticket, call) {
        return new Promise((resolve, reject) => {
            let idle = 0;
            let isOver = false;
            // By the second: time in which the app was frozen is none of native's.
            const wait = () => {
                idle = isAsking(native) ? 0 : idle + 1;
                if (idle < patience) {
                    timer = setTimeout(wait, 1000);
                    return;
                }
                isOver = true;
                reject((0, refusal_1.refuse)('noAnswer', this.value.language));
                attempt(() => call.stop?.(native, ticket));
            };
            let timer = setTimeout(wait, 1000);
            const answered = (given) => {
                clearTimeout(timer);
                if (given instanceof Uint8Array && isOver)
                    given.fill(0);
                const read = given instanceof Uint8Array ? { answer: given } : (0, value_1.readAnswer)(given);
                if (read && 'refusal' in read)
                    return reject(new refusal_1.VaultError(read.refusal));
                const result = read && call.read(read.answer);
                if (result === undefined)
                    reject((0, refusal_1.refuse)('nativeDiffers', this.value.language));
                else
                    resolve(result);
            };
            started.then(answered, () => {
                clearTimeout(timer);
                // What native throws may name what it was given.
                reject((0, refusal_1.refuse)('noAnswer', this.value.language));
            });
        });
    }
    follow() {
        const native = (0, native_1.findNative)();
        if (!native || this.config === undefined || this.subscription)
            return;
        attempt(() => {
            // The event says that the value is another; of two on their way the later may come first.
            this.subscription = native.addListener('onChange', () => {
                if (this.look())
                    this.tell();
            });
        });
    }
    /** Reads native's value; returns whether it is another. */
    look() {
        const native = (0, native_1.findNative)();
        if (!native)
            return this.show(this.value.fault ? this.value : this.faulted('nativeMissing'));
        if (this.config === undefined)
            return false;
        if (this.isBroken)
            return this.show(this.value.fault ? this.value : this.faulted('nativeDiffers'));
        let text = null;
        const isRead = attempt(() => (text = native.fields()));
        if (isRead && text === this.text)
            return false;
        this.text = text;
        if (isRead && text === null)
            return this.show((0, value_1.emptyValue)(this.value.language));
        const next = typeof text === 'string' ? (0, value_1.readValue)(text) : undefined;
        return this.show(next ? (0, value_1.share)(this.value, next) : this.faulted('nativeDiffers'));
    }
    show(next) {
        if (next === this.value)
            return false;
        this.value = next;
        return true;
    }
    faulted(cause) {
        const { language } = this.value;
        return (0, value_1.emptyValue)(language, (0, refusal_1.refuse)(cause, language));
    }
    tell() {
        for (const listener of [...this.listeners])
            listener();
    }
}
/** Whether the owner is asked now. A native half that can't say so is waited for. */
function isAsking(native) {
    if (typeof native.isAsking !== 'function')
        return true;
    let asks = false;
    attempt(() => (asks = native.isAsking() === true));
    return asks;
}
/** Calls native; returns whether it did not throw. */
function attempt(call) {
    try {
        call();
        return true;
    }
    catch {
        return false;
    }
}
/** Returns what native takes; undefined for what are no options. */
function readOptions(options) {
    if (!(0, value_1.isObject)(options))
        return undefined;
    const { language = 'en', policy = 'wallet', secret = { kind: 'pin' } } = options;
    if ((language !== 'en' && language !== 'fr') || (policy !== 'wallet' && policy !== 'pd107'))
        return undefined;
    if (!(0, value_1.isObject)(secret))
        return undefined;
    const { kind, length = null } = secret;
    const isLength = length === null || (kind === 'pin' && Number.isSafeInteger(length) && length > 0);
    if ((kind !== 'pin' && kind !== 'password') || !isLength)
        return undefined;
    return { language, policy, secret: { kind, length } };
}
/** Returns the one form of an action, members sorted by name; undefined for what is none. */
function writeAction(action, secret) {
    if (!(0, value_1.isObject)(action) || typeof action['screen'] !== 'string' || typeof action['name'] !== 'string')
        return undefined;
    const members = secret === undefined || secret === null ? action : { ...action, secret: taken };
    const sorted = {};
    for (const name of Object.keys(members).sort()) {
        const value = members[name];
        const isText = typeof value === 'string' && value.length <= maximumTextLength && (0, secret_1.isWellFormed)(value);
        // A secret that was put into the action by mistake goes no further.
        if ((!isText && typeof value !== 'boolean') || (name === 'secret' && value !== taken))
            return undefined;
        sorted[name] = value;
    }
    return { json: JSON.stringify(sorted), takesSecret: 'secret' in sorted };
}
/** The most UTF-16 units of a text in an action. */
const maximumTextLength = 1024;
/** The value of an action's member `secret`: one goes beside it. */
const taken = 'taken';
/** The app's vault. */
exports.vault = new Vault();
