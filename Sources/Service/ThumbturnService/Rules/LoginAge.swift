package import ThumbturnRules

/// The rights of a login by its age.
///
/// A login in the future means that the clock was set back, or that another instance's clock is ahead. Up to a minute
/// is tolerated; beyond that the login's age is unknown, and it is not fresh.
package enum LoginAge {
    /// How long a token is valid.
    package static let tokenLasts = Milliseconds.minutes(15)
    /// How long an open handshake is valid.
    package static let handshakeLasts = Milliseconds.seconds(60)

    private static let freshLasts = Milliseconds.minutes(5)
    private static let skew = Milliseconds.minutes(1)

    /// Returns whether a login is fresh enough to change the account; a change does not make it fresher.
    package static func isFresh(since login: ServiceTime, at now: ServiceTime) -> Bool {
        let age = now - login
        return age < freshLasts && age >= .zero - skew
    }

    /// Returns whether `end` has not been reached.
    package static func lasts(until end: ServiceTime, at now: ServiceTime) -> Bool { now < end }
}
