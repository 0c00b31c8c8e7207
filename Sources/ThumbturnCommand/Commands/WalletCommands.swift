import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

// wallet create, list, show, rename, delete.
extension Context {
    /// Makes a wallet; who is at a terminal sees its words once, and types some of them back.
    func createWallet(_ text: String, _ words: Mnemonic.WordCount, shows: Bool) async throws {
        let name = try WalletName(text)
        let again = "`thumbturn wallet export \(Shell.operand(name.text))`"
        guard shows, secrets.canShow, !output.isJSON else {
            let (wallet, next) = try await withVault { vault, _ in
                try await openToChange(vault)
                return (try await vault.addWallet(named: name, .newMnemonic(words: words)), await Self.next(for: vault))
            }
            try tell(added: wallet)
            output.note(Words("its words were not shown: \(again)", "ses mots n'ont pas été affichés : \(again)"))
            return output.note(next)
        }
        let mnemonic = HeldSecret(try Mnemonic.text(of: Mnemonic.makeEntropy(words: words)))
        let (wallet, next) = try await withVault { vault, _ in
            try await openToChange(vault)
            let wallet = try await vault.addWallet(named: name, .mnemonic(mnemonic.bytes.copy()))
            return (wallet, await Self.next(for: vault))
        }
        // Before the screen, for who interrupts it.
        output.note(
            Words(
                "the wallet is in the vault: \(again) shows its words again",
                "le portefeuille est dans le coffre : \(again) affiche de nouveau ses mots"
            )
        )
        // The vault is closed: whoever writes words down takes long.
        try await confirm(mnemonic, of: words.rawValue, named: name.text)
        try tell(added: wallet)
        output.note(next)
    }

    static func next(for vault: Vault) async -> Words {
        await vault.snapshot.recoveryKey == .there ? backsUpNext : makesKeyNext
    }

    static let backsUpNext = Words("next: `thumbturn backup FILE`", "ensuite : `thumbturn backup FICHIER`")
    static let makesKeyNext = Words(
        "next: `thumbturn recovery create`, then `thumbturn backup FILE`",
        "ensuite : `thumbturn recovery create`, puis `thumbturn backup FICHIER`"
    )

    func listWallets(from source: WalletSource) async throws {
        let reading = try await inventory(from: source)
        let (inventory, now) = (reading.inventory, reading.now)
        let names = inventory.wallets.map(\.name.text) + inventory.damaged.map(\.label)
        let width = names.map { output.shown($0).columns }.max() ?? 0
        func column(_ name: String) -> Words { Words(output.shown(name).filled(to: width + 2)) }
        var rows = inventory.wallets.map { wallet in
            let age = Words("  for ", "  depuis ") + .span(now - wallet.createdAt)
            return column(wallet.name.text) + wallet.kind.text
                + (wallet.isLabelled || inventory.isAuthentic
                    ? age : Words("  its label is damaged", "  son nom est abîmé"))
        }
        let code = ErrorCode.vaultTampered.text
        rows += inventory.damaged.map { wallet in
            column(wallet.label) + Words("does not open (\(code))", "ne s'ouvre pas (\(code))")
        }
        if inventory.missingCount > 0 {
            rows.append(Words("missing: ", "manquants : ") + .wallets(inventory.missingCount) + Words(" (\(code))"))
        }
        let none = Words("There are no wallets.", "Il n'y a pas de portefeuille.")
        let text = rows.isEmpty ? none : rows.joined(separator: "\n")
        var members: [(String, JSON)] = [("wallets", .array(inventory.wallets.map(\.json)))]
        guard var failure = reading.damage else {
            tell(ofChangeIn: reading)
            return try output.print(text, json: .object(members))
        }
        members += inventory.members + [("error", output.json(of: failure))]
        try output.print(text, json: .object(members))
        failure.isPrinted = true
        throw failure
    }

    func showWallet(_ text: String, from source: WalletSource) async throws {
        let reading = try await inventory(from: source)
        let inventory = reading.inventory
        let wallet: WalletSummary
        do { wallet = try inventory.wallet(named: text) } catch { throw reading.about(Failure(error)) ?? error }
        tell(ofChangeIn: reading)
        let date = wallet.isLabelled || inventory.isAuthentic ? wallet.createdAt.date : "?"
        try output.print(
            Words("name     \(wallet.name.text)", "nom      \(wallet.name.text)")
                + Words("\nkind     \(wallet.kind.text.english)", "\ntype     \(wallet.kind.text.french)")
                + Words("\ncreated  \(date)", "\ncréé     \(date)")
                + Words("\nid       \(wallet.id.text)"),
            json: wallet.json
        )
    }

    func renameWallet(_ old: String, to new: String) async throws {
        let name = try WalletName(new)
        try await withVault { vault, _ in
            try await openToChange(vault)
            let wallet = try await find(old, in: vault)
            try await vault.renameWallet(wallet.id, to: name)
            try output.print(
                Words("Renamed: \(name.text).", "Renommé : \(name.text)."),
                json: ["id": .string(wallet.id.text), "name": .string(name.text)]
            )
        }
    }

    func deleteWallet(_ text: String) async throws {
        try await withVault { vault, _ in
            let authorization = try await authorize(vault)
            let wallet = try await find(text, in: vault)
            guard try secrets.readText(.walletName) == wallet.name.text else { throw Failure(.confirmationMissing) }
            try await vault.deleteWallet(wallet.id, authorization)
            try output.print(
                Words("Deleted for ever: \(wallet.name.text).", "Supprimé pour toujours : \(wallet.name.text)."),
                json: ["deleted": .string(wallet.name.text), "id": .string(wallet.id.text)]
            )
        }
    }

    /// The wallet of a name; what can't be a name is told so.
    func find(_ text: String, in vault: Vault) async throws -> WalletSummary {
        let wallets = try await vault.wallets()
        if let wallet = wallets.first(where: { $0.name.text == text }) { return wallet }
        _ = try WalletName(text)
        throw Failure.noWallet(text, among: wallets)
    }

    func tell(added wallet: WalletSummary) throws {
        try output.print(
            Words("Added: \(wallet.name.text) (", "Ajouté : \(wallet.name.text) (") + wallet.kind.text + Words(")."),
            json: wallet.json
        )
    }
}

extension Failure {
    /// No wallet has that name; those that are nearly called so are told.
    static func noWallet(_ text: String, among wallets: [WalletSummary]) -> Failure {
        let near = Likeness.names(like: text, among: wallets.map(\.name.text)).map(Shell.operand)
        let list = Words("`thumbturn wallet list` names all", "`thumbturn wallet list` les nomme tous")
        return Failure(.walletMissing, hint: Likeness.question(near, else: list))
    }
}

extension WalletSummary {
    var json: JSON {
        [
            "name": .string(name.text), "kind": .string(kind.name), "id": .string(id.text),
            "createdAt": isLabelled ? .integer(createdAt.count) : .null,
        ]
    }
}
