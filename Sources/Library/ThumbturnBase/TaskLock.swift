/// Lets one task in at a time, in the order in which they came.
package final class TaskLock {
    /// Whether somebody is in.
    package private(set) var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Nobody is in.
    package init() {}

    /// Waits for everybody who came before.
    package func enter(isolation: isolated (any Actor)? = #isolation) async {
        guard isHeld else {
            isHeld = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets the next one in.
    package func leave() {
        if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() }
    }
}
