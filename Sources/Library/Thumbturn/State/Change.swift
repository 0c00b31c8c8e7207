import ThumbturnCrypto
import ThumbturnRules

/// One change of a vault, put together before anything is written.
struct Change {
    /// The head that there is afterwards.
    var head: Head
    /// The row that stands until then.
    let replaces: VaultStore.TaggedRow?
    /// Whether another key opens the vault afterwards, or the first one.
    let beginsKey: Bool
    var ledger: Ledger
    /// Slots that come in.
    ///
    /// Each is read back and opened before the commit.
    var adding: [PreparedSlot] = []
    /// Wallets that come in.
    ///
    /// Each is read back before the commit.
    private(set) var wallets: WalletDraft?
    /// Slots that go, and with them what no other slot has in the secure store.
    var removing: [SlotRecord] = []
    /// The wallets that there are afterwards; nil where they stay.
    private(set) var index: WalletIndex?
    /// The wallet whose row is written or goes.
    private(set) var changed: Identifier?
    /// What happened, for the audit: it is reported once the change stands, whatever fails afterwards.
    private(set) var records: [Record] = []

    struct Record {
        let kind: AuditEventKind
        let reason: String?
    }

    /// From a head that a session holds for the vault's own.
    init(of verified: VerifiedHead, ledger: Ledger) {
        (head, replaces, beginsKey, self.ledger) = (verified.head, verified.row, false, ledger)
    }

    /// From the first head of a key.
    init(founding head: Head, replacing row: VaultStore.TaggedRow?, ledger: Ledger) {
        (self.head, replaces, beginsKey, self.ledger) = (head, row, true, ledger)
    }

    mutating func record(_ kind: AuditEventKind, reason: String? = nil) {
        records.append(Record(kind: kind, reason: reason))
    }

    /// Whether a wallet comes in.
    var bringsWallets: Bool { wallets?.entries.isEmpty == false }

    /// Lets wallets in beside those that an index names.
    mutating func bring(_ wallets: WalletDraft, into index: WalletIndex) {
        var index = index
        index.add(wallets.entries)
        self.wallets = wallets
        list(index)
    }

    /// Names the wallets that there are afterwards.
    ///
    /// - Parameter changed: the one whose row is written or goes; nil for rows that come in.
    mutating func list(_ index: WalletIndex, changing changed: Identifier? = nil) {
        (self.index, self.changed) = (index, changed)
        head.walletCount = UInt32(clamping: index.count)
        head.walletIndexHash = index.hash
    }

    /// Takes a slot out of the head, and its record out of the table.
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
