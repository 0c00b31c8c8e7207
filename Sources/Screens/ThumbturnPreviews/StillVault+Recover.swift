public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnRules
public import ThumbturnUI

extension StillVault: RecoverVault {
    /// Refuses.
    public func unlock(withRecoveryKey typed: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(refusal)
    }

    /// Refuses.
    public func recover(
        with key: borrowing SecretBytes,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(refusal)
    }
}
