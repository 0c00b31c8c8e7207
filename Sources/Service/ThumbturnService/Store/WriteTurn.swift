internal import Glibc

/// A turn that one thread has at a time while others wait, up to a limit on a monotonic clock.
@safe final class WriteTurn: @unchecked Sendable {
    // Safe to send: mutex and condition are for use by several threads, and `isTaken` is only accessed under the mutex.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let freed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isTaken = false

    init() {
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe freed.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(freed, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(freed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe freed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Waits for the turn.
    ///
    /// - Returns: whether it came in time.
    func take(withinSeconds seconds: Int) -> Bool {
        var limit = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &limit)
        limit.tv_sec += seconds
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        while isTaken {
            guard unsafe pthread_cond_timedwait(freed, mutex, &limit) == 0 else { return false }
        }
        isTaken = true
        return true
    }

    /// Passes the turn to the next thread.
    func end() {
        _ = unsafe pthread_mutex_lock(mutex)
        isTaken = false
        _ = unsafe pthread_mutex_unlock(mutex)
        _ = unsafe pthread_cond_signal(freed)
    }
}
