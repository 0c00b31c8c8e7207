import { ReactElement, ReactNode } from 'react';
import { StyleProp, ViewStyle } from 'react-native';
import { GivenSecret, SecretEntry, SecretUse } from './secret';
/** What a `<SecretField>` takes. */
export interface SecretFieldProps {
    /** What was typed; null when the field is empty. */
    readonly onEntry: (entry: SecretEntry | null) => void;
    /** Digits, or a text; a PIN if it is not named. */
    readonly kind?: 'pin' | 'password';
    /** What it is for: the vault if it is not named. Native takes what was typed for nothing else. */
    readonly use?: SecretUse;
    readonly style?: StyleProp<ViewStyle>;
    readonly testID?: string;
}
/**
 * Takes a PIN, a password or a key: native masks and keeps what is typed, and wipes it when the field goes or the app is left.
 *
 * Without the native part it shows nothing.
 */
export declare function SecretField({ onEntry, kind, use, ...others }: SecretFieldProps): ReactElement | null;
/** What a `<SecretText>` takes. */
export interface SecretTextProps {
    /** What an action gave, such as `export` of `wallets`. */
    readonly secret: GivenSecret | null | undefined;
    readonly style?: StyleProp<ViewStyle>;
    readonly testID?: string;
}
/**
 * Shows a secret that an action gave: natively, so that it never is in JavaScript's memory or in the tree of components.
 *
 * Once: native wipes it when the view goes or the app is left, and shows nothing while the screen is recorded. Without the native
 * part it shows nothing.
 */
export declare function SecretText({ secret, ...others }: SecretTextProps): ReactElement | null;
/** What a `<VaultCover>` takes. */
export interface VaultCoverProps {
    readonly children?: ReactNode;
    readonly style?: StyleProp<ViewStyle>;
}
/**
 * Covers what is in it while the app is not in front, before the system takes its picture: put the app's content into it.
 *
 * Without the native part there is no vault, and so nothing to cover: it shows its children.
 */
export declare function VaultCover({ children, ...others }: VaultCoverProps): ReactElement;
