/// Lets one task in at a time, in order of arrival.
package final class TaskLock {
    /// Whether a task has the lock.
    package private(set) var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a free lock.
    package init() {}

    /// Waits for every task that came before.
    package func enter(isolation: isolated (any Actor)? = #isolation) async {
        guard isHeld else {
            isHeld = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets the next task in.
    package func leave() { if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() } }
}
