import { Cause, Language } from './refusal';
import { Secret } from './secret';
import { Action, Answer, Value } from './value';
/** How the app wants its vault. */
export interface VaultOptions {
    /** The language of all texts; English if it is not named. */
    readonly language?: Language;
    /** The rules of a new vault; one that exists has its own. `wallet` if it is not named. */
    readonly policy?: 'wallet' | 'pd107';
    /** What the owner types; a PIN of any length if it is not named. */
    readonly secret?: {
        readonly kind: 'pin' | 'password';
        readonly length?: number;
    };
}
/** The app's vault as JavaScript sees it: native's value, and actions on their way. It decides nothing. */
declare class Vault {
    private config;
    /** Whether native refused to open the vault. */
    private isBroken;
    private text;
    private value;
    private subscription;
    private readonly listeners;
    private readonly pending;
    private ticket;
    /** Opens the vault; again with the same options changes nothing, with others opens it so. */
    readonly open: (options?: VaultOptions) => void;
    /** Calls a listener after each change. All of them share one listener of native's. */
    readonly subscribe: (listener: () => void) => (() => void);
    /** The present value, the same object until it changes. */
    readonly read: () => Value;
    /**
     * Asks native for an action.
     *
     * One that is the same as one under way is that one: a second tap shows no second prompt. Ends within 10 s, not counting the
     * time in which a prompt asks the owner.
     */
    readonly send: (action: Action, secret?: Secret) => Promise<Answer>;
    /** Asks native to keep an owner's secret, or to erase it where there is none to keep. */
    readonly changeOwnerSecret: (json: string, takesSecret: boolean, secret?: Secret | Uint8Array) => Promise<Answer>;
    /** Asks native for an owner's secret; one that is the same as one under way is that one. Undefined for what is no text. */
    readonly ownerText: (json: string) => Promise<{
        readonly text: string | undefined;
    }>;
    /** The same as bytes, which are the caller's own. */
    readonly ownerBytes: (json: string) => Promise<Uint8Array>;
    /** Asks native for a derived key, which is the caller's own. */
    readonly derivedKey: (label: string) => Promise<Uint8Array>;
    /** A promise that was refused here. */
    readonly refusal: (cause: Cause) => Promise<never>;
    private ask;
    /** Waits for an answer, as long as there is someone to wait for; what comes later is not heard. */
    private end;
    private follow;
    /** Reads native's value; returns whether it is another. */
    private look;
    private show;
    private faulted;
    private tell;
}
/** The app's vault. */
export declare const vault: Vault;
export {};
