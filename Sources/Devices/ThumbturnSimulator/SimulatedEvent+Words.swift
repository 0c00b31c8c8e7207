import ThumbturnDevice
import ThumbturnRules

extension SimulatedEvent {
    /// Reads one event from the front of a command line.
    ///
    /// - Returns: the event and how many words it took, 1 or 2; nil when the words are no event. Total: no word traps.
    public static func parse(_ words: ArraySlice<String>) -> (event: SimulatedEvent, consumed: Int)? {
        guard let first = words.first else { return nil }
        if let event = plain[first] { return (event, 1) }
        guard let second = words.dropFirst().first, let event = pair(first, second) else { return nil }
        return (event, 2)
    }

    private static let plain: [String: SimulatedEvent] = [
        "enroll": .enroll, "unenroll": .unenroll,
        "passcode-off": .passcodeOff, "passcode-on": .passcodeOn, "passcode": .passcode,
        "lockout": .lockout, "reboot": .reboot,
        "reinstall": .reinstall, "restore-elsewhere": .restoreElsewhere,
        "lock-device": .lockDevice, "unlock-device": .unlockDevice,
        "permission-denied": .permissionDenied, "permission-granted": .permissionGranted,
    ]

    private static func pair(_ first: String, _ second: String) -> SimulatedEvent? {
        switch first {
        case "finger": SimulatedTouch(rawValue: second).map(SimulatedEvent.finger)
        case "sensor": SimulatedSensor(rawValue: second).map(SimulatedEvent.sensor)
        case "fault": SimulatedFault(rawValue: second).map(SimulatedEvent.fault)
        case "advance": span(second[...]).map(SimulatedEvent.advance)
        case "sleep": span(second[...]).map(SimulatedEvent.sleep)
        case "clock": signedSpan(second[...]).map(SimulatedEvent.clock)
        default: nil
        }
    }

    private static func signedSpan(_ text: Substring) -> Milliseconds? {
        guard let sign = text.first, sign == "+" || sign == "-", let span = span(text.dropFirst()) else { return nil }
        return sign == "-" ? .zero - span : span
    }

    /// Reads digits and a unit, at most a century, so that sums of a few stay far from the ends of the range.
    private static func span(_ text: Substring) -> Milliseconds? {
        let unit: Milliseconds
        switch text.last {
        case "s": unit = .seconds(1)
        case "m": unit = .minutes(1)
        case "h": unit = .hours(1)
        case "d": unit = .days(1)
        case "y": unit = .days(365)
        default: return nil
        }
        let digits = text.dropLast()
        // `Int64` would take a sign too.
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits) else { return nil }
        let (product, overflow) = unit.count.multipliedReportingOverflow(by: count)
        guard !overflow, product <= Milliseconds.days(36_500).count else { return nil }
        return Milliseconds(product)
    }
}
