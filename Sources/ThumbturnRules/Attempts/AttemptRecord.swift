/// What is remembered of wrong local secrets: how many in a row, since when the current delay runs, and whether to believe it.
public struct AttemptRecord: Hashable, Sendable {
    /// Consecutive wrong secrets, each counted before its KDF ran (A10).
    public var failures: UInt32
    /// When the current delay started; nil when no secret was ever wrong.
    public var since: ClockReading?
    /// False once the ledger was found missing, forged, unreadable or older than its anchor (INV-107-08).
    public var isReliable: Bool

    /// Makes a record; the default remembers nothing.
    public init(failures: UInt32 = 0, since: ClockReading? = nil, isReliable: Bool = true) {
        self.failures = failures
        self.since = since
        self.isReliable = isReliable
    }

    /// The strictest reading, dated now: what a ledger that can't be believed is replaced with (A8, A20).
    public static func unreliable(at now: ClockReading) -> AttemptRecord {
        AttemptRecord(failures: AttemptSchedule.suspensionLimit, since: now, isReliable: false)
    }

    /// The record after one more attempt has begun.
    ///
    /// It is written before the KDF runs, so a crash counts as a wrong secret.
    public func countingAttempt(at now: ClockReading) -> AttemptRecord {
        let (sum, overflow) = failures.addingReportingOverflow(1)
        return AttemptRecord(failures: overflow ? failures : sum, since: now, isReliable: isReliable)
    }

    /// The failures to decide by: a record that can't be believed stands for the most, whatever it says (A8, A20).
    var countedFailures: UInt32 { isReliable ? failures : max(failures, AttemptSchedule.suspensionLimit) }

    /// The record with its delay started again from now, where its date is missing or can't be compared with now; nil
    /// when it can, and when no delay runs.
    ///
    /// After a reboot a running delay starts again from this boot's first reading, and a clock that went backward dates it
    /// anew: wall time alone never shortens a wait, and no wait can grow past its step of the schedule (A14, A15, A16).
    public func redated(at now: ClockReading) -> AttemptRecord? {
        guard AttemptSchedule.delay(after: countedFailures) > .zero else { return nil }
        let redated = AttemptRecord(failures: failures, since: now, isReliable: isReliable)
        guard let since else { return redated }
        switch ClockReading.relation(from: since, to: now) {
        case .elapsed, .wallMoved: return nil
        case .backward, .rebooted: return redated
        }
    }
}
