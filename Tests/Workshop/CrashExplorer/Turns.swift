import Foundation

/// Lets two tasks take turns: one goes on until it comes to its next wait for the device, the other stands still there.
///
/// Each task's work is queued here and runs on the thread of whoever lets it go on, so an order is the same each time it
/// is played. A task that waits for the other one (for the task lock of a vault, or the lock of its folder) is seen by its
/// queue being empty.
package final class Turns: Sendable {
    /// How a task stands when it went as far as it could.
    package enum Standing: Hashable, Sendable {
        /// It came to the wait to which it was let go.
        case waits
        /// Something else has to happen first.
        case isHeldUp
        case ended
    }

    @TaskLocal private static var current: Player?

    private let players = [Player(), Player()]

    package init() {}

    /// Where a task may stand still; whoever takes part in no turns passes.
    package func reach() async {
        await Self.current?.stand()
    }

    /// Gives one of the two its task.
    package func start(_ number: Int, _ body: @escaping @Sendable () async -> Void) {
        let player = players[number]
        Task(executorPreference: player) {
            await Self.$current.withValue(player) { await body() }
            player.end()
        }
    }

    /// Lets one of the two go on.
    ///
    /// - Parameter wait: to which of its waits, counted from 1; nil to its end.
    package func advance(_ number: Int, to wait: Int?) -> Standing {
        let player = players[number]
        while true {
            if player.runNext() { continue }
            if player.hasEnded { return .ended }
            guard player.stands else { return .isHeldUp }
            if let wait, player.waits >= wait { return .waits }
            player.goOn()
        }
    }

    /// Lets those who were started go on to their ends, first the one and then the other.
    ///
    /// - Returns: false when they wait for each other for ever.
    package func finish(_ started: Set<Int>) async -> Bool {
        // Longer than any of the library's own waits, which end with `busy`.
        for _ in 0..<30_000 {
            let standings = started.sorted().map { advance($0, to: nil) }
            if standings.allSatisfy({ $0 == .ended }) { return true }
            // Whoever asks for a lock again and again sleeps in between, in real time.
            try? await Task.sleep(nanoseconds: 500_000)
        }
        return false
    }

    /// How many waits one of the two has come to.
    package func waits(of number: Int) -> Int { players[number].waits }
}

/// One of the two: the queue of its work, and where it stands.
private final class Player: TaskExecutor, @unchecked Sendable {
    // Safe to share: `lock` guards every field.
    private let lock = NSLock()
    private var jobs: [UnownedJob] = []
    private var standing: CheckedContinuation<Void, Never>?
    private var reached = 0
    private var isOver = false

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
    }

    /// Does the next piece of work; false when there is none.
    func runNext() -> Bool {
        guard let job = lock.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) else { return false }
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    func stand() async {
        await withCheckedContinuation { continuation in
            lock.withLock {
                reached += 1
                standing = continuation
            }
        }
    }

    func goOn() {
        let continuation = lock.withLock {
            let standing = standing
            self.standing = nil
            return standing
        }
        continuation?.resume()
    }

    func end() { lock.withLock { isOver = true } }

    var stands: Bool { lock.withLock { standing != nil } }
    var hasEnded: Bool { lock.withLock { isOver } }
    var waits: Int { lock.withLock { reached } }
}
