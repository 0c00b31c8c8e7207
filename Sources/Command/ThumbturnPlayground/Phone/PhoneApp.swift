import Thumbturn
import ThumbturnCrypto
import ThumbturnHost
import ThumbturnUI

/// The app on the phone: a hosted app, and the vault that the page looks into.
@MainActor protocol PhoneApp: HostedApp {
    /// The vault; nil before it is found or made, and after it was erased.
    var vault: Vault? { get }

    /// Unlocks with the PIN, or with the account's password.
    ///
    /// - Throws: `.vaultMissing` without a vault, and whatever the unlock throws.
    func authorization(with secret: HeldSecret) async throws(VaultError) -> StrongAuthorization
}

extension HostedVault: PhoneApp {
    var vault: Vault? { model.vault }

    func authorization(with secret: HeldSecret) async throws(VaultError) -> StrongAuthorization {
        guard let vault else { throw VaultError(.vaultMissing) }
        return try await vault.unlock(with: secret.bytes)
    }
}
