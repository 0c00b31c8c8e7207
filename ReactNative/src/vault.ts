import { NativeVault, Subscription, findNative } from './native';
import { Cause, Language, VaultError, refuse } from './refusal';
import { NativeSecret, Secret, SecretUse, isWellFormed, readUTF8, takeSecret } from './secret';
import { Action, Answer, Value, emptyValue, isObject, readAnswer, readValue, share } from './value';

/** How the app wants its vault. */
export interface VaultOptions {
  /** The language of all texts; English if it is not named. */
  readonly language?: Language;
  /** The rules of a new vault; one that exists has its own. `wallet` if it is not named. */
  readonly policy?: 'wallet' | 'pd107';
  /** What the owner types; a PIN of any length if it is not named. */
  readonly secret?: { readonly kind: 'pin' | 'password'; readonly length?: number };
}

/** In seconds: how long native may take where nobody is asked. */
const patience = 10;

/** The app's vault as JavaScript sees it: native's value, and actions on their way. It decides nothing. */
class Vault {
  private config: string | undefined;
  /** Whether native refused to open the vault. */
  private isBroken = false;
  private text: string | null = null;
  private value: Value = emptyValue('en');
  private subscription: Subscription | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly pending = new Map<string, { readonly secret: unknown; readonly promise: Promise<unknown> }>();
  private ticket = 0;

  /** Opens the vault; again with the same options changes nothing, with others opens it so. */
  readonly open = (options: VaultOptions = {}): void => {
    const config = readOptions(options);
    if (!config) throw refuse('argumentWrong', this.value.language);
    const json = JSON.stringify(config);
    if (json === this.config) return;
    this.config = json;
    this.value = emptyValue(config.language);
    this.text = null;
    const native = findNative();
    if (native) this.isBroken = !attempt(() => native.open(json));
    if (this.listeners.size > 0) this.follow();
    this.look();
    this.tell();
  };

  /** Calls a listener after each change. All of them share one listener of native's. */
  readonly subscribe = (listener: () => void): (() => void) => {
    // One that was added twice is called twice, and removed twice.
    const own = (): void => listener();
    this.listeners.add(own);
    if (this.listeners.size === 1) {
      this.follow();
      this.look();
    }
    return () => {
      this.listeners.delete(own);
      if (this.listeners.size > 0) return;
      this.subscription?.remove();
      this.subscription = undefined;
    };
  };

  /** The present value, the same object until it changes. */
  readonly read = (): Value => {
    if (!this.subscription) this.look();
    return this.value;
  };

  /**
   * Asks native for an action.
   *
   * One that is the same as one under way is that one: a second tap shows no second prompt. Ends within 10 s, not counting the
   * time in which a prompt asks the owner.
   */
  readonly send = (action: Action, secret?: Secret): Promise<Answer> => {
    const written = writeAction(action, secret);
    if (!written) return this.refusal('argumentWrong');
    const { json, takesSecret } = written;
    return this.ask(secret, {
      key: json,
      takes: takesSecret ? 'vault' : undefined,
      start: (native, ticket, given) => native.send(ticket, json, given as string | number | null),
      stop: (native, ticket) => native.cancel(ticket),
      read: (given) => (given instanceof Uint8Array ? undefined : given),
    });
  };

  /** Asks native to keep an owner's secret, or to erase it where there is none to keep. */
  readonly changeOwnerSecret = (json: string, takesSecret: boolean, secret?: Secret | Uint8Array): Promise<Answer> =>
    this.ask(secret, {
      takes: takesSecret ? 'ownerSecret' : undefined,
      start: (native, _, given) => native.ownerSecret(json, given),
      read: (given) => (given instanceof Uint8Array ? undefined : given),
    });

  /** Asks native for an owner's secret; one that is the same as one under way is that one. Undefined for what is no text. */
  readonly ownerText = (json: string): Promise<{ readonly text: string | undefined }> =>
    this.ask(undefined, {
      key: json,
      start: (native) => native.ownerSecret(json, null),
      read: (given) => {
        if (!(given instanceof Uint8Array)) return undefined;
        const text = readUTF8(given);
        given.fill(0);
        return { text };
      },
    });

  /** The same as bytes, which are the caller's own. */
  readonly ownerBytes = (json: string): Promise<Uint8Array> =>
    this.ask(undefined, {
      start: (native) => native.ownerSecret(json, null),
      read: (given) => (given instanceof Uint8Array ? given : undefined),
    });

  /** Asks native for a derived key, which is the caller's own. */
  readonly derivedKey = (label: string): Promise<Uint8Array> =>
    this.ask(undefined, {
      start: (native) => native.derivedKey(label),
      read: (given) => (given instanceof Uint8Array && given.length === 32 ? given : undefined),
    });

  /** A promise that was refused here. */
  readonly refusal = (cause: Cause): Promise<never> => Promise.reject(refuse(cause, this.value.language));

  private ask<Result>(secret: unknown, call: Call<Result>): Promise<Result> {
    const native = findNative();
    if (!native) return this.refusal('nativeMissing');
    if (this.config === undefined) return this.refusal('notOpened');
    const { key, takes } = call;
    const underWay = key === undefined ? undefined : this.pending.get(key);
    // The same call with another secret is another call: native answers it by itself.
    if (underWay && underWay.secret === secret) return underWay.promise as Promise<Result>;
    const taken = takeSecret(secret, takes ?? 'vault');
    if ('cause' in taken) return this.refusal(taken.cause);
    if (!takes !== (taken.secret === null)) return this.refusal(takes ? 'secretMissing' : 'secretUnexpected');
    const ticket = ++this.ticket;
    let started: Promise<unknown>;
    try {
      started = Promise.resolve(call.start(native, ticket, taken.secret));
    } catch {
      // An older native half lacks the function.
      return this.refusal('nativeDiffers');
    }
    const promise = this.end(started, native, ticket, call);
    if (key === undefined) return promise;
    const entry = { secret, promise };
    const forget = (): void => {
      if (this.pending.get(key) === entry) this.pending.delete(key);
    };
    promise.then(forget, forget);
    this.pending.set(key, entry);
    return promise;
  }

