import ThumbturnRules

/// A head as it stands in the store, which no key has verified.
///
/// It steers what is asked, and opens nothing. It can be read and not taken out, so that nothing of it is ever written anew:
/// what is committed begins from a `VerifiedHead`, or from a head of our own.
@dynamicMemberLookup
struct UnverifiedHead {
    private let head: Head

    init(_ head: Head) {
        self.head = head
    }

    subscript<Value>(dynamicMember member: KeyPath<Head, Value>) -> Value { head[keyPath: member] }

    func slot(_ kind: SlotKind) -> Head.Slot? { head.slot(kind) }

    /// Whether it lists these wallets.
    func names(_ index: WalletIndex) -> Bool { index.isNamed(by: head) }

    /// Whether a note of a backup is about these wallets, as they are.
    func isCurrent(in note: BackupNote) -> Bool { note.isCurrent(for: head) }

    /// Whether it is what is stored, and was not made up because that can't be read.
    func isStored(as row: VaultStore.TaggedRow) -> Bool { row.body == head.bytes }
}
