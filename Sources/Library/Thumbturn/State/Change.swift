import ThumbturnCrypto
import ThumbturnRules

/// One change of a vault, assembled before anything is written.
struct Change {
    /// The head after the change.
    var head: Head
    /// The head's row before the change.
    let replaces: VaultStore.TaggedRow?
    /// Whether the change introduces a master key: the first one, or a replacement.
    let beginsKey: Bool
    var ledger: Ledger
    /// Slots to add.
    ///
    /// Each is read back and opened before the commit.
    var adding: [PreparedSlot] = []
    /// Wallets to add.
    ///
    /// Each is read back before the commit.
    private(set) var wallets: WalletDraft?
    /// Slots to remove, and with them the secure store's items that no other slot names.
    var removing: [SlotRecord] = []
    /// The wallets after the change; nil if they stay the same.
    private(set) var index: WalletIndex?
    /// The wallet whose row is written or deleted.
    private(set) var changed: Identifier?
    /// Events, written in the change's transaction.
    private(set) var records: [Record] = []
    /// Events that were told of before the change was assembled.
    private(set) var told: [AuditEvent] = []
    /// Why another chain of records begins with the change; nil where its head tells.
    var beginsTrail: TrailReason?

    struct Record {
        let kind: AuditEventKind
        let reason: String?
        let count: Int
    }

    /// Creates a change from a head that a session has verified.
    init(of verified: VerifiedHead, ledger: Ledger) {
        (head, replaces, beginsKey, self.ledger) = (verified.head, verified.row, false, ledger)
    }

    /// Creates a change from the first head of a key.
    init(founding head: Head, replacing row: VaultStore.TaggedRow?, ledger: Ledger) {
        (self.head, replaces, beginsKey, self.ledger) = (head, row, true, ledger)
    }

    /// Adds an event.
    mutating func record(_ kind: AuditEventKind, reason: String? = nil, count: Int = 1) {
        records.append(Record(kind: kind, reason: reason, count: count))
    }

    mutating func tell(_ events: [AuditEvent]) { told += events }

    /// Whether the change adds wallets.
    var bringsWallets: Bool { wallets?.entries.isEmpty == false }

    /// Adds wallets to those that an index names.
    mutating func bring(_ wallets: WalletDraft, into index: WalletIndex) {
        var index = index
        index.add(wallets.entries)
        self.wallets = wallets
        list(index)
    }

    /// Sets the wallets that exist after the change.
    ///
    /// - Parameter changed: the wallet whose row is written or deleted; nil for added rows.
    mutating func list(_ index: WalletIndex, changing changed: Identifier? = nil) {
        (self.index, self.changed) = (index, changed)
        head.walletCount = UInt32(clamping: index.count)
        head.walletIndexHash = index.hash
    }

    /// Removes a slot from the head, and its record from the table.
    mutating func remove(_ slot: SlotRecord) {
        head.slots.removeAll { $0.id == slot.id }
        removing.append(slot)
        if ledger.revocation?.slot == slot.id { ledger.revocation = nil }
    }

    mutating func add(_ slot: PreparedSlot) throws(VaultError) {
        head.slots.append(try slot.listing)
        adding.append(slot)
    }
}
