import Thumbturn
import ThumbturnConsole

// Reading wallets one by one, from a vault or a backup that may be damaged: what is whole opens, and the rest is named.
extension Context {
    /// The wallets of a vault or a backup.
    struct Reading {
        let inventory: WalletInventory
        /// To tell ages by.
        let now: Milliseconds
        /// What is known of the vault, where it is one.
        let vault: VaultSnapshot?
        private let advice: Advice

        /// What is damaged in it.
        var damage: Failure? { about(inventory.damage) }

        /// Ends a command that gave what it was asked for out of a file whose log can't be used: it may be older than what was
        /// stored last.
        func requireLog() throws {
            guard inventory.isLogLost else { return }
            var failure = Failure(.logUnusable)
            failure.isPrinted = true
            throw failure
        }

        /// What can be told of a failure that was found here.
        func about(_ failure: Failure?) -> Failure? {
            guard let failure, let vault else { return failure }
            return advice.failure(failure, of: vault)
        }

        /// Of a backup.
        init(_ inventory: WalletInventory, _ advice: Advice) {
            (self.inventory, self.advice) = (inventory, advice)
            now = .now
            vault = nil
        }

        /// Of a vault.
        init(_ inventory: WalletInventory, _ vault: VaultSnapshot, at now: Milliseconds, _ advice: Advice) {
            (self.inventory, self.vault, self.now, self.advice) = (inventory, vault, now, advice)
        }
    }

    /// Opens a vault or a backup, and looks which wallets open.
    ///
    /// - Parameters:
    ///   - names: those that are asked for; none for all.
    ///   - opensAll: whether each secret is opened besides, also where all is as the vault wrote it.
    func inventory(
        from source: WalletSource,
        of names: [String] = [],
        openingSecrets opensAll: Bool = false
    ) async throws -> Reading {
        if case .file(let path) = source {
            return Reading(try openBackup(path, openingSecrets: opensAll).inventory, advice)
        }
        return try await withVault(mayLeaveTPM: source == .vaultByRecoveryKey, readsWallets: names.isEmpty) {
            vault,
            place in
            if source == .vault {
                _ = try await openSession(vault)
            } else {
                _ = try await authorizeByRecoveryKey(vault)
            }
            let inventory = try await opensAll ? vault.checkWallets() : inventory(of: vault, naming: names)
            return Reading(inventory, await vault.snapshot, at: place.device.clock().wall, advice)
        }
    }

    /// Gives out a secret by itself.
    func exportWallet(
        _ text: String,
        isRaw: Bool,
        from source: WalletSource,
        to target: SecretTarget
    ) async throws {
        switch target {
        case .file(let path):
            try await write(to: path) { context in
                try await context.printWallet(text, isRaw: isRaw, from: source)
            }
        case .clipboard: try await copyWallet(text, from: source)
        case .output where secrets.canShow && !isRaw && !output.isJSON:
            try await showSecret(ofWallet: text, from: source)
        case .output: try await printWallet(text, isRaw: isRaw, from: source)
        }
    }

    /// Prints a secret by itself.
    private func printWallet(_ text: String, isRaw: Bool, from source: WalletSource) async throws {
        let output = output
        let reading = try await export([text], from: source, choosing: { [try $0.wallet(named: text)] }) {
            wallet,
            secret in
            // Opaque bytes are given back as they came, unless somebody reads them on a screen.
            guard output.isJSON else {
                return try output.write(secret, isRaw: isRaw, isText: wallet.kind != .opaque)
            }
            let head: JSON = ["name": .string(wallet.name.text), "kind": .string(wallet.kind.name)]
            try output.write(secret, in: head)
            try output.write("\n")
        }
        try reading.requireLog()
    }

    /// Prints several secrets, a line each; those that don't open are named, and keep no other one in.
    func exportWallets(_ names: [String], from source: WalletSource, to target: SecretTarget) async throws {
        guard case .file(let path) = target else { return try await printWallets(names, from: source) }
        try await write(to: path) { context in try await context.printWallets(names, from: source) }
    }

    private func printWallets(_ names: [String], from source: WalletSource) async throws {
        let printing = WalletPrinting(output: output)
        let reading: Reading
        do {
            reading = try await export(
                names,
                from: source,
                choosing: { inventory in
                    guard !names.isEmpty else { return inventory.wallets }
                    return names.enumerated().compactMap { index, name in
                        do { return try inventory.wallet(named: name) } catch {
                            printing.refuse(Failure(error), name, at: index + 1)
                            return nil
                        }
                    }
                },
                printing.take
            )
        } catch {
            // Whatever ended it, those before are out; and why they can't be written is what ended it.
            try? printing.flush()
            throw error
        }
        try printing.end(reading, asked: names.count)
    }

    /// Says that something was changed, or that a newer copy may be somewhere, though all that was asked for opened.
    func tell(ofChangeIn reading: Reading) {
        // That ends the command by itself.
        guard !reading.inventory.isLogLost else { return }
        if !reading.inventory.isAuthentic {
            output.note(reading.inventory.change)
        } else if reading.vault?.isOlderCopy == true {
            output.note(Failure(.olderCopy))
        }
    }

    /// The wallets that these names may be of: no more of them than are asked for, where each is there.
    private func inventory(of vault: Vault, naming texts: [String]) async throws -> WalletInventory {
        let names = texts.compactMap { try? WalletName($0) }
        guard !names.isEmpty, names.count == texts.count else { return try await vault.inventory() }
        return try await vault.inventory(of: names)
    }

    /// Opens what `choosing` takes of the wallets that there are, and lends each secret.
    ///
    /// - Parameter names: those that it asks for; none for all.
    func export(
        _ names: [String],
        from source: WalletSource,
        choosing: (WalletInventory) throws -> [WalletSummary],
        _ body: @escaping @Sendable (WalletSummary, RawSpan) throws -> Void
    ) async throws -> Reading {
        if case .file(let path) = source {
            let backup = try openBackup(path)
            for wallet in try choosing(backup.inventory) { try backup.exportWallet(wallet.id, body) }
            let reading = Reading(backup.inventory, advice)
            tell(ofChangeIn: reading)
            return reading
        }
        return try await withVault(mayLeaveTPM: source == .vaultByRecoveryKey, readsWallets: names.isEmpty) {
            vault,
            place in
            let authorization: StrongAuthorization
            if source == .vault {
                authorization = try await authorize(vault)
            } else {
                authorization = try await authorizeByRecoveryKey(vault)
            }
            let inventory = try await inventory(of: vault, naming: names)
            let ids = try choosing(inventory).map(\.id)
            // All of them opened just now: one that does not is storage that fails.
            if let refusal = try await vault.exportWallets(ids, authorization, body).values.first { throw refusal }
            let reading = Reading(inventory, await vault.snapshot, at: place.device.clock().wall, advice)
            tell(ofChangeIn: reading)
            return reading
        }
    }

    /// Takes the recovery key, which needs nothing of the device.
    private func authorizeByRecoveryKey(_ vault: Vault) async throws -> StrongAuthorization {
        if await vault.snapshot.condition == .resetPending { throw Failure(.resetPending) }
        return try await vault.unlock(withRecoveryKey: secrets.readRecoveryKey())
    }

    private func openBackup(_ path: String, openingSecrets opensAll: Bool = false) throws -> OpenedBackup {
        // Before anything is asked.
        if Folders.isAbsent(path) { throw Failure.noFile(path) }
        let key = try secrets.readRecoveryKey()
        do throws(VaultError) { return try OpenedBackup(at: path, recoveryKey: key, openingSecrets: opensAll) } catch {
            throw Failure(ofBackup: error)
        }
    }
}
