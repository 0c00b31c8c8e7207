/**
 * Lends a key of 32 bytes for the app's own store, derived from the open vault's master key; wiped when `body` ends.
 *
 * Each label has its own key, and none opens anything of the vault. It is the same after a new PIN and in a restored backup; a
 * reset makes what was sealed with it unreadable. Seal with an authenticated cipher, natively, and never keep the key: what
 * JavaScript copied of it, such as a text in hexadecimal, is not wiped.
 *
 * @param label names the purpose: 1 to 64 printable ASCII characters, such as `com.example.wallet/settings`, always the same.
 * @throws VaultError `ERR-TT-104` while the vault is locked, `ERR-TT-106` where it only exports; or what `body` throws.
 */
export declare function withDerivedKey<Result>(label: string, body: (key: Uint8Array) => Result | Promise<Result>): Promise<Result>;
