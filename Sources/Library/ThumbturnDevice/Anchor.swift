package import ThumbturnCrypto
package import ThumbturnRules

/// Proves which row of a ledger is the newest: a number and a mark for each ledger's secret, kept apart from the
/// vault's file.
///
/// A ledger whose anchor names another row was rolled back, or lost a race against another copy of the folder.
/// `softwareFile` and `simulated` devices can be rolled back together with the file, and their assurance says so (A8,
/// A9).
package protocol Anchor: Sendable {
    /// Reads the position of a secret's anchor; nil when it is confirmed to be missing.
    ///
    /// - Throws: `.damaged` for a damaged anchor, `.unavailable` when the position is unknown.
    func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition?

    /// Moves a secret's anchor durably and atomically from `former` to `next`, never down; nil creates one.
    ///
    /// Nil also replaces a damaged anchor, but not with a position that no commit has used (A25).
    ///
    /// - Returns: whether this call moved it. False means that it had another position, and that nothing changed: if
    ///   two copies of a vault start from the same position, only one can move it (A12).
    /// - Throws: `.unavailable` when the move may or may not have happened.
    func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool

    /// Removes the anchor of a deleted secret.
    ///
    /// - Throws: `.unavailable` when it may still exist.
    func remove(for secret: ItemName) async throws(DeviceRefusal)
}

extension LedgerPosition {
    /// Reads a position's `bytes` from between other fields.
    package init(from reader: inout ByteReader) throws(CryptoError) {
        guard let position = LedgerPosition(bytes: try reader.readFixed(24)) else { throw .malformed }
        self = position
    }
}
