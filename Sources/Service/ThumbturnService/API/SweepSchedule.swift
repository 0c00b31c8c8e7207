import Synchronization
import ThumbturnRules

/// Schedules the deletion of expired rows: every ten seconds, by the next worker that answers.
///
/// It only frees space: expired rows are refused anyway.
final class SweepSchedule: Sendable {
    private static let interval = Milliseconds.seconds(10)

    private let last = Mutex<ServiceTime?>(nil)

    /// Returns whether this caller should sweep.
    func isDue(at now: ServiceTime) -> Bool {
        last.withLock { last in
            if let former = last, now >= former, now - former < Self.interval { return false }
            last = now
            return true
        }
    }

    /// Makes the next caller sweep again, because there is more to delete.
    func goOn() { last.withLock { $0 = nil } }
}
