import Synchronization
import ThumbturnRules

/// When what has ended is deleted: every ten seconds, by the worker that answers next.
///
/// Nothing depends on it but room: whatever has ended is refused wherever it is met.
final class SweepSchedule: Sendable {
    private static let interval = Milliseconds.seconds(10)

    private let last = Mutex<ServiceTime?>(nil)

    /// Whether it is this caller's turn.
    func isDue(at now: ServiceTime) -> Bool {
        last.withLock { last in
            if let former = last, now >= former, now - former < Self.interval { return false }
            last = now
            return true
        }
    }

    /// Makes it the next caller's turn, since there is more to delete.
    func goOn() {
        last.withLock { $0 = nil }
    }
}