  /** Waits for an answer, as long as there is someone to wait for; what comes later is not heard. */
  private end<Result>(started: Promise<unknown>, native: NativeVault, ticket: number, call: Call<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      let idle = 0;
      let isOver = false;
      // By the second: time in which the app was frozen is none of native's.
      const wait = (): void => {
        idle = isAsking(native) ? 0 : idle + 1;
        if (idle < patience) {
          timer = setTimeout(wait, 1000);
          return;
        }
        isOver = true;
        reject(refuse('noAnswer', this.value.language));
        attempt(() => call.stop?.(native, ticket));
      };
      let timer = setTimeout(wait, 1000);
      const answered = (given: unknown): void => {
        clearTimeout(timer);
        if (given instanceof Uint8Array && isOver) given.fill(0);
        const read = given instanceof Uint8Array ? { answer: given } : readAnswer(given);
        if (read && 'refusal' in read) return reject(new VaultError(read.refusal));
        const result = read && call.read(read.answer);
        if (result === undefined) reject(refuse('nativeDiffers', this.value.language));
        else resolve(result);
      };
      started.then(answered, () => {
        clearTimeout(timer);
        // What native throws may name what it was given.
        reject(refuse('noAnswer', this.value.language));
      });
    });
  }

  private follow(): void {
    const native = findNative();
    if (!native || this.config === undefined || this.subscription) return;
    attempt(() => {
      // The event says that the value is another; of two on their way the later may come first.
      this.subscription = native.addListener('onChange', () => {
        if (this.look()) this.tell();
      });
    });
  }

  /** Reads native's value; returns whether it is another. */
  private look(): boolean {
    const native = findNative();
    if (!native) return this.show(this.value.fault ? this.value : this.faulted('nativeMissing'));
    if (this.config === undefined) return false;
    if (this.isBroken) return this.show(this.value.fault ? this.value : this.faulted('nativeDiffers'));
    let text: string | null = null;
    const isRead = attempt(() => (text = native.fields()));
    if (isRead && text === this.text) return false;
    this.text = text;
    if (isRead && text === null) return this.show(emptyValue(this.value.language));
    const next = typeof text === 'string' ? readValue(text) : undefined;
    return this.show(next ? share(this.value, next) : this.faulted('nativeDiffers'));
  }

  private show(next: Value): boolean {
    if (next === this.value) return false;
    this.value = next;
    return true;
  }

  private faulted(cause: Cause): Value {
    const { language } = this.value;
    return emptyValue(language, refuse(cause, language));
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

interface Call<Result> {
  /** The same for calls that are one, such as two taps; undefined for one that is never another. */
  readonly key?: string;
  /** What the field of its secret is for; undefined where it takes none. */
  readonly takes?: SecretUse;
  start(native: NativeVault, ticket: number, secret: NativeSecret): Promise<unknown>;
  stop?(native: NativeVault, ticket: number): void;
  /** What native gave without a refusal; undefined for what is no answer to this call. */
  read(given: Answer | Uint8Array): Result | undefined;
}

/** Whether the owner is asked now. A native half that can't say so is waited for. */
function isAsking(native: NativeVault): boolean {
  if (typeof native.isAsking !== 'function') return true;
  let asks = false;
  attempt(() => (asks = native.isAsking() === true));
  return asks;
}

/** Calls native; returns whether it did not throw. */
function attempt(call: () => void): boolean {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}

/** Returns what native takes; undefined for what are no options. */
function readOptions(options: unknown): { language: Language; policy: string; secret: object } | undefined {
  if (!isObject(options)) return undefined;
  const { language = 'en', policy = 'wallet', secret = { kind: 'pin' } } = options;
  if ((language !== 'en' && language !== 'fr') || (policy !== 'wallet' && policy !== 'pd107')) return undefined;
  if (!isObject(secret)) return undefined;
  const { kind, length = null } = secret;
  const isLength = length === null || (kind === 'pin' && Number.isSafeInteger(length) && (length as number) > 0);
  if ((kind !== 'pin' && kind !== 'password') || !isLength) return undefined;
  return { language, policy, secret: { kind, length } };
}

/** Returns the one form of an action, members sorted by name; undefined for what is none. */
function writeAction(action: unknown, secret: unknown): { json: string; takesSecret: boolean } | undefined {
  if (!isObject(action) || typeof action['screen'] !== 'string' || typeof action['name'] !== 'string') return undefined;
  const members: Record<string, unknown> = secret === undefined || secret === null ? action : { ...action, secret: taken };
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(members).sort()) {
    const value = members[name];
    const isText = typeof value === 'string' && value.length <= maximumTextLength && isWellFormed(value);
    // A secret that was put into the action by mistake goes no further.
    if ((!isText && typeof value !== 'boolean') || (name === 'secret' && value !== taken)) return undefined;
    sorted[name] = value;
  }
  return { json: JSON.stringify(sorted), takesSecret: 'secret' in sorted };
}

/** The most UTF-16 units of a text in an action. */
const maximumTextLength = 1024;

/** The value of an action's member `secret`: one goes beside it. */
const taken = 'taken';

/** The app's vault. */
export const vault = new Vault();
