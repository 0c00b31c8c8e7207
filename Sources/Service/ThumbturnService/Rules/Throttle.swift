package import ThumbturnRules

/// The number of consecutive failed proofs for an account, from one network or all, and the time of the last.
package struct FailureCount: Hashable, Sendable {
    /// No failures.
    package static let none = FailureCount(failures: 0, lastAt: ServiceTime(0))

    /// The number of failures.
    package let failures: Int64
    /// The time of the last failure.
    package let lastAt: ServiceTime

    /// Creates a count from stored values.
    package init(failures: Int64, lastAt: ServiceTime) {
        self.failures = failures
        self.lastAt = lastAt
    }
}

/// The delay after failed proofs: some are free, then 1 s, doubling to 60 s.
///
/// It never locks an account: otherwise strangers could lock it.
package struct Throttle: Sendable {
    /// For one account from one network.
    package static let pair = Throttle(free: 5, lapse: .minutes(15))
    /// For one account from all networks that have not proved its password within `proofLasts`: so many networks guess
    /// no faster than one, and the owner's own networks are not delayed.
    package static let account = Throttle(free: 100, lapse: .hours(2))
    /// How long a network counts as the owner's.
    package static let proofLasts = Milliseconds.days(30)
    private static let longest = Milliseconds.seconds(60)
    /// The assumed maximum difference between the clocks of instances.
    private static let skew = Milliseconds.seconds(5)

    /// The number of failures without a delay.
    package let free: Int64
    /// The time without a failure after which all are forgotten.
    ///
    /// Long enough that waiting for it allows no more than the usual guess per minute. Not longer, because unknown
    /// names share counters, and the failures of one would show in another (SVC-11).
    package let lapse: Milliseconds

    /// Returns the delay before the next attempt, counted from the last failure.
    package func delay(after failures: Int64) -> Milliseconds {
        guard failures > free else { return .zero }
        let doublings = min(failures - free - 1, 6)
        return min(.seconds(1 << doublings), Self.longest)
    }

    /// Returns the count with one more failure, after dropping lapsed ones.
    package func adding(to count: FailureCount, at now: ServiceTime) -> FailureCount {
        FailureCount(failures: standing(count, at: now).failures + 1, lastAt: now)
    }

    /// Returns the count without lapsed failures.
    private func standing(_ count: FailureCount, at now: ServiceTime) -> FailureCount {
        now - count.lastAt < lapse ? count : .none
    }

    /// Returns how long an attempt has to wait from now on; zero if it may be made.
    ///
    /// A failure in the future was counted before the clock was set back. Only the operator can do that, and waiting
    /// until the clock catches up would lock out everyone.
    package func wait(after count: FailureCount, at now: ServiceTime) -> Milliseconds {
        let elapsed = now - count.lastAt
        guard elapsed >= .zero - Self.skew else { return .zero }
        return max(delay(after: standing(count, at: now).failures) - max(elapsed, .zero), .zero)
    }
}
