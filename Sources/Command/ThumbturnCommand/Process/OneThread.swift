#if os(Linux)
// The threads of Glibc and of Swift's tasks.
import Glibc

/// Runs tasks on the thread that calls `run`, one piece of work after the other.
///
/// The pool of threads on which they run else is started with the first of them, and wakes another thread for every turn of an actor: that
/// takes longer than all that a short command does. What blocks this thread holds up every task, so it is for commands that ask
/// nobody and compute nothing.
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

    /// Runs what there is and what comes, until one of the tasks ends the process.
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
