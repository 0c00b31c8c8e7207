import ThumbturnCrypto
import ThumbturnRules

/// When an app's vault delivers again: one delivery at a time, and full-jitter backoff between failures.
actor DeliveryPace {
    /// How long to wait before the next try.
    struct Wait: Sendable {
        let span: Milliseconds
        /// Whether the service asked for it; otherwise a contact that it answered cuts it short.
        let isAsked: Bool
    }

    private var backoff = DeliveryBackoff()
    private var isRunning = false
    /// Whether another delivery was asked for while one was under way, which may have seen its last record by then.
    private var isAskedAgain = false
    private var sleeper: Task<Void, any Error>?

    /// Begins a delivery, unless one is under way; one that waits for a service that could not be reached wakes up.
    func begin() -> Bool {
        guard !isRunning else {
            isAskedAgain = true
            sleeper?.cancel()
            return false
        }
        isRunning = true
        return true
    }

    /// Ends a delivery; returns whether another one was asked for meanwhile, which then begins.
    func goesOn() -> Bool {
        (isRunning, isAskedAgain) = (isAskedAgain, false)
        return isRunning
    }

    func succeed() { backoff.succeed() }

    func fail(asked: Milliseconds?) -> Wait {
        var generator = SystemRandomNumberGenerator()
        return Wait(span: backoff.fail(asked: asked, random: generator.next()), isAsked: asked != nil)
    }

    func sleep(_ wait: Wait) async {
        let nanoseconds = UInt64(max(wait.span.count, 0)) * 1_000_000
        guard !wait.isAsked else {
            try? await Task.sleep(nanoseconds: nanoseconds)
            return
        }
        let sleeper = Task { try await Task.sleep(nanoseconds: nanoseconds) }
        self.sleeper = sleeper
        _ = await sleeper.result
        self.sleeper = nil
    }
}

/// Waits for work for a limited time.
actor Race<Value: Sendable> {
    private var continuation: CheckedContinuation<Value?, Never>?

    private init(_ continuation: CheckedContinuation<Value?, Never>) { self.continuation = continuation }

    private func end(_ value: Value?) { continuation.take()?.resume(returning: value) }

    /// Returns what `body` returns; nil after a span, when it is cancelled.
    static func first(within span: Milliseconds, _ body: @escaping @Sendable () async -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let race = Race(continuation)
            let work = Task { await race.end(body()) }
            Task {
                try? await Task.sleep(nanoseconds: UInt64(max(span.count, 0)) * 1_000_000)
                await race.end(nil)
                work.cancel()
            }
        }
    }
}
