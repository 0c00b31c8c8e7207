import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules

/// One thread that runs blocking work in order: the threads that tasks share must not wait for a chip or a disk.
final class WorkThread: Sendable {
    private let queue: Queue
    /// Whether the system started the thread; without it nothing can run.
    private let isRunning: Bool
    private let limit: Milliseconds?

    /// - Parameters:
    ///   - limit: how long a job may take, including its wait in the queue; nil for no limit.
    ///   - patience: how long to wait for more jobs before running `whenIdle` once.
    ///   - whenIdle: releases what was kept for a next job that did not come.
    init(limit: Milliseconds? = nil, patience: Milliseconds = .zero, whenIdle: (@Sendable () -> Void)? = nil) {
        self.limit = limit
        queue = Queue(patience: patience, whenIdle: whenIdle)
        isRunning = queue.startThread()
    }

    deinit { queue.stop() }

    /// Runs `body` on the thread.
    ///
    /// Cancelling the task does not cut it short, because its effects must be known.
    ///
    /// A job over the limit keeps running, but its answer is lost as it would be in a crash: the caller knows nothing
    /// of its effects. Until it has ended no other job is started. A job that has not started by the limit never will.
    ///
    /// - Throws: what `body` throws; `.unavailable` when there is no thread, over the limit, and behind a job that is
    ///   over it.
    func run<R: Sendable>(_ body: @escaping @Sendable () throws(DeviceRefusal) -> R) async throws(DeviceRefusal) -> R {
        guard isRunning else { throw .unavailable }
        let result: Result<R, DeviceRefusal> = await withCheckedContinuation { continuation in
            guard let limit else {
                return queue.append {
                    continuation.resume(returning: Result { () throws(DeviceRefusal) in try body() })
                }
            }
            guard !queue.isHeldUp else { return continuation.resume(returning: .failure(.unavailable)) }
            let answer = Answer(continuation)
            let watch = Task { [queue] in
                try await Task.sleep(nanoseconds: UInt64(max(limit.count, 0)) * 1_000_000)
                answer.giveUp { queue.isHeldUp = true }
            }
            queue.append { [queue] in
                guard answer.begin() else { return }
                answer.give(Result { () throws(DeviceRefusal) in try body() })
                watch.cancel()
                queue.isHeldUp = false
            }
        }
        return try result.get()
    }
}

/// The outcome of a job, reported once: its answer, or that its caller gave up.
@safe private final class Answer<R: Sendable>: @unchecked Sendable {
    // Safe to share: `lock` guards both.
    private let lock = Lock()
    private var asker: CheckedContinuation<Result<R, DeviceRefusal>, Never>?
    private var hasBegun = false

    init(_ asker: CheckedContinuation<Result<R, DeviceRefusal>, Never>) { self.asker = asker }

    /// - Returns: false if the caller has given up.
    func begin() -> Bool {
        lock.withLock {
            hasBegun = asker != nil
            return hasBegun
        }
    }

    func give(_ result: Result<R, DeviceRefusal>) { lock.withLock { asker.take() }?.resume(returning: result) }

    /// - Parameter mark: called if the job is running, before it can end.
    func giveUp(_ mark: () -> Void) {
        let waiting = lock.withLock {
            if asker != nil, hasBegun { mark() }
            return asker.take()
        }
        waiting?.resume(returning: .failure(.unavailable))
    }
}

/// The jobs waiting for the thread.
private final class Queue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isStopped = false
        var isHeldUp = false
    }

    private let state = Monitor(State())
    private let patience: Milliseconds
    private let whenIdle: (@Sendable () -> Void)?

    init(patience: Milliseconds, whenIdle: (@Sendable () -> Void)?) {
        (self.patience, self.whenIdle) = (patience, whenIdle)
    }

    /// Starts the thread, which retains the queue until it is stopped.
    ///
    /// - Returns: false when the system can't start a thread.
    func startThread() -> Bool {
        guard let thread = SystemThread({ self.work() }) else { return false }
        thread.detach()
        return true
    }

    /// Whether a job is running whose caller has given up.
    var isHeldUp: Bool {
        get { state.change { $0.isHeldUp } }
        set { state.change { $0.isHeldUp = newValue } }
    }

    func append(_ job: @escaping @Sendable () -> Void) { state.change { $0.jobs.append(job) } }

    func stop() { state.change { $0.isStopped = true } }

    private func work() {
        while runNext() {
            if let whenIdle, !hasMore(within: patience) { whenIdle() }
        }
    }

    /// Runs one job, and releases it with everything it retains.
    private func runNext() -> Bool {
        guard let job = next() else { return false }
        job()
        return true
    }

    private func next() -> (@Sendable () -> Void)? {
        // The inner nil ends the wait; it has no deadline, so the outer one never occurs.
        state.wait { state -> (@Sendable () -> Void)?? in
            guard state.jobs.isEmpty else { return .some(state.jobs.removeFirst()) }
            return state.isStopped ? .some(nil) : nil
        } ?? nil
    }

    /// Whether there is work within a time, including a request to stop.
    private func hasMore(within span: Milliseconds) -> Bool {
        state.wait(until: MonotonicClock.milliseconds + span.count) { state in
            state.jobs.isEmpty && !state.isStopped ? nil : true
        } ?? false
    }
}
