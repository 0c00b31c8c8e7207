import Thumbturn
import ThumbturnConsole

extension WalletInventory {
    /// Returns the wallet with this name or id.
    func wallet(named text: String) throws -> WalletSummary {
        if let wallet = wallets.first(where: { $0.name.text == text }) ?? wallets.first(where: { $0.id.text == text }) {
            return wallet
        }
        guard !damaged.contains(where: { $0.name?.text == text || $0.id?.text == text }) else {
            throw Failure(.vaultTampered, Words("this wallet does not open", "ce portefeuille ne s'ouvre pas"))
        }
        _ = try WalletName(text)
        // It may be one of the damaged wallets whose names can't be read.
        var missing = Failure.noWallet(text, among: wallets)
        if let failure = damage {
            (missing.detail, missing.advised, missing.hint) = (failure.detail, failure.code, nil)
        }
        throw missing
    }

    /// The failure for wallets that do not open; `nil` if all do.
    var failure: Failure? {
        let count = damaged.count + missingCount
        guard count > 0 || unreadPages > 0 else { return nil }
        let closed = Words(
            "what does not open: \(count) of \(wallets.count + count) wallets",
            "ne s'ouvrent pas : \(count) portefeuilles sur \(wallets.count + count)"
        )
        guard unreadPages > 0 else { return Failure(.vaultTampered, closed) }
        // Their contents may be whole, so this is a storage failure.
        let unread = Words("pages that can't be read: \(unreadPages)", "pages illisibles : \(unreadPages)")
        return Failure(.storageUnavailable, count > 0 ? unread + Words("; ", " ; ") + closed : unread)
    }

    /// `failure`, or else the failure for data that opens but was changed.
    var damage: Failure? {
        if let failure { return failure }
        if isLogLost { return Failure(.logUnusable) }
        // A wallet that a rekey kept without its label is permanently named by its id.
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

    /// The failure if everything opens but not as the vault wrote it: tampered with if a seal says so, else damaged.
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

    var missing: Words? {
        guard missingCount > 0 else { return nil }
        return Words("missing: ", "manquants : ") + .wallets(missingCount) + Words(" (\(ErrorCode.vaultTampered.text))")
    }

    /// Whether a wallet that opens has its label; a rekey may have kept it without one, named by its id.
    func isWhole(_ wallet: WalletSummary) -> Bool { isAuthentic || wallet.isLabelled }

    /// The JSON member that lists the wallets that open.
    var listed: (String, JSON) { ("wallets", .array(wallets.map(\.json))) }

    /// The JSON members that describe what does not open.
    var members: [(String, JSON)] {
        [
            ("damaged", .array(damaged.map(\.json))), ("missingCount", JSON(missingCount)),
            ("unreadPages", JSON(unreadPages)),
        ]
    }
}

extension WalletInventory.Damaged {
    /// The wallet's label, or else its id.
    var label: String { name?.text ?? id?.text ?? "?" }

    var json: JSON { ["name": JSON(name?.text), "id": JSON(id?.text), "code": .string(ErrorCode.vaultTampered.text)] }
}
