package import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
package import ThumbturnRules
package import ThumbturnUI

/// Lists a vault's wallets, and adds, renames, exports and deletes them.
///
/// A wallet app with screens of its own asks its vault itself; a host has no vault to ask.
@MainActor package final class WalletsModel: ScreenModel<WalletsFields> {
    private let core: Vault
    private let owner: any OwnerVault
    private var snapshot: VaultSnapshot?
    private var list: [WalletsFields.Wallet] = []
    private var follower: Task<Void, Never>?

    /// Starts to follow a vault.
    ///
    /// - Parameters:
    ///   - core: the vault with the wallets.
    ///   - owner: what proves its owner.
    package init(_ core: Vault, owner: any OwnerVault) {
        (self.core, self.owner) = (core, owner)
        super.init(WalletsFields(nil, WalletsFields.Surroundings()))
        describing = { [unowned self] in described }
        follower = Task { [weak self] in
            for await snapshot in await owner.snapshots() { self?.take(snapshot) }
        }
    }

    deinit { follower?.cancel() }

    private var described: WalletsFields {
        var around = WalletsFields.Surroundings(list: list, language: language)
        (around.isBusy, around.refusal) = (isCalling, refusal)
        return WalletsFields(snapshot, around)
    }

    private func take(_ next: VaultSnapshot) {
        let former = snapshot
        snapshot = next
        if !next.state.hasSession {
            (list, refusal) = ([], nil)
        } else if former?.state.hasSession != true || former?.walletCount != next.walletCount {
            // It waits for the call in progress, which may wait for a finger; the next snapshot must not.
            Task { [weak self] in await self?.read() }
        }
        show()
    }

    /// Reads the names, which an open session shows.
    private func read() async {
        let read = (try? await core.wallets()) ?? []
        // The names are sealed behind a lock that came meanwhile.
        guard snapshot?.state.hasSession == true else { return }
        list = read.map { WalletsFields.Wallet(id: $0.id, name: $0.name, kind: $0.kind) }
        show()
    }
}

// Calls by the user.
extension WalletsModel {
    /// Adds a wallet.
    ///
    /// - Returns: whether it is there; false after a refusal, a lock that overtook the call, or while another is under way.
    func add(_ secret: consuming WalletSecret, as name: String) async -> Bool {
        var secret: WalletSecret? = secret
        return await change { [core] () throws(VaultError) in
            let name = try WalletName(name)
            if let secret = secret.take() { _ = try await core.addWallet(named: name, secret) }
        }
    }

    /// Renames a wallet; returns as `add`.
    func rename(_ wallet: Identifier, to name: String) async -> Bool {
        await change { [core] () throws(VaultError) in try await core.renameWallet(wallet, to: try WalletName(name)) }
    }

    /// Deletes a wallet, after proof of its owner; returns as `add`.
    func delete(_ wallet: Identifier, by secret: HeldSecret?) async -> Bool {
        await change { [self] () throws(VaultError) in
            try await core.deleteWallet(wallet, try await authorize(by: secret))
        }
    }

    /// Returns a wallet's secret as its owner writes it down, after proof of its owner; nil after a refusal.
    func export(_ wallet: Identifier, by secret: HeldSecret?) async -> HeldSecret? {
        var given: HeldSecret?
        await act { () throws(VaultError) in
            let authorization = try await authorize(by: secret)
            do {
                given = try await core.exportWallet(wallet, authorization) { HeldSecret(SecretBytes(copying: $1)) }
            } catch let error as VaultError {
                throw error
            } catch {
                throw VaultError(.storageUnavailable, "wallet")
            }
        }
        return given
    }

    private func change(_ body: () async throws(VaultError) -> Void) async -> Bool {
        guard await act(body) else { return false }
        await read()
        return true
    }

    private func authorize(by secret: HeldSecret?) async throws(VaultError) -> StrongAuthorization {
        if let secret { return try await owner.unlock(with: secret.bytes) }
        return try await owner.unlockWithSystem(
            PromptText(
                reason: Words.openVault.in(language),
                cancelTitle: Words.cancel.in(language),
                fallbackTitle: ""
            )
        )
    }
}
