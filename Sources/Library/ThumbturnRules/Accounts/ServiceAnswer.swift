/// The answer of the account's server to a device's status request.
package enum ServiceAnswer: Hashable, Sendable {
    /// The account's policy epoch, which increases with each change of the password.
    case epoch(UInt64)
    /// The account does not list this device any more.
    case deviceRevoked
}
