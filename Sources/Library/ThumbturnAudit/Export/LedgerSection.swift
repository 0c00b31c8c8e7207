import ThumbturnRules

/// The leaves of a service's export that no checkpoint covers yet, as far as they were read.
///
/// What they say of that checkpoint, and of times, is kept until it comes: it tells first whether they are what was signed.
struct LedgerSection: Sendable {
    /// The first leaf's place.
    private(set) var start: UInt64 = 0
    /// What the first record carries, and its place.
    private var first: (claim: LedgerKeyring.Claim, index: UInt64)?
    /// The first record that carries something else.
    private var other: UInt64?
    /// The first leaf whose time is before that of the leaf before it.
    private var fallen: UInt64?
    private(set) var times: (first: Milliseconds, last: Milliseconds)?

    /// Takes note of the signature that a record carries.
    mutating func take(_ claim: LedgerKeyring.Claim, at index: UInt64) {
        guard let first else { return first = (claim, index) }
        if other == nil, first.claim != claim { other = index }
    }

    /// Takes note of a leaf's time.
    mutating func take(_ time: Milliseconds, at index: UInt64) {
        if let last = times?.last, time < last, fallen == nil { fallen = index }
        times = (times?.first ?? time, time)
    }

    /// Ends with the checkpoint, whose tree is right.
    ///
    /// - Parameters:
    ///   - claim: what its records have to carry.
    ///   - end: the next leaf's place.
    mutating func end(_ claim: LedgerKeyring.Claim, at end: UInt64) throws(LedgerFinding) {
        if let first, first.claim != claim { throw .signatureElsewhere(first.index) }
        if let other { throw .signatureElsewhere(other) }
        if let fallen { throw .timeFell(fallen) }
        (start, first, other) = (end, nil, nil)
    }
}
