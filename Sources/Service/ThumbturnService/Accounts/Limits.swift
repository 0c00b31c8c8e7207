/// How much the service bears.
package struct Limits: Sendable {
    /// How many logins one network may begin in a minute at one instance, whatever the names.
    package var logins = MinuteLimit(most: 1_200)
    /// How many proofs may fail from one network in a minute, whatever the names.
    package var failures = MinuteLimit(most: 300)
    /// How many accounts one network may register in a minute; what finds the name taken counts too, for it tells.
    package var registrations = MinuteLimit(most: 400)
    /// How many accounts there may be, of all instances; nil for any number.
    package var accounts: Int64?
    /// How many handshakes may be open at once, of all instances: 200 MB of the store at most.
    package var openHandshakes: Int64 = 100_000
    /// How many of them may be one network's, so that none takes them all.
    package var openHandshakesOfNetwork: Int64 = 2_000

    package init() {}
}
