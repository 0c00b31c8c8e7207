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
}
