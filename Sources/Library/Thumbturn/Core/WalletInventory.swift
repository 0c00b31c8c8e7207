import ThumbturnCrypto
public import ThumbturnRules

/// The wallets of a vault or of a backup one by one: what opens, and what does not.
public struct WalletInventory: Hashable, Sendable {
    /// A row that does not open.
    public struct Damaged: Hashable, Sendable {
        /// Which wallet it was; nil where not even that can be read.
        public let id: Identifier?
        /// What its owner calls it, where its label opens.
        public let name: WalletName?
    }

    /// Every wallet that opens, by name; one whose label is damaged has its id for a name, and no date.
    public internal(set) var wallets: [WalletSummary] = []
    /// Every row that does not.
    public internal(set) var damaged: [Damaged] = []
    /// How many wallets more there were, by a head that is authentic; 0 where none is.
    public internal(set) var missingCount = 0
    /// How many pages of the file could not be read, where what they held may be missing.
    package internal(set) var unreadPages = 0
    /// Whether a log lies beside the file that can't be used, so that what was stored last may be missing.
    package internal(set) var isLogLost = false
    /// Whether nothing was found that could say which wallets there are: that is damage, and nobody need have changed anything.
    package internal(set) var isHeadMissing = false
    /// Whether head and rows stand as the vault wrote them.
    public internal(set) var isAuthentic = false

    /// Opens one row after the other.
    struct Counting {
        private var opened: [Identifier: WalletSummary] = [:]
        private var damaged: Set<Damaged> = []

        /// Opens a row, and keeps what it is.
        ///
        /// - Returns: which wallet opens, and whether it did before; nil for none.
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
            // A damaged page may show a row twice; the one with a label says more.
            if let known = opened[summary.id], known.isLabelled || !summary.isLabelled { return (summary.id, true) }
            opened[summary.id] = summary
            return (summary.id, false)
        }

        /// Whether a wallet opened, with its label.
        func knows(_ id: Identifier) -> Bool { opened[id]?.isLabelled == true }

        /// - Parameter count: how many wallets there are by an authentic head.
        func inventory(of count: Int?, isAuthentic: Bool = false, unreadPages: Int = 0) -> WalletInventory {
            var inventory = WalletInventory(isAuthentic: isAuthentic)
            inventory.wallets = opened.values.sorted { $0.name.text < $1.name.text }
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
    /// Whether its label opened; else its id stands for its name.
    package var isLabelled: Bool { name.text.utf8.count != 32 || name.text != id.text }
}
