import Glibc
package import ThumbturnRules

/// An instant of the service's wall clock.
package struct ServiceTime: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970 in UTC.
    package let count: Int64

    /// The instant so many milliseconds after the beginning of 1970 in UTC.
    package init(_ count: Int64) {
        self.count = count
    }

    /// What the system's clock says now.
    package static func now() -> ServiceTime {
        var reading = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &reading)
        return ServiceTime(Int64(reading.tv_sec) * 1_000 + Int64(reading.tv_nsec) / 1_000_000)
    }

    /// Compares by time.
    package static func < (left: ServiceTime, right: ServiceTime) -> Bool { left.count < right.count }

    /// The time from one instant to another; negative when the clock was set back in between.
    package static func - (later: ServiceTime, earlier: ServiceTime) -> Milliseconds {
        Milliseconds(later.count) - Milliseconds(earlier.count)
    }

    /// The instant a span later.
    package static func + (time: ServiceTime, span: Milliseconds) -> ServiceTime {
        ServiceTime((Milliseconds(time.count) + span).count)
    }

    /// The instant a span earlier.
    package static func - (time: ServiceTime, span: Milliseconds) -> ServiceTime {
        ServiceTime((Milliseconds(time.count) - span).count)
    }
}

// The one form that a time has on the wire: `YYYY-MM-DDThh:mm:ss.sssZ`.
extension ServiceTime {
    /// A regular expression for that form, for the document that the service gives of itself.
    package static let pattern =
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$"

    /// The instants whose year has four digits.
    private static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// The instant in its one form; one that no four digits can name is written as the nearest that they can.
    package var text: String {
        let count = min(max(self.count, Self.writable.lowerBound), Self.writable.upperBound)
        let seconds = count.floored(by: 1_000)
        var (time, parts) = unsafe (time_t(seconds), tm())
        _ = unsafe gmtime_r(&time, &parts)
        let date = unsafe [(Int(parts.tm_year) + 1900, 4), (Int(parts.tm_mon) + 1, 2), (Int(parts.tm_mday), 2)]
        let clock = unsafe [(Int(parts.tm_hour), 2), (Int(parts.tm_min), 2), (Int(parts.tm_sec), 2)]
        let fraction = Self.padded(Int(count - 1_000 * seconds), 3)
        return Self.joined(date, "-") + "T" + Self.joined(clock, ":") + "." + fraction + "Z"
    }

    /// Reads that form and no other; nil for a date that the calendar does not have.
    package init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24 else { return nil }
        func number(_ range: Range<Int>) -> Int32 {
            bytes[range].reduce(0) { 10 * $0 + Int32($1) - Int32(UInt8(ascii: "0")) }
        }
        var parts = unsafe tm()
        unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (number(0..<4) - 1900, number(5..<7) - 1, number(8..<10))
        unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(11..<13), number(14..<16), number(17..<19))
        let seconds = unsafe timegm(&parts)
        self.init(Int64(seconds) * 1_000 + Int64(number(20..<23)))
        // The calendar takes the 30th of February for a day in March, and a letter for some digit: neither comes out as
        // it went in.
        guard self.text.utf8.elementsEqual(bytes) else { return nil }
    }

    private static func joined(_ numbers: [(Int, Int)], _ mark: String) -> String {
        numbers.map { padded($0.0, $0.1) }.joined(separator: mark)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
