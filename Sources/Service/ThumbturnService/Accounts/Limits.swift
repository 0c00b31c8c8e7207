/// The limits of the service's load.
package struct Limits: Sendable {
    /// The maximum number of logins that a network may start per minute at one instance, for all names.
    package var logins = MinuteLimit(most: 1_200)
    /// The maximum number of failed proofs from a network per minute, for all names.
    package var failures = MinuteLimit(most: 300)
    /// The maximum number of registrations by a network per minute; attempts on taken names count too, because they
    /// reveal that.
    package var registrations = MinuteLimit(most: 400)
    /// The maximum number of accounts, over all instances; `nil` for no limit.
    package var accounts: Int64?
    /// The maximum number of open handshakes, over all instances: at most 200 MB in the store.
    package var openHandshakes: Int64 = 100_000
    /// The maximum number of them for one network, so that none uses them all up.
    package var openHandshakesOfNetwork: Int64 = 2_000

    package init() {}
}
