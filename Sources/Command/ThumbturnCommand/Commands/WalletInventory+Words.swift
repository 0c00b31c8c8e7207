import Thumbturn
import ThumbturnConsole

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
        if isLogLost { return Failure(.logUnusable) }
        // One that a rekey kept without its label is called by its id for good.
        guard !isAuthentic else { return nil }
        let count = wallets.count { !$0.isLabelled }
        guard count > 0 else { return change }
        return Failure(
            .vaultTampered,
            Words(
                "damaged labels: \(count) of \(wallets.count) wallets",
                "noms abîmés : \(count) portefeuilles sur \(wallets.count)"
            )
        )
    }

    /// That not all is as the vault wrote it, though all that is there opens: changed where a seal says so, and else damaged.
    var change: Failure {
        guard isHeadMissing else { return Failure(.vaultTampered) }
        return Failure(
            .vaultDamaged,
            Words("the list of its wallets can't be found", "la liste de ses portefeuilles est introuvable"),
            hint: Words(
                "export what opens, and look for more in another copy or a backup",
                "exportez ce qui s'ouvre, et cherchez le reste dans une autre copie ou une sauvegarde"
            )
        )
    }

    static let labelIsDamaged = Words("its label is damaged", "son nom est abîmé")
    static let doesNotOpen = Words(
        "does not open (\(ErrorCode.vaultTampered.text))",
        "ne s'ouvre pas (\(ErrorCode.vaultTampered.text))"
    )

    /// How many are missing; nil where none is.
    var missing: Words? {
        guard missingCount > 0 else { return nil }
        return Words("missing: ", "manquants : ") + .wallets(missingCount) + Words(" (\(ErrorCode.vaultTampered.text))")
    }

    /// Whether one that opens has its label too; one that a rekey kept without it is called by its id for good.
    func isWhole(_ wallet: WalletSummary) -> Bool { isAuthentic || wallet.isLabelled }

    /// The member of an object that lists what opens.
    var listed: (String, JSON) { ("wallets", .array(wallets.map(\.json))) }

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
