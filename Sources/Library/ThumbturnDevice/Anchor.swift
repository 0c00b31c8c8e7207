package import ThumbturnCrypto
package import ThumbturnRules

/// What vouches for the newest row of a ledger: a number and a mark, kept apart from the vault's file, one for each ledger's
/// secret.
///
/// A ledger that its anchor does not name was put back, or lost a race against another copy of the folder. `softwareFile` and
/// `simulated` devices can be rolled back together with the file, and their assurance says so (A8, A9).
package protocol Anchor: Sendable {
    /// Reads where the anchor of a secret stands; nil when it is confirmed not to exist.
    ///
    /// - Throws: `.damaged` for one that is there and not whole, `.unavailable` when nothing can be said.
    func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition?

    /// Moves the anchor of a secret, durably and in one step, where it stands at `former`, and never down; nil makes one.
    ///
    /// Nil also takes the place of a damaged one, but not with a position that no commit has used (A25).
    ///
    /// - Returns: whether this call moved it. False says that it stood elsewhere, and that nothing changed: of two copies of
    ///   a vault that begin in the same place, one moves it (A12).
    /// - Throws: `.unavailable` when it may have been moved, or may not.
    func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool

    /// Removes the anchor of a secret that is gone.
    ///
    /// - Throws: `.unavailable` when it may still be there.
    func remove(for secret: ItemName) async throws(DeviceRefusal)
}

extension LedgerPosition {
    /// Reads a position as it stands among other fields: its `bytes`.
    package init(from reader: inout ByteReader) throws(CryptoError) {
        guard let position = LedgerPosition(bytes: try reader.readFixed(24)) else { throw .malformed }
        self = position
    }
}
