package import Thumbturn
import ThumbturnCrypto

/// Somebody who is about to do something with a scene: a process, or a task within one.
package final class Party: @unchecked Sendable {
    // Safe to share: whoever made it hands it to one task.
    package let scene: CrashScene
    private var opened: Vault?
    private var authorization: StrongAuthorization?
    private var wallets: [WalletSummary] = []

    /// - Parameter vault: the vault of this process, where it was opened before.
    package init(in scene: CrashScene, with vault: Vault? = nil) {
        self.scene = scene
        opened = vault
    }

    /// The vault of this process, which is opened now unless it was before.
    package func vault() async throws -> Vault {
        if let opened { return opened }
        let vault = try await scene.open()
        opened = vault
        return vault
    }

    /// Takes up a vault that was just made.
    package func keep(_ vault: Vault) { opened = vault }

    /// Gives the PIN beforehand.
    package func unlock() async throws {
        let vault = try await vault()
        authorization = try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
        wallets = try await vault.wallets()
    }

    /// What was given beforehand, or else the PIN is given now.
    package func authorize() async throws -> StrongAuthorization {
        if authorization == nil { try await unlock() }
        guard let given = authorization.take() else { throw PartyError() }
        return given
    }

    /// The vault's first wallet, or its last, for which the PIN is given now unless it was before.
    package func wallet(last: Bool = false) async throws -> WalletSummary {
        if wallets.isEmpty { try await unlock() }
        guard let wallet = last ? wallets.last : wallets.first else { throw PartyError() }
        return wallet
    }

    /// Whether a key is in this process's memory.
    var holdsKey: Bool {
        get async { await opened?.holdsKey ?? false }
    }

    /// Ends this process's hold on the vault, so that nothing of it comes later.
    func close() async { await opened?.close() }
}

/// A transition was given a scene that lacks what it is about.
struct PartyError: Error {}
