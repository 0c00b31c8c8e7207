import { Language, Refusal, VaultError } from './refusal';
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
    readonly secret: {
        readonly kind: 'pin' | 'password';
        readonly length: number | null;
    };
    /** Why native shows nothing; undefined where it does. */
    readonly fault: VaultError | undefined;
}
/** What is shown before native says anything, and instead of what can't be read. */
export declare function emptyValue(language: Language, fault?: VaultError): Value;
/** Reads native's value; undefined for what is none. Members that an older native half lacks are empty. */
export declare function readValue(text: string): Value | undefined;
/** What native answered besides its refusal; `secret` is what was asked for, for `<SecretText>`. */
export declare type Answer = Readonly<Record<string, unknown>> & {
    readonly secret?: GivenSecret;
};
/** Reads an answer: its members, or its refusal; undefined for what is no answer, such as a bare yes. */
export declare function readAnswer(text: unknown): {
    answer: Answer;
} | {
    refusal: Refusal;
} | undefined;
/** Returns `next` with every part that is equal to one of `former` replaced by that one, so that equal parts are identical. */
export declare function share<T>(former: unknown, next: T): T;
export declare function isObject(value: unknown): value is Record<string, unknown>;
