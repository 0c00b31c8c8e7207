/** The languages of messages. */
export type Language = 'en' | 'fr';

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
export class VaultError extends Error implements Refusal {
  readonly code: string;
  readonly recoverable: boolean;
  readonly hint?: string;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'VaultError';
    this.code = refusal.code;
    this.recoverable = refusal.recoverable;
    if (refusal.hint !== undefined) this.hint = refusal.hint;
  }
}

/** What this package has to say itself: before native is asked, or without it. */
export type Cause = keyof typeof causes;

const causes = {
  nativeMissing: {
    code: 'NATIVE_MISSING',
    recoverable: false,
    en: 'The native part of Thumbturn is not in this app: Expo Go has none, make a development build.',
    fr: "La partie native de Thumbturn n'est pas dans cette app : Expo Go n'en a pas, faites un build de développement.",
  },
  nativeDiffers: {
    code: 'NATIVE_DIFFERS',
    recoverable: false,
    en: 'The native part of Thumbturn in this app is of another version: build the app again.',
    fr: "La partie native de Thumbturn dans cette app est d'une autre version : reconstruisez l'app.",
  },
  notOpened: {
    code: 'NOT_OPENED',
    recoverable: false,
    en: 'The app has not opened the vault: it has to call openVault first.',
    fr: "L'app n'a pas ouvert le coffre : elle doit d'abord appeler openVault.",
  },
  noAnswer: { code: 'NO_ANSWER', recoverable: true, en: 'The vault did not answer.', fr: "Le coffre n'a pas répondu." },
  argumentWrong: {
    code: 'ARGUMENT_WRONG',
    recoverable: false,
    en: 'An argument of this call is wrong.',
    fr: 'Un argument de cet appel est faux.',
  },
  reasonWrong: {
    code: 'REASON_WRONG',
    recoverable: false,
    en: 'A reason is words: the PIN or password goes second.',
    fr: 'Un motif est fait de mots : le code ou mot de passe vient en second.',
  },
  // The three below are native's own words, for what is refused before it is asked.
  secretMissing: {
    code: 'SECRET_MISSING',
    recoverable: false,
    en: 'The action takes a secret, and none came.',
    fr: "L'action demande un secret, et aucun n'est venu.",
  },
  secretUnexpected: {
    code: 'SECRET_UNEXPECTED',
    recoverable: false,
    en: 'The action takes no secret.',
    fr: "L'action ne prend pas de secret.",
  },
  notText: {
    code: 'ERR-TT-307',
    recoverable: true,
    en: 'This PIN or password is too long, contains a control character or is not text.',
    fr: "Ce code ou mot de passe est trop long, contient un caractère de contrôle ou n'est pas du texte.",
  },
} as const;

/** Makes the error for a cause of our own. */
export function refuse(cause: Cause, language: Language): VaultError {
  const { code, recoverable, [language]: message } = causes[cause];
  return new VaultError({ code, message, recoverable });
}

/** Reads a refusal as native writes it; undefined for anything else. */
export function readRefusal(json: unknown): Refusal | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { code, message, recoverable, hint } = json as Partial<Refusal>;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { code, message, recoverable: recoverable === true, ...(typeof hint === 'string' && { hint }) };
}
