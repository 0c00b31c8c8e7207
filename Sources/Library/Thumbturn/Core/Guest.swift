import ThumbturnCrypto

/// What a feature does where an unlock comes by.
///
/// The core calls its guests, and knows none by name.
struct Guest: Sendable {
    /// Opens a vault that has no slot for a PIN yet; nil where that is not its case.
    var opensWithoutSlot:
        (
            @Sendable (isolated Vault, borrowing SecretBytes, UnlockAttempt) async throws(VaultError)
                -> StrongAuthorization?
        )?
    /// Goes on with the PIN or password that has just opened this slot.
    ///
    /// It throws only what ends the unlock, such as a lock that came meanwhile.
    var afterSecret: (@Sendable (isolated Vault, borrowing SecretBytes, SlotRecord) async throws(VaultError) -> Void)?
    /// Goes on once the PIN, or the account's password, has just opened this slot; it can't fail the unlock.
    var afterStrong: (@Sendable (isolated Vault, SlotRecord) async -> Void)?
    /// Goes on in the session that any slot has just opened; it can't fail the unlock.
    var afterUnlock: (@Sendable (isolated Vault) async -> Void)?
    /// Goes on once the strong factor has made another policy count; it can't fail that.
    var afterPolicy: (@Sendable (isolated Vault) async -> Void)?
}
