/// What a ledger that fits its anchor says of the head that is stored beside it.
///
/// Every commit of a head names it in the ledger, so one that the ledger names is authentic while locked.
package enum HeadStanding: Hashable, Sendable {
    /// It is the one that was written last.
    case named
    /// An older head was put back or this one was changed, or the ledger had to be made anew and knows none.
    case putBack

    /// - Parameter digest: the SHA-256 of what is stored; nil where nothing is.
    package init(of digest: [UInt8]?, in ledger: Ledger) {
        guard let named = ledger.head else {
            self = .putBack
            return
        }
        self = named == digest ? .named : .putBack
    }
}
