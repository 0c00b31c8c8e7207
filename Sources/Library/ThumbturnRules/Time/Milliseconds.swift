/// A span of time in whole milliseconds.
///
/// The standard library's `Duration` needs iOS 16; we support iOS 15.
public struct Milliseconds: Hashable, Comparable, Sendable {
    /// The number of milliseconds; negative when a clock went backward.
    public let count: Int64

    /// Creates a span of `count` milliseconds.
    public init(_ count: Int64) { self.count = count }

    /// An empty span.
    package static let zero = Milliseconds(0)

    /// A span of `count` seconds.
    public static func seconds(_ count: Int64) -> Milliseconds { Milliseconds(count * 1_000) }

    /// A span of `count` minutes.
    public static func minutes(_ count: Int64) -> Milliseconds { .seconds(count * 60) }

    /// A span of `count` hours.
    public static func hours(_ count: Int64) -> Milliseconds { .minutes(count * 60) }

    /// A span of `count` days of 24 hours.
    public static func days(_ count: Int64) -> Milliseconds { .hours(count * 24) }

    /// Compares by length.
    public static func < (left: Milliseconds, right: Milliseconds) -> Bool { left.count < right.count }

    /// Returns the difference of two spans; it saturates instead of trapping, since stored times may be forged.
    package static func - (left: Milliseconds, right: Milliseconds) -> Milliseconds {
        let (difference, overflow) = left.count.subtractingReportingOverflow(right.count)
        guard overflow else { return Milliseconds(difference) }
        return Milliseconds(left.count < right.count ? .min : .max)
    }

    /// Returns the sum of two spans; it saturates instead of trapping.
    package static func + (left: Milliseconds, right: Milliseconds) -> Milliseconds {
        let (sum, overflow) = left.count.addingReportingOverflow(right.count)
        guard overflow else { return Milliseconds(sum) }
        return Milliseconds(left.count < 0 ? .min : .max)
    }

    /// The distance from zero.
    package var magnitude: Milliseconds {
        count == .min ? Milliseconds(.max) : Milliseconds(count < 0 ? -count : count)
    }
}
