import { Language, Refusal, VaultError, readRefusal } from './refusal';
import { GivenSecret } from './secret';

/** Something that a screen can be asked for; `secret: "taken"` says that a secret goes beside it. */
export interface Action {
  readonly screen: string;
  readonly name: string;
  readonly [member: string]: string | boolean;
}

/** What a screen offers now, and the label of its button. What the owner has to type is empty in the action. */
export interface Offer {
  readonly action: Action;
  readonly label: string;
}

/** What a screen shows: the members that every screen has, and its own. */
export interface ScreenFields {
  readonly title?: string | null;
  readonly texts?: readonly string[];
  readonly offers?: readonly Offer[];
  readonly error?: Refusal | null;
  readonly [member: string]: unknown;
}

/** All that a vault's screens show. */
export interface Value {
  readonly language: Language;
  /** What the owner types to confirm: `olderCopy` and `reset`. */
  readonly phrases: Readonly<Record<string, string>>;
  readonly screens: Readonly<Record<string, ScreenFields | null>>;
  readonly secret: { readonly kind: 'pin' | 'password'; readonly length: number | null };
  /** Why native shows nothing; undefined where it does. */
  readonly fault: VaultError | undefined;
}

/** What is shown before native says anything, and instead of what can't be read. */
export function emptyValue(language: Language, fault?: VaultError): Value {
  return { language, phrases: {}, screens: {}, secret: { kind: 'pin', length: null }, fault };
}

/** Reads native's value; undefined for what is none. Members that an older native half lacks are empty. */
export function readValue(text: string): Value | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(json) || !isObject(json['screens'])) return undefined;
  const { language, phrases, screens, secret } = json;
  for (const name of Object.keys(screens)) if (!isObject(screens[name])) screens[name] = null;
  const { kind, length } = isObject(secret) ? secret : { kind: 'pin', length: null };
  return {
    language: language === 'fr' ? 'fr' : 'en',
    phrases: isObject(phrases) ? (phrases as Record<string, string>) : {},
    screens: screens as Record<string, ScreenFields | null>,
    secret: { kind: kind === 'password' ? 'password' : 'pin', length: typeof length === 'number' ? length : null },
    fault: undefined,
  };
}

/** What native answered besides its refusal; `secret` is what was asked for, for `<SecretText>`. */
export type Answer = Readonly<Record<string, unknown>> & { readonly secret?: GivenSecret };

/** Reads an answer: its members, or its refusal; undefined for what is no answer, such as a bare yes. */
export function readAnswer(text: unknown): { answer: Answer } | { refusal: Refusal } | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text as string);
  } catch {
    return undefined;
  }
  if (!isObject(json) || !('error' in json)) return undefined;
  // No JSON has a secret: native has its number.
  const { error, given, secret: _, ...answer } = json;
  if (error === null) return { answer: Number.isSafeInteger(given) ? { ...answer, secret: GivenSecret.of(given as number) } : answer };
  const refusal = readRefusal(error);
  return refusal && { refusal };
}

/** Returns `next` with every part that is equal to one of `former` replaced by that one, so that equal parts are identical. */
export function share<T>(former: unknown, next: T): T {
  if (Object.is(former, next)) return next;
  if (Array.isArray(former) && Array.isArray(next)) {
    let isSame = former.length === next.length;
    for (let index = 0; index < next.length; index++) {
      next[index] = share(former[index], next[index]);
      isSame = isSame && next[index] === former[index];
    }
    return isSame ? (former as unknown as T) : next;
  }
  if (!isObject(former) || !isObject(next) || Array.isArray(former) || Array.isArray(next)) return next;
  const names = Object.keys(next);
  let isSame = names.length === Object.keys(former).length;
  for (const name of names) {
    const part = share(former[name], next[name]);
    (next as Record<string, unknown>)[name] = part;
    isSame = isSame && part === former[name];
  }
  return isSame ? (former as T) : next;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
