/// The remaining time of a delay, as a screen shows it: hours and minutes, and seconds only in the last minute.
public struct Countdown: Hashable, Sendable {
    /// Whole hours.
    public let hours: Int64
    /// Minutes in addition to the hours, below 60.
    public let minutes: Int64
    /// Seconds, up to 60; other than zero only when there are neither hours nor minutes.
    public let seconds: Int64

    /// Rounds up, so that the countdown never ends early.
    public init(_ remaining: Milliseconds) {
        let steps = Self.steps(in: remaining)
        if Self.showsMinutes(remaining) {
            (hours, minutes, seconds) = (steps / 60, steps % 60, 0)
        } else {
            (hours, minutes, seconds) = (0, 0, steps)
        }
    }

    /// The text in every language we support: `3 h 59 min`, `5 min`, `30 s`.
    public var text: String {
        guard seconds == 0 else { return "\(seconds) s" }
        if hours == 0 { return "\(minutes) min" }
        return minutes == 0 ? "\(hours) h" : "\(hours) h \(minutes) min"
    }

    /// Returns the time until the text changes, so that no timer has to fire in between.
    package static func untilChange(of remaining: Milliseconds) -> Milliseconds {
        let next = (steps(in: remaining) - 1) * stepLength(remaining)
        // Add a millisecond, since clocks truncate to milliseconds.
        return remaining - Milliseconds(next) + Milliseconds(1)
    }

    private static func showsMinutes(_ remaining: Milliseconds) -> Bool { remaining > .minutes(1) }

    private static func stepLength(_ remaining: Milliseconds) -> Int64 {
        showsMinutes(remaining) ? Milliseconds.minutes(1).count : Milliseconds.seconds(1).count
    }

    private static func steps(in remaining: Milliseconds) -> Int64 {
        let length = stepLength(remaining)
        let (steps, rest) = max(remaining.count, 1).quotientAndRemainder(dividingBy: length)
        return rest == 0 ? steps : steps + 1
    }
}
