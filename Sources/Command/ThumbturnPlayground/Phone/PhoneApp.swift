import Thumbturn
import ThumbturnCrypto
import ThumbturnHost
import ThumbturnUI

/// The app on the phone: a hosted app, and the vault that the page looks into.
@MainActor protocol PhoneApp: HostedApp {
    /// Unlocks with the PIN, or with the account's password.
    ///
    /// - Throws: `.vaultMissing` without a vault, and whatever the unlock throws.
    func authorization(with secret: HeldSecret) async throws(VaultError) -> StrongAuthorization
}

extension HostedVault: PhoneApp {
    func authorization(with secret: HeldSecret) async throws(VaultError) -> StrongAuthorization {
        guard let vault = core else { throw VaultError(.vaultMissing) }
        return try await vault.unlock(with: secret.bytes)
    }
}
