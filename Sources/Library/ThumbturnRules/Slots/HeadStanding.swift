/// What a ledger that matches its anchor says about the stored head.
///
/// Every commit names the new head in the ledger, so a head that the ledger names is authentic even while locked.
package enum HeadStanding: Hashable, Sendable {
    /// It is the one that was written last.
    case named
    /// The head was rolled back or edited, or the ledger was recreated and names none.
    case putBack

    /// Compares a stored head with the ledger.
    ///
    /// - Parameter digest: the SHA-256 of the stored head; nil when there is none.
    package init(of digest: [UInt8]?, in ledger: Ledger) {
        guard let named = ledger.head else {
            self = .putBack
            return
        }
        self = named == digest ? .named : .putBack
    }
}
