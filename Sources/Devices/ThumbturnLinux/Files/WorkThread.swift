// `timespec` may be attributed to this module, whose headers include it as well.
import CSDBus
import Glibc
import ThumbturnDevice
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
    func run<R: Sendable>(
        _ body: @escaping @Sendable () throws(DeviceRefusal) -> R
    ) async throws(DeviceRefusal) -> R {
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
@safe private final class Queue: @unchecked Sendable {
    // Safe to share: `mutex` guards the variables; mutex and condition keep one address for life.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [@Sendable () -> Void] = []
    private var isStopped = false
    private var heldUp = false
    private let patience: Milliseconds
    private let whenIdle: (@Sendable () -> Void)?

    init(patience: Milliseconds, whenIdle: (@Sendable () -> Void)?) {
        (self.patience, self.whenIdle) = (patience, whenIdle)
        var kind = pthread_condattr_t()
        unsafe pthread_condattr_init(&kind)
        defer { unsafe pthread_condattr_destroy(&kind) }
        let results = unsafe (
            // A change of the wall clock must not affect the wait.
            pthread_condattr_setclock(&kind, CLOCK_MONOTONIC), pthread_mutex_init(mutex, nil),
            pthread_cond_init(condition, &kind)
        )
        precondition(results == (0, 0, 0), "a mutex could not be made")
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Starts the thread, which retains the queue until it is stopped.
    ///
    /// - Returns: false when the system can't start a thread.
    func startThread() -> Bool {
        var thread = pthread_t()
        let me = unsafe Unmanaged.passRetained(self)
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<Queue>.fromOpaque(context).takeRetainedValue().work()
                }
                return nil
            },
            me.toOpaque()
        )
        guard result == 0 else {
            unsafe me.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Whether a job is running whose caller has given up.
    var isHeldUp: Bool {
        get { locked { heldUp } }
        set { locked { heldUp = newValue } }
    }

    func append(_ job: @escaping @Sendable () -> Void) {
        locked { jobs.append(job) }
        unsafe pthread_cond_signal(condition)
    }

    func stop() {
        locked { isStopped = true }
        unsafe pthread_cond_signal(condition)
    }

    private func work() {
        // On a socket transport a write to a closed peer would kill the process; with SIGPIPE blocked the write just
        // fails.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        while runNext() {
            if let whenIdle, !hasMore(before: later(patience)) { whenIdle() }
        }
    }

    /// Runs one job, and releases it with everything it retains.
    private func runNext() -> Bool {
        guard let job = next() else { return false }
        job()
        return true
    }

    private func next() -> (@Sendable () -> Void)? {
        locked {
            while jobs.isEmpty, !isStopped { unsafe pthread_cond_wait(condition, mutex) }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }

    /// Whether there is work before a time, including a request to stop.
    private func hasMore(before end: timespec) -> Bool {
        locked {
            var end = end
            while jobs.isEmpty, !isStopped {
                guard unsafe pthread_cond_timedwait(condition, mutex, &end) == 0 else { return false }
            }
            return true
        }
    }

    private func later(_ span: Milliseconds) -> timespec {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let nanoseconds = time.tv_nsec + Int(span.count % 1_000) * 1_000_000
        time.tv_sec += Int(span.count / 1_000) + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        return time
    }

    private func locked<R>(_ body: () -> R) -> R {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }
}
