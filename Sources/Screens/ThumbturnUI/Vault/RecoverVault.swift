public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnRules

/// The calls that a `RecoverModel` needs as well.
public protocol RecoverVault: ScreenVault {
    /// Unlocks with the recovery key.
    ///
    /// - Throws: as `Vault.unlock(withRecoveryKey:)`.
    func unlock(withRecoveryKey typed: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization

    /// Opens the vault with its recovery key, and sets a new PIN or password.
    ///
    /// - Throws: as `Vault.recover(with:newSecret:)`.
    func recover(
        with key: borrowing SecretBytes,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization

    /// Accepts a restored older copy as the vault.
    ///
    /// - Throws: as `Vault.acceptOlderCopy(_:_:)`.
    func acceptOlderCopy(
        _ confirmation: OlderCopyConfirmation,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError)
}

extension Vault: RecoverVault {}

// For a preview: opens nothing.
extension SnapshotVault: RecoverVault {
    func unlock(withRecoveryKey typed: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.locked)
    }

    func recover(
        with key: borrowing SecretBytes,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.locked)
    }
}
