/// What is remembered of wrong PINs: how many in a row, what was waited since, and whether to believe it.
package struct AttemptRecord: Hashable, Sendable {
    /// Consecutive wrong secrets, each counted before its KDF ran (A10).
    package var failures: UInt32
    /// From when on the current delay is measured; nil when no secret was ever wrong, or the boot had no name.
    package var since: ClockReading?
    /// What was waited of the current delay before `since`.
    package var banked: Milliseconds
    /// False once the ledger was found missing, forged, unreadable or older than its anchor (INV-107-08).
    package var isReliable: Bool

    /// Makes a record; the default remembers nothing.
    package init(
        failures: UInt32 = 0,
        since: ClockReading? = nil,
        banked: Milliseconds = .zero,
        isReliable: Bool = true
    ) {
        self.failures = failures
        self.since = since
        self.banked = banked
        self.isReliable = isReliable
    }

    /// The strictest reading, dated now: what a ledger that can't be believed is replaced with (A8, A20).
    package static func unreliable(at now: ClockReading) -> AttemptRecord {
        AttemptRecord(failures: AttemptSchedule.suspensionLimit, since: now.date, isReliable: false)
    }

    /// The record after one more attempt has begun, and with it a new delay.
    ///
    /// It is written before the KDF runs, so a crash counts as a wrong secret.
    package func countingAttempt(at now: ClockReading) -> AttemptRecord {
        var next = self
        next.failures = failures == .max ? .max : failures + 1
        next.since = now.date
        next.banked = .zero
        return next
    }

    /// What was waited of the current delay: what is banked, and the time that the device was surely turned on since.
    package func waited(at now: ClockReading) -> Milliseconds {
        max(banked, .zero) + (since.map { now.timeTurnedOn(since: $0) } ?? .zero)
    }

    /// The record with what was waited banked, and measured from now on; nil where nothing is to be written.
    ///
    /// That is the first look in each boot, since nobody can say later how long the last one ran, and one in fifteen
    /// minutes; never once the wait is over, nor in a boot without a name, which keeps what was banked. So neither a
    /// reboot nor a clock restarts a wait, and who looks once a boot gets to its end (A14, A15, A16, A35).
    package func banking(at now: ClockReading) -> AttemptRecord? {
        guard banked < delay, let date = now.date, !isMeasured(at: now) else { return nil }
        var next = self
        next.since = date
        next.banked = min(waited(at: now), delay)
        return next
    }

    /// The wait before the next try, of which a record that can't be believed has the longest, whatever it says (A8, A20).
    var delay: Milliseconds {
        AttemptSchedule.delay(after: isReliable ? failures : max(failures, AttemptSchedule.suspensionLimit))
    }

    /// Whether this boot measures the wait already, and too little of it to be worth a write.
    private func isMeasured(at now: ClockReading) -> Bool {
        guard let since, since.bootID == now.bootID else { return false }
        let span = now.boottime - since.boottime
        // Boot time that went back is another boot's: without a new date it might never come to where the old one stood.
        return span >= .zero - TimeRelation.tolerance && span < AttemptSchedule.bankingInterval
    }
}

extension ClockReading {
    /// The reading, to measure from later; nil where the boot has no name.
    fileprivate var date: ClockReading? { bootName == .none ? nil : self }
}
