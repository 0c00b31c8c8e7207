package import ThumbturnRules

/// What one network did in the minute that is being counted.
package struct MinuteCount: Hashable, Sendable {
    /// Nothing yet.
    package static let none = MinuteCount(events: 0, since: ServiceTime(0))

    /// How often.
    package let events: Int64
    /// When the minute began.
    package let since: ServiceTime

    /// A count as it was stored.
    package init(events: Int64, since: ServiceTime) {
        self.events = events
        self.since = since
    }

    /// The count with one more event, in a new minute where the old one is over or lies in the future of a clock that was
    /// set back.
    package func adding(at now: ServiceTime) -> MinuteCount {
        isRunning(at: now) ? MinuteCount(events: events + 1, since: since) : MinuteCount(events: 1, since: now)
    }

    /// Whether the minute is not over.
    package func isRunning(at now: ServiceTime) -> Bool {
        now - since < MinuteLimit.minute && now - since >= .zero - MinuteLimit.minute
    }
}

/// How often one network may do something in a minute.
package struct MinuteLimit: Sendable {
    fileprivate static let minute = Milliseconds.minutes(1)

    /// The most events in a minute.
    package let most: Int64

    /// A limit of so many events in a minute.
    package init(most: Int64) {
        self.most = most
    }

    /// How long the network has to wait from now on; zero where it may go on.
    package func wait(after count: MinuteCount, at now: ServiceTime) -> Milliseconds {
        guard count.isRunning(at: now), count.events >= most else { return .zero }
        return max(Self.minute - (now - count.since), .seconds(1))
    }
}
