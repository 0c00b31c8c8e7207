import ThumbturnCrypto

/// Which envelope may take the place of another.
///
/// An envelope holds the only copy of a key that a device's slots need, so no change may leave it out. A client that replaces
/// one says which: if it did not see the newest, it would drop the keys in it.
package enum EnvelopeRule {
    /// The most bytes of an envelope.
    package static let mostBytes = 4_096

    /// What is wrong with a replacement.
    package enum Breach: Error, Hashable {
        /// The account has an envelope, and the change brings none.
        case missing
        /// Another one is there than the change says, or one where it says none.
        case moved
    }

    /// Checks that `new` may be put in the place of `current`.
    ///
    /// - Parameter previous: the SHA-256 of the envelope that the client knows; nil where it knows none.
    package static func check(
        _ new: [UInt8]?,
        replacing current: [UInt8]?,
        previous: [UInt8]?
    ) throws(Breach) {
        guard current == nil || new != nil else { throw .missing }
        guard current.map({ SHA256.digest($0) }) == previous else { throw .moved }
    }
}
