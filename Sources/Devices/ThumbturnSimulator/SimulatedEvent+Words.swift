import ThumbturnDevice
import ThumbturnRules

extension SimulatedEvent {
    /// Parses one event from the start of a command line.
    ///
    /// - Returns: the event and the number of words used, 1 or 2; nil when the words are not an event. No word can
    ///   cause a trap.
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
        "background": .background, "foreground": .foreground,
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

    /// Parses digits and a unit, at most a century, so that sums of a few can't overflow.
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
        // `Int64` would accept a sign too.
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits) else { return nil }
        let (product, overflow) = unit.count.multipliedReportingOverflow(by: count)
        guard !overflow, product <= Milliseconds.days(36_500).count else { return nil }
        return Milliseconds(product)
    }
}
