/// How often an account's password was changed, as its devices hear it; it only rises.
package enum PolicyEpoch {
    /// The epoch of a new account.
    package static let first: Int64 = 0

    /// The epochs that there can be: whole numbers that every reader of JSON takes for the same (RFC 7493 §2.2).
    package static let numbers: ClosedRange<Int64> = 0...(1 << 53 - 1)

    /// The epoch after one more change.
    package static func next(after epoch: Int64) -> Int64 { epoch + 1 }
}
