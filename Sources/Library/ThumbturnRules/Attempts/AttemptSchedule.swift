/// Whether a PIN may be tried now.
@nonexhaustive
public enum AttemptDecision: Hashable, Sendable {
    /// Try it.
    case allowed
    /// Not before this much more time has passed.
    case wait(Milliseconds)
    /// Not at all: ten wrong secrets, and another strong slot exists to open the vault with.
    case suspended
}

/// How long to wait after wrong PINs: the first three are free, then 30 s, 1 min, 5 min, 15 min, 1 h, 4 h.
///
/// At ten the slot is suspended if another strong slot exists, else one try per 24 h: a lock for ever would be a lost
/// wallet (A35). Storage faults are no guesses (A19), and nothing but a strong success clears the count.
package enum AttemptSchedule {
    /// From this many consecutive failures on, the slot is suspended or allows one try a day.
    package static let suspensionLimit: UInt32 = 10

    /// How much of a wait may be lost with a boot: what is less is not worth a write.
    package static let bankingInterval = Milliseconds.minutes(15)

    /// The wait before the next try, counted from the last one, with the device turned on.
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

    /// How many more wrong secrets begin no wait, with the one that does.
    package static func freeTries(after failures: UInt32) -> Int {
        var count = 0
        while delay(after: failures + UInt32(count)) == .zero { count += 1 }
        return count
    }

    /// Decides about a try now.
    ///
    /// - Parameters:
    ///   - record: what is remembered; one that isn't reliable waits the longest, but is never suspended, so that damage
    ///     to the ledger can delay its owner and not shut the door.
    ///   - otherStrongSlot: whether a verified slot other than the PIN's opens the vault.
    ///   - now: what the device's clocks read.
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
