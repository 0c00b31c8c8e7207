/// The position of a ledger row, or of the anchor that vouches for it.
///
/// A number alone can't tell a crash from a fork: two copies of a folder write two different rows with the next number.
/// Therefore every row has its own mark, and the anchor names both.
package struct LedgerPosition: Hashable, Sendable {
    /// Increases with every attempt, failure, revocation and commit of a head; from 1.
    ///
    /// 0 is an anchor that was created and never used.
    package let sequence: UInt64
    /// 16 random bytes, for one row only.
    package let mark: Identifier

    /// Creates a position.
    package init(sequence: UInt64, mark: Identifier) {
        self.sequence = sequence
        self.mark = mark
    }

    /// Returns whether an anchor at `present` may move from `former` to `next`.
    ///
    /// Only from the position that the caller saw, and only up; at the end of the range, which only a forged anchor can
    /// reach, only the mark changes.
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
    /// Returns the position of an anchor that no commit has used yet.
    package static func founding(mark: Identifier) -> LedgerPosition { LedgerPosition(sequence: 0, mark: mark) }

    /// Whether a commit has used the anchor: until then its owner item may be deleted by the code that created it.
    package var isUsed: Bool { sequence > 0 }

    /// The stored form: 8 bytes of the number, big-endian, and 16 of the mark.
    package var bytes: [UInt8] { Identifier(high: 0, low: sequence).bytes.suffix(8) + mark.bytes }

    /// Reads the stored form; nil for any other length.
    package init?(bytes: [UInt8]) {
        guard let mark = Identifier(bytes: Array(bytes.dropFirst(8))) else { return nil }
        self.init(sequence: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, mark: mark)
    }
}
