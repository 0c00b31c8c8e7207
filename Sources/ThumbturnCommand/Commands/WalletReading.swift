import Thumbturn
import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
    func inventory(from source: WalletSource) async throws -> Reading {
        if case .file(let path) = source { return Reading(try openBackup(path).inventory, advice) }
        return try await withVault(mayLeaveTPM: source == .vaultByRecoveryKey) { vault, place in
            if source == .vault {
                _ = try await openSession(vault)
            } else {
                _ = try await authorizeByRecoveryKey(vault)
            }
            return Reading(try await vault.inventory(), await vault.snapshot, at: place.device.clock().wall, advice)
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
        try await export(from: source, choosing: { [try $0.wallet(named: text)] }) { wallet, secret in
            // Opaque bytes are given back as they came, unless somebody reads them on a screen.
            guard output.isJSON else {
                return try output.write(secret, isRaw: isRaw, isText: wallet.kind != .opaque)
            }
            let head: JSON = ["name": .string(wallet.name.text), "kind": .string(wallet.kind.name)]
            try output.write(secret, in: head)
            try output.write("\n")
        }
    }

    /// Prints several secrets, a line each; those that don't open are named, and keep no other one in.
    func exportWallets(_ names: [String], from source: WalletSource, to target: SecretTarget) async throws {
        guard case .file(let path) = target else { return try await printWallets(names, from: source) }
        try await write(to: path) { context in try await context.printWallets(names, from: source) }
    }

    private func printWallets(_ names: [String], from source: WalletSource) async throws {
        let printing = WalletPrinting(output: output)
        let reading = try await export(
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
        try printing.end(reading, asked: names.count)
    }

    /// Says that something was changed, or that a newer copy may be somewhere, though all that was asked for opened.
    func tell(ofChangeIn reading: Reading) {
        if !reading.inventory.isAuthentic {
            output.note(Failure(.vaultTampered))
        } else if reading.vault?.isOlderCopy == true {
            output.note(Failure(.olderCopy))
        }
    }

    /// Opens what `choosing` takes of the wallets that there are, and lends each secret.
    @discardableResult
    func export(
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
        return try await withVault(mayLeaveTPM: source == .vaultByRecoveryKey) { vault, place in
            let authorization: StrongAuthorization
            if source == .vault {
                authorization = try await authorize(vault)
            } else {
                authorization = try await authorizeByRecoveryKey(vault)
            }
            let inventory = try await vault.inventory()
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

    private func openBackup(_ path: String) throws -> OpenedBackup {
        // Before anything is asked.
        if Folders.isAbsent(path) { throw Failure.noFile(path) }
        return try OpenedBackup(at: path, recoveryKey: secrets.readRecoveryKey())
    }
}

extension WalletInventory {
    /// The wallet that is called so, or whose id that is.
    func wallet(named text: String) throws -> WalletSummary {
        if let wallet = wallets.first(where: { $0.name.text == text }) ?? wallets.first(where: { $0.id.text == text }) {
            return wallet
        }
        guard !damaged.contains(where: { $0.name?.text == text || $0.id?.text == text }) else {
            throw Failure(.vaultTampered, Words("this wallet does not open", "ce portefeuille ne s'ouvre pas"))
        }
        _ = try WalletName(text)
        // It may be one of those that can't be told by name any more.
        var missing = Failure.noWallet(text, among: wallets)
        if let failure = damage {
            (missing.detail, missing.advised, missing.hint) = (failure.detail, failure.code, nil)
        }
        throw missing
    }

    /// What does not open; nil where all does.
    var failure: Failure? {
        let count = damaged.count + missingCount
        guard count > 0 || unreadPages > 0 else { return nil }
        let closed = Words(
            "what does not open: \(count) of \(wallets.count + count) wallets",
            "ne s'ouvrent pas : \(count) portefeuilles sur \(wallets.count + count)"
        )
        guard unreadPages > 0 else { return Failure(.vaultTampered, closed) }
        // What they hold may be whole.
        let unread = Words("pages that can't be read: \(unreadPages)", "pages illisibles : \(unreadPages)")
        return Failure(.storageUnavailable, count > 0 ? unread + Words("; ", " ; ") + closed : unread)
    }

    /// The same, or that something of what opens was changed.
    var damage: Failure? {
        if let failure { return failure }
        // One that a rekey kept without its label is called by its id for good.
        guard !isAuthentic else { return nil }
        let count = wallets.count { !$0.isLabelled }
        guard count > 0 else { return Failure(.vaultTampered) }
        return Failure(
            .vaultTampered,
            Words(
                "damaged labels: \(count) of \(wallets.count) wallets",
                "noms abîmés : \(count) portefeuilles sur \(wallets.count)"
            )
        )
    }

    /// The members of an object that tell of what does not open.
    var members: [(String, JSON)] {
        [
            ("damaged", .array(damaged.map(\.json))), ("missingCount", JSON(missingCount)),
            ("unreadPages", JSON(unreadPages)),
        ]
    }
}

extension WalletInventory.Damaged {
    /// What it is called: its label, else its id.
    var label: String { name?.text ?? id?.text ?? "?" }

    var json: JSON {
        ["name": JSON(name?.text), "id": JSON(id?.text), "code": .string(ErrorCode.vaultTampered.text)]
    }
}

extension Output {
    /// Writes an object with a secret in it, which is copied nowhere.
    func write(_ secret: RawSpan, in head: JSON) throws(Failure) {
        let quoted = SecretText(quoting: secret)
        try write(head.text.dropLast() + ",\"encoding\":\"\(quoted.encoding.rawValue)\",\"secret\":")
        try quoted.bytes.withBytes { bytes throws(Failure) in try write(bytes) }
        try write("}")
    }
}

/// Several secrets on their way out, a line or an object each.
private final class WalletPrinting: @unchecked Sendable {
    // Safe to send: one command at a time takes wallets, and ends after the last.
    private let output: Output
    private var count = 0
    private var refusals: [Failure] = []

    init(output: Output) {
        self.output = output
    }

    /// Prints one.
    func take(_ wallet: WalletSummary, _ secret: RawSpan) throws {
        guard !output.isJSON else {
            try output.write(count == 0 ? "{\"wallets\":[" : ",")
            count += 1
            let head: JSON = [
                "name": .string(wallet.name.text), "kind": .string(wallet.kind.name), "id": .string(wallet.id.text),
            ]
            return try output.write(secret, in: head)
        }
        guard SecretText.isOneLine(secret) else {
            let failure = Failure(
                .usage,
                statement: Words(
                    "The secret has line breaks or control characters.",
                    "Le secret contient des sauts de ligne ou des caractères de contrôle."
                ),
                hint: Words(
                    "export it by itself, or with --json",
                    "exportez-le à part, ou avec --json"
                )
            )
            output.note(Words("\(wallet.name.text): ") + failure.line)
            return refusals.append(failure)
        }
        try output.write(output.shown(wallet.name.text) + "\t")
        try output.write(secret)
        try output.write("\n")
        count += 1
    }

    /// Names what could not be printed as it was given, or by its place where no wallet can be called so.
    func refuse(_ failure: Failure, _ name: String, at number: Int) {
        let label = failure.code == .nameInvalid ? Words("name \(number): ", "nom \(number) : ") : Words("\(name): ")
        output.note(label + failure.line)
        refusals.append(failure)
    }

    /// Ends the answer.
    ///
    /// - Parameters:
    ///   - reading: what there is.
    ///   - asked: how many names were given; none asks for all.
    /// - Throws: what kept the worst of them in.
    func end(_ reading: Context.Reading, asked: Int) throws {
        let inventory = asked == 0 ? reading.inventory : nil
        for wallet in inventory?.damaged ?? [] {
            output.note(Words("\(wallet.label): ") + Failure(.vaultTampered).line)
        }
        var failure = inventory?.failure
        if failure == nil, let worst = refusals.max(by: { $0.exitCode < $1.exitCode }) {
            failure = sum(of: refusals.count, of: asked == 0 ? count + refusals.count : asked, worst)
        }
        failure = reading.about(failure)
        if output.isJSON {
            if count == 0 { try output.write("{\"wallets\":[") }
            var rest: [(String, JSON)] = failure == nil ? [] : inventory?.members ?? []
            if let failure { rest.append(("error", output.json(of: failure))) }
            try output.write("]" + (rest.isEmpty ? "}" : "," + JSON.object(rest).text.dropFirst()) + "\n")
        }
        guard var failure else { return }
        failure.isPrinted = true
        throw failure
    }

    private func sum(of count: Int, of all: Int, _ worst: Failure) -> Failure {
        let wallets = Words("\(count) of \(all) wallets", "\(count) sur \(all) portefeuilles")
        guard worst.code == .usage else { return Failure(worst.code, wallets, hint: worst.hint) }
        let statement = Words("Not printed: ", "Non affichés : ") + wallets + Words(".")
        return Failure(.usage, statement: statement, hint: worst.hint)
    }
}

extension Failure {
    /// Code and message, for a line that begins with something else.
    fileprivate var line: Words {
        Words("\(code.text) \(message(in: .english))", "\(code.text) \(message(in: .french))")
    }
}
