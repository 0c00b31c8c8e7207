#if os(Linux)
// For Glibc's threads and Swift's tasks.
import Glibc

/// Runs tasks one after another on the thread that calls `run`.
///
/// Starting the usual thread pool, and waking a thread for every actor hop, takes longer than all the work of a short
/// command. A blocking call stops every task, so use it only for commands that neither prompt nor compute much.
@safe final class OneThread: TaskExecutor, @unchecked Sendable {
    // Safe to share: `mutex` guards `jobs`, and mutex and condition keep one address for life.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []

    init() {
        let results = unsafe (pthread_mutex_init(mutex, nil), pthread_cond_init(condition, nil))
        precondition(results == (0, 0), "a mutex could not be made")
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        unsafe pthread_mutex_lock(mutex)
        jobs.append(job)
        unsafe pthread_mutex_unlock(mutex)
        unsafe pthread_cond_signal(condition)
    }

    /// Runs jobs as they arrive, until a task ends the process.
    func run() -> Never {
        while true { unsafe next().runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func next() -> UnownedJob {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while jobs.isEmpty { unsafe pthread_cond_wait(condition, mutex) }
        return jobs.removeFirst()
    }
}
#endif
