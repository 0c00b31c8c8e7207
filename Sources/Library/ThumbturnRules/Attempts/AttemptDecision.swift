/// Whether a PIN may be tried now.
@nonexhaustive
public enum AttemptDecision: Hashable, Sendable {
    /// It may be tried.
    case allowed
    /// It may be tried after this much more time.
    case wait(Milliseconds)
    /// It may not be tried: ten wrong secrets, and another strong slot can open the vault.
    case suspended
}

extension AttemptSchedule {
    /// Decides about a try now.
    ///
    /// - Parameters:
    ///   - record: the attempts so far; an unreliable record waits the longest, but is never suspended, so that a
    ///     damaged ledger can delay the owner but not lock them out.
    ///   - otherStrongSlot: whether a verified slot other than the PIN's opens the vault.
    ///   - now: the device's clocks.
    package static func decision(
        for record: AttemptRecord,
        otherStrongSlot: Bool,
        at now: ClockReading
    ) -> AttemptDecision {
        if record.failures >= suspensionLimit, record.isReliable, otherStrongSlot { return .suspended }
        let waited = record.waited(at: now)
        return waited >= record.delay ? .allowed : .wait(record.delay - waited)
    }
}
