/// The number of password changes of an account, reported to its devices; it only rises.
package enum PolicyEpoch {
    /// The epoch of a new account.
    package static let first: Int64 = 0

    /// The possible epochs: integers that every JSON reader represents exactly (RFC 7493 §2.2).
    package static let numbers: ClosedRange<Int64> = 0...(1 << 53 - 1)

    /// Returns the epoch after another change.
    package static func next(after epoch: Int64) -> Int64 { epoch + 1 }
}
