import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

// wallet create, list, show, rename, delete.
extension Context {
    /// Creates a wallet; a terminal shows its words once, and asks for some of them back.
    func createWallet(_ text: String, _ words: Mnemonic.WordCount, shows: Bool) async throws {
        let name = try WalletName(text)
        let again = "`thumbturn wallet export \(Shell.operand(name.text))`"
        guard shows, secrets.canShow, !output.isJSON else {
            let (wallet, next) = try await withVault(readsWallets: false) { vault, _ in
                try await openToChange(vault)
                return (try await vault.addWallet(named: name, .newMnemonic(words: words)), await Self.next(for: vault))
            }
            try tell(added: wallet)
            output.note(
                Words(
                    "its words were not shown: \(again) shows them",
                    "ses mots n'ont pas été affichés : \(again) les affiche"
                )
            )
            return output.note(next)
        }
        let mnemonic = HeldSecret(try Mnemonic.text(of: Mnemonic.makeEntropy(words: words)))
        let (wallet, next) = try await withVault(readsWallets: false) { vault, _ in
            try await openToChange(vault)
            let wallet = try await vault.addWallet(named: name, .mnemonic(mnemonic.bytes.copy()))
            return (wallet, await Self.next(for: vault))
        }
        // Say it before showing the words, in case the user interrupts the command.
        output.note(
            Words(
                "the wallet is in the vault: \(again) shows its words again",
                "le portefeuille est dans le coffre : \(again) affiche de nouveau ses mots"
            )
        )
        // The vault is closed by now: writing words down takes long.
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
        let inventory = reading.inventory
        guard var failure = reading.damage else {
            tell(ofChangeIn: reading)
            return try output.print(lines(of: reading), isPainted: true, json: .object([inventory.listed]))
        }
        try output.print(
            lines(of: reading),
            isPainted: true,
            json: .object([inventory.listed] + inventory.members + [("error", output.json(of: failure))])
        )
        failure.isPrinted = true
        throw failure
    }

    /// Returns the wallets, one per line, formatted for `output`.
    private func lines(of reading: Reading) -> Words {
        let inventory = reading.inventory
        let names = (inventory.wallets.map { $0.name.text } + inventory.damaged.map(\.label)).map(output.shown)
        let columns = names.map { $0.columns }
        let width = (columns.max() ?? 0) + 2
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: width)
        func shown(_ words: Words) -> String { output.shown(words.in(output.language)) }
        // The lines of many wallets are appended to one buffer, not made of a string for each part.
        var text: [UInt8] = []
        text.reserveCapacity(names.count * (width + 32))
        func append(name place: Int, _ kind: String, _ age: String = "") {
            text.append(contentsOf: names[place].utf8)
            text.append(contentsOf: blanks[columns[place]...])
            text.append(contentsOf: kind.utf8)
            text.append(contentsOf: age.utf8)
            text.append(UInt8(ascii: "\n"))
        }
        // Wallets share their kinds, and those imported together their age, so cache the texts.
        var ages: [Int64: String] = [:]
        var kinds: [WalletKind: String] = [:]
        let unlabelled = shown(Words("  ") + WalletInventory.labelIsDamaged)
        for (place, wallet) in inventory.wallets.enumerated() {
            let age = reading.now - wallet.createdAt
            let kind = kinds[wallet.kind] ?? shown(wallet.kind.text)
            kinds[wallet.kind] = kind
            let past = ages[age.wholeSeconds] ?? shown(Words("  ") + .ago(age))
            ages[age.wholeSeconds] = past
            append(name: place, kind, inventory.isWhole(wallet) ? past : unlabelled)
        }
        for place in inventory.damaged.indices {
            append(name: inventory.wallets.count + place, shown(WalletInventory.doesNotOpen))
        }
        let none = Words("There are no wallets.", "Il n'y a pas de portefeuille.")
        if let missing = inventory.missing { text.append(contentsOf: shown(missing).utf8) }
        guard !text.isEmpty else { return Words(shown(none)) }
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        return Words(String(decoding: text, as: UTF8.self))
    }

    func showWallet(_ text: String, from source: WalletSource) async throws {
        let reading = try await inventory(from: source, of: [text])
        let inventory = reading.inventory
        let wallet: WalletSummary
        do { wallet = try inventory.wallet(named: text) } catch { throw reading.about(Failure(error)) ?? error }
        tell(ofChangeIn: reading)
        let date = inventory.isWhole(wallet) ? wallet.createdAt.date : "?"
        try output.print(
            Words("name     \(wallet.name.text)", "nom      \(wallet.name.text)")
                + Words("\nkind     \(wallet.kind.text.english)", "\ntype     \(wallet.kind.text.french)")
                + Words("\ncreated  \(date)", "\ncréé     \(date)")
                + Words("\nid       \(wallet.id.text)"),
            json: wallet.json
        )
        try reading.requireLog()
    }

    func renameWallet(_ old: String, to new: String) async throws {
        let name = try WalletName(new)
        try await withVault(readsWallets: false) { vault, _ in
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
        try await withVault(readsWallets: false) { vault, _ in
            let authorization = try await authorize(vault)
            let wallet = try await find(text, in: vault)
            guard try secrets.readText(.walletName) == wallet.name.text else { throw Failure(.confirmationMissing) }
            try await vault.deleteWallet(wallet.id, authorization)
            try output.print(
                Words("Deleted permanently: \(wallet.name.text).", "Supprimé définitivement : \(wallet.name.text)."),
                json: ["deleted": .string(wallet.name.text), "id": .string(wallet.id.text)]
            )
        }
    }

    /// Returns the wallet with a name; reports a text that can't be a name as such.
    func find(_ text: String, in vault: Vault) async throws -> WalletSummary {
        if let name = try? WalletName(text), let wallet = try await vault.wallet(named: name) { return wallet }
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
    /// Returns the failure for an unknown name, with the names that resemble it.
    static func noWallet(_ text: String, among wallets: [WalletSummary]) -> Failure {
        let near = Likeness.names(like: text, among: wallets.map(\.name.text)).map(Shell.operand)
        let list = Words("`thumbturn wallet list` lists all", "`thumbturn wallet list` les liste tous")
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
