// The single format of a time on the wire and in a record: `YYYY-MM-DDThh:mm:ss.sssZ`.
extension Milliseconds {
    private static let ofSecond: Int64 = 1_000
    private static let ofDay: Int64 = 86_400_000

    /// The instants with a four-digit year, in milliseconds since 1970.
    private static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// The time that is this many milliseconds after the start of 1970 in UTC, in that format; clamped to four-digit
    /// years.
    package var utcText: String { String(decoding: utcBytes, as: UTF8.self) }

    private var utcBytes: [UInt8] {
        let count = min(max(self.count, Self.writable.lowerBound), Self.writable.upperBound)
        let (days, rest) = Self.floored(count, Self.ofDay)
        let (year, month, day) = Self.date(ofDay: days)
        let seconds = rest / Self.ofSecond
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func write(_ number: Int64, _ width: Int, _ mark: Unicode.Scalar) {
            var place: Int64 = width == 4 ? 1_000 : width == 3 ? 100 : 10
            while place > 0 {
                text.append(UInt8(ascii: "0") + UInt8(number / place % 10))
                place /= 10
            }
            text.append(UInt8(ascii: mark))
        }
        write(year, 4, "-")
        write(month, 2, "-")
        write(day, 2, "T")
        write(seconds / 3_600, 2, ":")
        write(seconds / 60 % 60, 2, ":")
        write(seconds % 60, 2, ".")
        write(rest % Self.ofSecond, 3, "Z")
        return text
    }

    /// Reads exactly that format; nil for a date that does not exist.
    package init?(utcText text: String) { self.init(utcBytes: Array(text.utf8)) }

    /// Reads exactly that format from its bytes.
    package init?(utcBytes bytes: [UInt8]) {
        guard bytes.count == 24 else { return nil }
        func number(_ range: Range<Int>) -> Int64 { bytes[range].reduce(0) { 10 * $0 + Int64($1) - 0x30 } }
        let days = Self.day(ofYear: number(0..<4), number(5..<7), number(8..<10))
        let seconds = 3_600 * number(11..<13) + 60 * number(14..<16) + number(17..<19)
        self.init(days * Self.ofDay + seconds * Self.ofSecond + number(20..<23))
        // The calculation accepts the 30th of February as a day in March, and a letter as some digit: neither survives
        // the round trip.
        guard utcBytes == bytes else { return nil }
    }

    // The year starts in March here, so that the leap day comes last; 400 years have 146,097 days, and 719,468 days lie
    // between the 1st of March of the year 0 and 1970.

    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floored(day + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (yearOfEra + 400 * era + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
    }

    private static func day(ofYear year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (era, yearOfEra) = floored(month <= 2 ? year - 1 : year, 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return 146_097 * era + 365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func floored(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
