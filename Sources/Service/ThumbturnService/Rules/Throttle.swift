package import ThumbturnRules

/// How many proofs failed in a row for one account, from one network or from all, and when the last one did.
package struct FailureCount: Hashable, Sendable {
    /// Nothing failed yet.
    package static let none = FailureCount(failures: 0, lastAt: ServiceTime(0))

    /// How many failed.
    package let failures: Int64
    /// When the last one failed.
    package let lastAt: ServiceTime

    /// A count as it was stored.
    package init(failures: Int64, lastAt: ServiceTime) {
        self.failures = failures
        self.lastAt = lastAt
    }
}

/// How long to wait after proofs that failed: some are free, then 1 s, doubling to 60 s.
///
/// It never locks: an account that could be locked would be, by strangers.
package struct Throttle: Sendable {
    /// For one account from one network.
    package static let pair = Throttle(free: 5, lapse: .minutes(15))
    /// For one account from all networks that did not prove its password within `proofLasts`: so many networks guess no
    /// faster than one, and the owner's own don't meet it.
    package static let account = Throttle(free: 100, lapse: .hours(2))
    /// How long a network is known for the owner's.
    package static let proofLasts = Milliseconds.days(30)
    private static let longest = Milliseconds.seconds(60)
    /// How far the clocks of several instances may lie apart.
    private static let skew = Milliseconds.seconds(5)

    /// How many failures cost no wait.
    package let free: Int64
    /// How long without a failure forgets all of them.
    ///
    /// So long that waiting for it allows no more than one guess a minute, as otherwise. And no longer: names that no account
    /// has share their counts, and what one left would show in another (SVC-11).
    package let lapse: Milliseconds

    /// How long to wait before the next try, counted from the last failure.
    package func delay(after failures: Int64) -> Milliseconds {
        guard failures > free else { return .zero }
        let doublings = min(failures - free - 1, 6)
        return min(.seconds(1 << doublings), Self.longest)
    }

    /// The count with one more failure, after what had lapsed was forgotten.
    package func adding(to count: FailureCount, at now: ServiceTime) -> FailureCount {
        FailureCount(failures: standing(count, at: now).failures + 1, lastAt: now)
    }

    /// What of a count counts now.
    private func standing(_ count: FailureCount, at now: ServiceTime) -> FailureCount {
        now - count.lastAt < lapse ? count : .none
    }

    /// How long a try has to wait from now on; zero where it may be made.
    ///
    /// A failure in the future was counted before the clock was set back: nobody but the service's operator can do that,
    /// and waiting until the clock is there again would lock everyone out.
    package func wait(after count: FailureCount, at now: ServiceTime) -> Milliseconds {
        let elapsed = now - count.lastAt
        guard elapsed >= .zero - Self.skew else { return .zero }
        return max(delay(after: standing(count, at: now).failures) - max(elapsed, .zero), .zero)
    }
}
