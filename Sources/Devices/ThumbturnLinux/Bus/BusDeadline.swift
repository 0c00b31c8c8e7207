import ThumbturnFiles
import ThumbturnRules

/// The time until which answers to a group of calls count: one deadline for all of them, so that their waits don't add
/// up.
struct BusDeadline: Hashable, Sendable {
    /// The time on `CLOCK_MONOTONIC`, in microseconds.
    let microseconds: UInt64

    init(microseconds: UInt64) { self.microseconds = microseconds }

    init(after span: Milliseconds, from now: UInt64 = Self.now) {
        microseconds = now + UInt64(max(span.count, 0)) * 1_000
    }

    var isOver: Bool { isOver(at: Self.now) }

    func isOver(at now: UInt64) -> Bool { now >= microseconds }

    /// The time left, in milliseconds, rounded up.
    var millisecondsLeft: UInt64 {
        let now = Self.now
        return microseconds <= now ? 0 : (microseconds - now) / 1_000 + 1
    }

    static var now: UInt64 { MonotonicClock.microseconds }
}
