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

/// The waits after wrong PINs: the first three are free, then 30 s, 1 min, 5 min, 15 min, 1 h, 4 h.
///
/// At ten the slot is suspended if another strong slot exists, otherwise one try per 24 h is allowed: suspending for
/// ever would lose the wallet (A35). Storage faults are not guesses (A19), and only a strong success clears the count.
package enum AttemptSchedule {
    /// From this many consecutive failures on, the slot is suspended or allows one try a day.
    package static let suspensionLimit: UInt32 = 10

    /// How much of a wait a reboot may lose: less is not worth a write.
    package static let bankingInterval = Milliseconds.minutes(15)

    /// Returns the wait before the next try, counted from the last one while the device is on.
    package static func delay(after failures: UInt32) -> Milliseconds {
        switch failures {
        case 0...3: .zero
        case 4: .seconds(30)
        case 5: .minutes(1)
        case 6: .minutes(5)
        case 7: .minutes(15)
        case 8: .hours(1)
        case 9: .hours(4)
        default: .hours(24)
        }
    }

    /// Returns how many more wrong secrets may be tried, including the one that starts a wait.
    package static func freeTries(after failures: UInt32) -> Int {
        var count = 0
        while delay(after: failures + UInt32(count)) == .zero { count += 1 }
        return count
    }

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
