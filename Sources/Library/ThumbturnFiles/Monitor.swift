#if !canImport(Darwin)
#if canImport(Glibc)
import Glibc
#else
import Android
#endif

/// A value guarded by a mutex, with a way to wait for changes.
///
/// It uses the system's mutex, because the thread sanitizer does not recognise the one in Swift's library.
@safe package final class Monitor<Value>: @unchecked Sendable {
    // Safe to share: `mutex` guards `value`, and mutex and condition stay at a fixed address.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        var attributes = pthread_condattr_t()
        // Wait by a clock that can't be set.
        let results = unsafe [
            pthread_condattr_init(&attributes), pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC),
            pthread_mutex_init(mutex, nil), pthread_cond_init(condition, &attributes),
        ]
        precondition(results.allSatisfy { $0 == 0 }, "a mutex could not be made")
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Reads or changes the value, and wakes one waiting thread or all.
    package func change<R>(wakingAll: Bool = false, _ body: (inout Value) -> R) -> R {
        unsafe pthread_mutex_lock(mutex)
        let result = body(&value)
        unsafe pthread_mutex_unlock(mutex)
        // After the mutex is free, or who wakes would only wait for that.
        _ = unsafe wakingAll ? pthread_cond_broadcast(condition) : pthread_cond_signal(condition)
        return result
    }

    /// Waits until `body` returns a value.
    ///
    /// - Parameter deadline: by `MonotonicClock.milliseconds`, after which it returns `nil`; `nil` waits forever.
    package func wait<R>(until deadline: Int64? = nil, _ body: (inout Value) -> R?) -> R? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            guard let deadline else {
                unsafe pthread_cond_wait(condition, mutex)
                continue
            }
            guard MonotonicClock.milliseconds < deadline else { return nil }
            var time = timespec(tv_sec: Int(deadline / 1_000), tv_nsec: Int(deadline % 1_000) * 1_000_000)
            unsafe pthread_cond_timedwait(condition, mutex, &time)
        }
    }
}
#endif
