import ThumbturnCrypto
public import ThumbturnRules

/// The wallets of a vault or backup one by one: which open, and which do not.
public struct WalletInventory: Hashable, Sendable {
    /// A row that does not open.
    public struct Damaged: Hashable, Sendable {
        /// The wallet's id; nil when not even that can be read.
        public let id: Identifier?
        /// The wallet's name, if its label opens.
        public let name: WalletName?
    }

    /// Every wallet that opens, sorted by name; one with a damaged label has its id as name, and no date.
    public internal(set) var wallets: [WalletSummary] = []
    /// Every row that does not open.
    public internal(set) var damaged: [Damaged] = []
    /// How many more wallets an authentic head counts; 0 without such a head.
    public internal(set) var missingCount = 0
    /// How many unreadable pages may have contained missing wallets.
    package internal(set) var unreadPages = 0
    /// Whether an unusable log lies beside the file, so that the latest changes may be missing.
    package internal(set) var isLogLost = false
    /// Whether no head was found that lists the wallets: this is damage, not evidence of tampering.
    package internal(set) var isHeadMissing = false
    /// Whether head and rows are as the vault wrote them.
    public internal(set) var isAuthentic = false

    /// Collects the result of opening rows one after the other.
    struct Counting {
        private var opened: [Identifier: WalletSummary] = [:]
        private var damaged: Set<Damaged> = []

        /// Opens a row and records the result.
        ///
        /// - Returns: the wallet that opens, and whether it was known before; nil when none opens.
        @discardableResult
        mutating func take(
            _ row: StoredWallet,
            key: borrowing MasterKey,
            vault: Identifier
        ) -> (id: Identifier, isKnown: Bool)? {
            guard let wallet = key.open(row, vault: vault) else {
                let label = key.label(of: row, vault: vault)
                damaged.insert(Damaged(id: label?.id ?? row.ids.first, name: label?.name))
                return nil
            }
            let summary = wallet.summary
            // A damaged page may show a row twice; prefer the one with a label.
            if let known = opened[summary.id], known.isLabelled || !summary.isLabelled { return (summary.id, true) }
            opened[summary.id] = summary
            return (summary.id, false)
        }

        /// Returns whether a wallet opened, with its label.
        func knows(_ id: Identifier) -> Bool { opened[id]?.isLabelled == true }

        /// Returns the inventory of the rows so far.
        ///
        /// - Parameter count: the number of wallets in an authentic head.
        func inventory(of count: Int?, isAuthentic: Bool = false, unreadPages: Int = 0) -> WalletInventory {
            var inventory = WalletInventory(isAuthentic: isAuthentic)
            inventory.wallets = opened.values.sorted { $0.precedes($1) }
            inventory.damaged = damaged.filter { row in row.id.map { opened[$0] == nil } ?? true }
                .sorted { ($0.id?.text ?? "") < ($1.id?.text ?? "") }
            inventory.missingCount = max(0, (count ?? 0) - opened.count - inventory.damaged.count)
            let isWhole = count != nil && inventory.missingCount == 0 && inventory.damaged.isEmpty
            inventory.unreadPages = isWhole ? 0 : unreadPages
            return inventory
        }
    }
}

extension WalletSummary {
    /// Whether the label opened; otherwise the id stands in for the name.
    package var isLabelled: Bool { name.text.utf8.count != 32 || name.text != id.text }
}
