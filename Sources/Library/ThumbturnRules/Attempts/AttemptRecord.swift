/// The record of wrong PINs: how many in a row, how long was waited since, and whether to believe it.
package struct AttemptRecord: Hashable, Sendable {
    /// Consecutive wrong secrets, each counted before its KDF runs (A10).
    package var failures: UInt32
    /// When measuring the current delay began; nil when no secret was wrong yet, or the boot had no name.
    package var since: ClockReading?
    /// The part of the current delay that was waited before `since`.
    package var banked: Milliseconds
    /// False once the ledger was missing, forged, unreadable or older than its anchor (INV-107-08).
    package var isReliable: Bool

    /// Creates a record; the default is an empty one.
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

    /// Returns the strictest record, dated now, which replaces that of a ledger that can't be believed (A8, A20).
    package static func unreliable(at now: ClockReading) -> AttemptRecord {
        AttemptRecord(failures: AttemptSchedule.suspensionLimit, since: now.date, isReliable: false)
    }

    /// Returns the record after one more attempt has begun, which starts a new delay.
    ///
    /// It is written before the KDF runs, so a crash counts as a wrong secret.
    package func countingAttempt(at now: ClockReading) -> AttemptRecord {
        var next = self
        next.failures = failures == .max ? .max : failures + 1
        next.since = now.date
        next.banked = .zero
        return next
    }

    /// Returns how long the current delay was waited: the banked time, and the time that the device was surely on
    /// since.
    package func waited(at now: ClockReading) -> Milliseconds {
        max(banked, .zero) + (since.map { now.timeTurnedOn(since: $0) } ?? .zero)
    }

    /// Returns the record with the time waited so far banked, measuring from now on; nil when nothing needs to be
    /// written.
    ///
    /// Banks on the first look in each boot, since a boot's end can't be known later, and then every fifteen minutes;
    /// never once the wait is over, nor in a boot without a name, which keeps the banked time. So neither a reboot nor
    /// a clock restarts a wait, and looking once per boot is enough to finish it (A14, A15, A16, A35).
    package func banking(at now: ClockReading) -> AttemptRecord? {
        guard banked < delay, let date = now.date, !isMeasured(at: now) else { return nil }
        var next = self
        next.since = date
        next.banked = min(waited(at: now), delay)
        return next
    }

    /// The wait before the next try; a record that can't be believed always has the longest (A8, A20).
    var delay: Milliseconds {
        AttemptSchedule.delay(after: isReliable ? failures : max(failures, AttemptSchedule.suspensionLimit))
    }

    /// Returns whether this boot already measures the wait, and too little of it to be worth a write.
    private func isMeasured(at now: ClockReading) -> Bool {
        guard let since, since.bootID == now.bootID else { return false }
        let span = now.boottime - since.boottime
        // Boot time that went back is another boot's: without a new date it might never reach the old one.
        return span >= .zero - TimeRelation.tolerance && span < AttemptSchedule.bankingInterval
    }
}

extension ClockReading {
    /// The reading, for measuring from later; nil when the boot has no name.
    fileprivate var date: ClockReading? { bootName == .none ? nil : self }
}
