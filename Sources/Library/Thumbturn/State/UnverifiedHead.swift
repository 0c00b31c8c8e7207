import ThumbturnRules

/// A stored head that no key has verified.
///
/// It decides what to ask for, and opens nothing. Its fields can be read but not the whole, so that it is never written
/// again: a commit starts from a `VerifiedHead`, or from a head of our own.
@dynamicMemberLookup
struct UnverifiedHead {
    private let head: Head

    init(_ head: Head) { self.head = head }

    subscript<Value>(dynamicMember member: KeyPath<Head, Value>) -> Value { head[keyPath: member] }

    func slot(_ kind: SlotKind) -> Head.Slot? { head.slot(kind) }

    /// Returns whether the head lists these wallets.
    func names(_ index: WalletIndex) -> Bool { head.names(index) }

    /// Returns whether the head lists the wallets that a session verified.
    ///
    /// A generation would not tell: two copies of a vault may both reach it.
    func names(_ known: KnownWallets) -> Bool {
        known.hash == head.walletIndexHash && known.entries.count == Int(head.walletCount)
    }

    /// Returns whether a backup note describes these wallets in their current state.
    func isCurrent(in note: BackupNote) -> Bool { note.isCurrent(for: head) }

    /// Returns whether the head is the stored row, not made up because that can't be read.
    func isStored(as row: VaultStore.TaggedRow) -> Bool { row.body == head.bytes }
}
