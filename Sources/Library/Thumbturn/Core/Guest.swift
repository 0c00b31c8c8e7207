import ThumbturnCrypto

/// What a feature contributes to an unlock.
///
/// The core calls its guests without naming any of them.
struct Guest: Sendable {
    /// Opens a vault that has no PIN slot yet; returns nil when that does not apply.
    var opensWithoutSlot:
        (
            @Sendable (isolated Vault, borrowing SecretBytes, UnlockAttempt, inout Turn) async throws(VaultError)
                -> StrongAuthorization?
        )?
    /// Runs with the PIN or password that just opened this slot.
    ///
    /// Throws only what must end the unlock, such as a lock in the meantime.
    var afterSecret:
        (
            @Sendable (isolated Vault, borrowing SecretBytes, SlotRecord, borrowing Turn) async throws(VaultError) ->
                Void
        )?
    /// Runs after the PIN or the account's password opened this slot; cannot fail the unlock.
    var afterStrong: (@Sendable (isolated Vault, SlotRecord, borrowing Turn) async -> Void)?
    /// Runs in the session that a slot of any kind just opened; cannot fail the unlock.
    var afterUnlock: (@Sendable (isolated Vault, borrowing Turn) async -> Void)?
    /// Runs after the strong factor put another policy into force; cannot fail that change.
    var afterPolicy: (@Sendable (isolated Vault, borrowing Turn) async -> Void)?
}
