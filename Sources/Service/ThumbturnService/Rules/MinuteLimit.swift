package import ThumbturnRules

/// The events of one network in the current minute.
package struct MinuteCount: Hashable, Sendable {
    /// No events.
    package static let none = MinuteCount(events: 0, since: ServiceTime(0))

    /// The number of events.
    package let events: Int64
    /// When the minute started.
    package let since: ServiceTime

    /// Creates a count from stored values.
    package init(events: Int64, since: ServiceTime) {
        self.events = events
        self.since = since
    }

    /// Returns the count with one more event, in a new minute if the old one is over or in the future because the clock
    /// was set back.
    package func adding(at now: ServiceTime) -> MinuteCount {
        isRunning(at: now) ? MinuteCount(events: events + 1, since: since) : MinuteCount(events: 1, since: now)
    }

    /// Returns whether the minute is not over.
    package func isRunning(at now: ServiceTime) -> Bool {
        now - since < MinuteLimit.minute && now - since >= .zero - MinuteLimit.minute
    }
}

/// A limit of events per minute for one network.
package struct MinuteLimit: Sendable {
    fileprivate static let minute = Milliseconds.minutes(1)

    /// The maximum number of events per minute.
    package let most: Int64

    /// Creates a limit.
    package init(most: Int64) { self.most = most }

    /// Returns how long the network has to wait; zero if it may continue.
    package func wait(after count: MinuteCount, at now: ServiceTime) -> Milliseconds {
        guard count.isRunning(at: now), count.events >= most else { return .zero }
        return max(Self.minute - (now - count.since), .seconds(1))
    }
}
