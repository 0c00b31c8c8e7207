import Thumbturn
import ThumbturnConsole

// Reads wallets one by one from a vault or a backup that may be damaged: whole ones open, the others are named.
extension Context {
    /// Opens a vault or a backup, and checks which wallets open.
    ///
    /// - Parameters:
    ///   - names: the wallets asked for; empty for all.
    ///   - opensAll: whether to open each secret too, even if all is as the vault wrote it.
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

    /// Exports one secret without its name.
    func exportWallet(_ text: String, isRaw: Bool, from source: WalletSource, to target: SecretTarget) async throws {
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

    /// Prints one secret without its name.
    private func printWallet(_ text: String, isRaw: Bool, from source: WalletSource) async throws {
        let output = output
        let reading = try await export([text], from: source, choosing: { [try $0.wallet(named: text)] }) {
            wallet,
            secret in
            // Opaque bytes are written unchanged, unless the output is a screen.
            guard output.isJSON else {
                return try output.write(secret, isRaw: isRaw, isText: wallet.kind != .opaque)
            }
            let head: JSON = ["name": .string(wallet.name.text), "kind": .string(wallet.kind.name)]
            try output.write(secret, in: head)
            try output.write("\n")
        }
        try reading.requireLog()
    }

    /// Prints several secrets, one per line; a wallet that does not open is named, and does not stop the others.
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
            // The wallets opened so far are printed; a failed write is already the error.
            try? printing.flush()
            throw error
        }
        try printing.end(reading, asked: names.count)
    }

    /// Warns that data was changed or that a newer copy may exist, although everything asked for opened.
    func tell(ofChangeIn reading: Reading) {
        // A lost log ends the command by itself.
        guard !reading.inventory.isLogLost else { return }
        if !reading.inventory.isAuthentic {
            output.note(reading.inventory.change)
        } else if reading.vault?.isOlderCopy == true {
            output.note(Failure(.olderCopy))
        }
    }

    /// Returns the wallets with these names alone if each name is valid, else the whole inventory.
    private func inventory(of vault: Vault, naming texts: [String]) async throws -> WalletInventory {
        let names = texts.compactMap { try? WalletName($0) }
        guard !names.isEmpty, names.count == texts.count else { return try await vault.inventory() }
        return try await vault.inventory(of: names)
    }

    /// Opens the wallets that `choosing` selects, and passes each secret to `body`.
    ///
    /// - Parameter names: the names asked for; empty for all.
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
            // All of them opened just now: if one fails, storage has failed.
            if let refusal = try await vault.exportWallets(ids, authorization, body).values.first { throw refusal }
            let reading = Reading(inventory, await vault.snapshot, at: place.device.clock().wall, advice)
            tell(ofChangeIn: reading)
            return reading
        }
    }

    /// Unlocks with the recovery key, which needs nothing from the device.
    private func authorizeByRecoveryKey(_ vault: Vault) async throws -> StrongAuthorization {
        if await vault.snapshot.condition == .resetPending { throw Failure(.resetPending) }
        return try await vault.unlock(withRecoveryKey: secrets.readRecoveryKey())
    }

    private func openBackup(_ path: String, openingSecrets opensAll: Bool = false) throws -> OpenedBackup {
        // Check before asking for anything.
        if Folders.isAbsent(path) { throw Failure.noFile(path) }
        let key = try secrets.readRecoveryKey()
        do throws(VaultError) { return try OpenedBackup(at: path, recoveryKey: key, openingSecrets: opensAll) } catch {
            throw Failure(ofBackup: error)
        }
    }
}
