import ThumbturnRules

// Time in the model: every record is dated now, in this boot or in an earlier one, and a wait is over or is not. A wait that
// is over is a later reading; nothing else depends on how much time went by.
extension ClockReading {
    /// A boot that just began: one that ran for longer than a wait ends it, whatever the wall clock says.
    static let now = ClockReading(wall: .days(20_000), boottime: .seconds(1), bootID: Identifier(high: 0, low: 2))

    /// The same in a boot that is over.
    static let earlierBoot = ClockReading(
        wall: .days(20_000),
        boottime: .seconds(1),
        bootID: Identifier(high: 0, low: 1)
    )

    /// When every wait of the schedule that began now is over.
    static let afterWaits = ClockReading(
        wall: .days(20_000) + .hours(25),
        boottime: .seconds(1) + .hours(25),
        bootID: ClockReading.now.bootID
    )

    /// What the clocks read that somebody set to be past every wait, and back.
    static let whenSet = [
        ClockReading.now,
        ClockReading(wall: .days(20_002), boottime: .seconds(1), bootID: ClockReading.now.bootID),
        ClockReading(wall: .days(19_000), boottime: .seconds(1), bootID: ClockReading.now.bootID),
    ]
}

extension AttemptRecord {
    /// Whether the wait ends while the device stays on.
    var waitEnds: Bool { AttemptSchedule.decision(for: self, otherStrongSlot: false, at: .afterWaits) == .allowed }

    /// Whether a clock that was set ends a wait, which only time may.
    var isShortenedByClocks: Bool {
        let mustWait = AttemptSchedule.delay(after: failures) > .zero || !isReliable
        return mustWait
            && ClockReading.whenSet.contains { reading in
                AttemptSchedule.decision(for: self, otherStrongSlot: false, at: reading) == .allowed
            }
    }

    /// The record in the boot after the one that it was dated in.
    var afterBoot: AttemptRecord {
        AttemptRecord(failures: failures, since: since.map { _ in .earlierBoot }, isReliable: isReliable)
    }
}

extension Ledger {
    var afterBoot: Ledger {
        var row = self
        row.attempts = attempts.afterBoot
        row.beforeAttempt = beforeAttempt?.afterBoot
        return row
    }

    /// The row with its wait dated now, where it would not end else; nil where it needs none.
    var dated: Ledger? {
        guard !attempts.waitEnds else { return nil }
        var row = self
        row.attempts = AttemptRecord(failures: attempts.failures, since: .now, isReliable: attempts.isReliable)
        return row
    }

    /// The row after a strong success.
    var cleared: Ledger {
        var row = self
        row.attempts = AttemptRecord()
        row.beforeAttempt = nil
        row.biometricFailures = 0
        return row
    }
}
