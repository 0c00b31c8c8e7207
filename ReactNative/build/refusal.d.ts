/** The languages of messages. */
export declare type Language = 'en' | 'fr';
/** Why a call was refused. */
export interface Refusal {
    /** Such as `ERR-107-031` of the catalogue, or `NATIVE_MISSING` for a fault of the app: never another meaning. */
    readonly code: string;
    /** What happened, in one sentence of the app's language. */
    readonly message: string;
    /** Whether the owner can go on here and now. */
    readonly recoverable: boolean;
    /** What the owner can do, in one sentence. */
    readonly hint?: string;
}
/** What every promise of this package rejects with. */
export declare class VaultError extends Error implements Refusal {
    readonly code: string;
    readonly recoverable: boolean;
    readonly hint?: string;
    constructor(refusal: Refusal);
}
/** What this package has to say itself: before native is asked, or without it. */
export declare type Cause = keyof typeof causes;
declare const causes: {
    readonly nativeMissing: {
        readonly code: "NATIVE_MISSING";
        readonly recoverable: false;
        readonly en: "The native part of Thumbturn is not in this app: Expo Go has none, make a development build.";
        readonly fr: "La partie native de Thumbturn n'est pas dans cette app : Expo Go n'en a pas, faites un build de développement.";
    };
    readonly nativeDiffers: {
        readonly code: "NATIVE_DIFFERS";
        readonly recoverable: false;
        readonly en: "The native part of Thumbturn in this app is of another version: build the app again.";
        readonly fr: "La partie native de Thumbturn dans cette app est d'une autre version : reconstruisez l'app.";
    };
    readonly notOpened: {
        readonly code: "NOT_OPENED";
        readonly recoverable: false;
        readonly en: "The app has not opened the vault: it has to call openVault first.";
        readonly fr: "L'app n'a pas ouvert le coffre : elle doit d'abord appeler openVault.";
    };
    readonly noAnswer: {
        readonly code: "NO_ANSWER";
        readonly recoverable: true;
        readonly en: "The vault did not answer.";
        readonly fr: "Le coffre n'a pas répondu.";
    };
    readonly argumentWrong: {
        readonly code: "ARGUMENT_WRONG";
        readonly recoverable: false;
        readonly en: "An argument of this call is wrong.";
        readonly fr: "Un argument de cet appel est faux.";
    };
    readonly reasonWrong: {
        readonly code: "REASON_WRONG";
        readonly recoverable: false;
        readonly en: "A reason is words: the PIN or password goes second.";
        readonly fr: "Un motif est fait de mots : le code ou mot de passe vient en second.";
    };
    readonly secretMissing: {
        readonly code: "SECRET_MISSING";
        readonly recoverable: false;
        readonly en: "The action takes a secret, and none came.";
        readonly fr: "L'action demande un secret, et aucun n'est venu.";
    };
    readonly secretUnexpected: {
        readonly code: "SECRET_UNEXPECTED";
        readonly recoverable: false;
        readonly en: "The action takes no secret.";
        readonly fr: "L'action ne prend pas de secret.";
    };
    readonly notText: {
        readonly code: "ERR-TT-307";
        readonly recoverable: true;
        readonly en: "This PIN or password is too long, contains a control character or is not text.";
        readonly fr: "Ce code ou mot de passe est trop long, contient un caractère de contrôle ou n'est pas du texte.";
    };
};
/** Makes the error for a cause of our own. */
export declare function refuse(cause: Cause, language: Language): VaultError;
/** Reads a refusal as native writes it; undefined for anything else. */
export declare function readRefusal(json: unknown): Refusal | undefined;
export {};
