public import Thumbturn
public import ThumbturnAccount
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules
public import ThumbturnUI

// The screens behind the settings of an account's vault: the password goes to the service, everything else to the vault.
extension AccountVault: WordsVault, RecoveryKeyVault, BackupVault, TrailVault {
    /// Throws: an account's password opens this vault, never the device's own prompt alone.
    public func unlockWithSystem(_ prompt: PromptText) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.systemModeOff)
    }

    /// Returns a wallet's words as its owner writes them down.
    public func exportWords(
        of wallet: Identifier,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) -> SecretBytes {
        try await vault.exportWords(of: wallet, authorization)
    }

    /// Makes a recovery key, which becomes valid once `confirmRecoveryKey` has received it.
    public func makeRecoveryKey(_ authorization: consuming StrongAuthorization) async throws(VaultError) -> SecretBytes
    {
        try await vault.makeRecoveryKey(authorization)
    }

    /// Confirms the recovery key, as its owner typed it back.
    public func confirmRecoveryKey(
        _ typed: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await vault.confirmRecoveryKey(typed, authorization)
    }

    /// Writes a backup to a file that does not exist yet.
    public func backUp(
        to path: String,
        _ authorization: consuming StrongAuthorization,
        progress: @Sendable (WorkProgress) -> Void
    ) async throws(VaultError) {
        try await vault.backUp(to: path, authorization, progress: progress)
    }

    /// Returns when a backup of the present wallets was made; nil for none, or one that is older.
    public func backupDate() async -> Milliseconds? { await vault.backupDate() }

    /// Returns events of the trail, the newest first.
    public func trailPage(before end: UInt64?, limit: Int) async throws(VaultError) -> TrailPage {
        try await vault.trailPage(before: end, limit: limit)
    }
}
