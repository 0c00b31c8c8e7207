/// Where a row of the ledger, or the anchor that vouches for it, stands.
///
/// A number alone can't tell a crash from a loser: two copies of a folder make two different rows with the next number. So
/// every row carries a mark of its own, and the anchor names both.
package struct LedgerPosition: Hashable, Sendable {
    /// Rises with every attempt, failure, revocation and commit of a head; from 1.
    ///
    /// 0 is an anchor that was made and never used.
    package let sequence: UInt64
    /// 16 random bytes, drawn for one row.
    package let mark: Identifier

    /// Names a position.
    package init(sequence: UInt64, mark: Identifier) {
        self.sequence = sequence
        self.mark = mark
    }

    /// Whether an anchor that stands at `present` may move from `former` to `next`: only from where the caller saw it, and
    /// only up; at the end of the range, which only an anchor that lies can reach, the mark alone changes.
    package static func mayMove(
        _ present: LedgerPosition?,
        from former: LedgerPosition?,
        to next: LedgerPosition
    ) -> Bool {
        guard present == former, former != next else { return false }
        guard let former else { return true }
        return former.sequence < next.sequence || former.sequence == .max && next.sequence == .max
    }
}

extension LedgerPosition {
    /// Where an anchor stands that no commit has used yet.
    package static func founding(mark: Identifier) -> LedgerPosition { LedgerPosition(sequence: 0, mark: mark) }

    /// Whether a commit has used the anchor: until then what it belongs to may be deleted by whoever made it.
    package var isUsed: Bool { sequence > 0 }

    /// As it is stored: 8 bytes of the number, big-endian, and 16 of the mark.
    package var bytes: [UInt8] { Identifier(high: 0, low: sequence).bytes.suffix(8) + mark.bytes }

    /// Reads what is stored; nil for any other length.
    package init?(bytes: [UInt8]) {
        guard let mark = Identifier(bytes: Array(bytes.dropFirst(8))) else { return nil }
        self.init(sequence: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, mark: mark)
    }
}
