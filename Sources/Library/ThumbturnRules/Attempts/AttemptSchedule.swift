/// The waits after wrong PINs.
///
/// At ten the slot is suspended if another strong slot exists, otherwise one try per 24 h is allowed: suspending for
/// ever would lose the wallet (A35). Storage faults are not guesses (A19), and only a strong success clears the count.
package enum AttemptSchedule {
    /// The wait after each number of consecutive failures, from 0.
    private static let waits: [Milliseconds] = [
        .zero, .zero, .zero, .zero, .seconds(30), .minutes(1), .minutes(5), .minutes(15), .hours(1), .hours(4),
    ]

    /// From this many consecutive failures on, the slot is suspended or allows one try a day.
    package static let suspensionLimit = UInt32(waits.count)

    /// How much of a wait a reboot may lose: less is not worth a write.
    package static let bankingInterval = Milliseconds.minutes(15)

    /// Returns the wait before the next try, counted from the last one while the device is on.
    package static func delay(after failures: UInt32) -> Milliseconds {
        failures < suspensionLimit ? waits[Int(failures)] : .hours(24)
    }

    /// Returns how many more wrong secrets may be tried, including the one that starts a wait.
    package static func freeTries(after failures: UInt32) -> Int {
        var count = 0
        while delay(after: failures + UInt32(count)) == .zero { count += 1 }
        return count
    }
}
