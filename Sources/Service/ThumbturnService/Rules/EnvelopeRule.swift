import ThumbturnCrypto

/// The rule for replacing an envelope.
///
/// An envelope has the only copy of a key that a device's slots need, so no change may omit it. A client that replaces
/// one names it: if it did not see the newest, it would drop the keys in that.
package enum EnvelopeRule {
    /// The maximum size of an envelope.
    package static let mostBytes = 4_096

    /// A violation of the rule.
    package enum Breach: Error, Hashable {
        /// The account has an envelope, and the change has none.
        case missing
        /// The present envelope differs from the one named, or exists although none is named.
        case moved
    }

    /// Checks that `new` may replace `current`.
    ///
    /// - Parameter previous: the SHA-256 of the envelope that the client knows; `nil` if it knows none.
    package static func check(_ new: [UInt8]?, replacing current: [UInt8]?, previous: [UInt8]?) throws(Breach) {
        guard current == nil || new != nil else { throw .missing }
        guard current.map({ SHA256.digest($0) }) == previous else { throw .moved }
    }
}
