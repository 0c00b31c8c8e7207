package import ThumbturnRules

/// What a login allows while it is young.
///
/// A time before the login is one of a clock that was set back, or of another instance whose clock lies behind. Up to a
/// minute is let pass; beyond it nothing can be said of the login's age, and it is no longer fresh.
package enum LoginAge {
    /// How long a token lasts.
    package static let tokenLasts = Milliseconds.minutes(15)
    /// How long an open handshake lasts.
    package static let handshakeLasts = Milliseconds.seconds(60)

    private static let freshLasts = Milliseconds.minutes(5)
    private static let skew = Milliseconds.minutes(1)

    /// Whether a login allows what changes the account: a change does not make it fresher.
    package static func isFresh(since login: ServiceTime, at now: ServiceTime) -> Bool {
        let age = now - login
        return age < freshLasts && age >= .zero - skew
    }

    /// Whether what was made to last until then still does.
    package static func lasts(until end: ServiceTime, at now: ServiceTime) -> Bool { now < end }
}
