/// What the account's server answers a device that asks whether all is as it was.
package enum ServerWord: Hashable, Sendable {
    /// The account's policy epoch, which rises with each change of the password.
    case epoch(UInt64)
    /// The account lists this device no more.
    case deviceRevoked
}
