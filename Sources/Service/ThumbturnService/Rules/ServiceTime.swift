import Glibc
package import ThumbturnRules

/// A time on the service's wall clock.
package struct ServiceTime: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970 in UTC.
    package let count: Int64

    /// Creates a time from milliseconds since 1970 in UTC.
    package init(_ count: Int64) { self.count = count }

    /// Returns the current time.
    package static func now() -> ServiceTime {
        var reading = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &reading)
        return ServiceTime(Int64(reading.tv_sec) * 1_000 + Int64(reading.tv_nsec) / 1_000_000)
    }

    /// Compares by time.
    package static func < (left: ServiceTime, right: ServiceTime) -> Bool { left.count < right.count }

    /// Returns the span between two times; negative if the clock was set back in between.
    package static func - (later: ServiceTime, earlier: ServiceTime) -> Milliseconds {
        Milliseconds(later.count) - Milliseconds(earlier.count)
    }

    /// Returns the time `span` later.
    package static func + (time: ServiceTime, span: Milliseconds) -> ServiceTime {
        ServiceTime((Milliseconds(time.count) + span).count)
    }
}

// The only format of times in messages: `YYYY-MM-DDThh:mm:ss.sssZ`.
extension ServiceTime {
    /// A regular expression for the format, for the OpenAPI document.
    package static let pattern =
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$"

    /// The time in this format; a year without four digits becomes the nearest one that has.
    package var text: String { Milliseconds(count).utcText }

    /// Parses this format only; returns `nil` for a date that does not exist.
    package init?(text: String) {
        guard let time = Milliseconds(utcText: text) else { return nil }
        self.init(time.count)
    }
}
