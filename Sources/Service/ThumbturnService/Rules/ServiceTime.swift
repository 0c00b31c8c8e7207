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

    /// The instant in its one form; one that no four digits can name is written as the nearest that they can.
    package var text: String { Milliseconds(count).utcText }

    /// Reads that form and no other; nil for a date that the calendar does not have.
    package init?(text: String) {
        guard let time = Milliseconds(utcText: text) else { return nil }
        self.init(time.count)
    }
}
