import { Refusal } from './refusal';
import { Secret } from './secret';
import { Action, Answer, ScreenFields, Value } from './value';
/** An action of one screen: the name alone, or with further members; what `offers` have fits as it is. */
export declare type ScreenAction = string | (Omit<Action, 'screen'> & {
    readonly name: string;
    readonly [member: string]: string | boolean;
});
/** One screen as native shows it, and its actions. */
export interface UseScreenResult<Fields extends ScreenFields = ScreenFields> {
    /** What the screen shows; null while there is nothing to show. */
    readonly fields: Fields | null;
    /** Why there will be nothing. */
    readonly error?: Refusal;
    /** Asks for an action. Rejects with a `VaultError`. Keeps its identity. */
    readonly send: (action: ScreenAction, secret?: Secret) => Promise<Answer>;
}
/**
 * Follows any screen: `app`, `onboarding`, `unlock`, `recover`, `biometrics`, `system`, `pin`, `recoveryKey`, `words`, `backup`,
 * `trail` or `wallets`.
 *
 * A generic view draws `title`, `texts` and a button for each of `offers`.
 */
export declare function useScreen<Fields extends ScreenFields = ScreenFields>(name: string): UseScreenResult<Fields>;
/** All that the vault's screens show: for an app that draws them itself. Renders at each change. */
export declare function useVault(): Value & {
    readonly send: (action: Action, secret?: Secret) => Promise<Answer>;
};
