#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs `aside` on a thread of its own while `body` runs here; both have ended when this returns.
///
/// Where the system gives no thread `aside` is left out, so it may only do early what somebody would do later.
///
/// - Parameters:
///   - aside: touches nothing that `body` touches. Signals stay with the other threads.
///   - stop: called once `body` has ended, from this thread: lets `aside` come to an early end.
package func beside<Result: ~Copyable, Failure: Error>(
    _ aside: @escaping () -> Void,
    stop: () -> Void,
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    let thread = SideThread(aside)
    defer {
        if let thread {
            stop()
            thread.join()
        }
    }
    return try body()
}

/// What a thread runs.
private final class Job {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
}

/// A thread that runs one thing, and ends with it.
@safe private final class SideThread {
    #if canImport(Glibc)
    private var thread = pthread_t()
    #else
    private var thread: pthread_t?
    #endif

    /// Starts it; nil where the system has none to give.
    init?(_ body: @escaping () -> Void) {
        var all = sigset_t()
        var former = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &former)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }

        let job = unsafe Unmanaged.passRetained(Job(body))
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                unsafe work(context)
                return nil
            },
            job.toOpaque()
        )
        guard result == 0 else {
            unsafe job.release()
            return nil
        }
    }

    /// Waits for its end.
    func join() {
        #if canImport(Glibc)
        pthread_join(thread, nil)
        #else
        if let thread = unsafe thread { unsafe pthread_join(thread, nil) }
        #endif
    }
}

/// Linux says that a context may be nil, Darwin does not.
private func work(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
}
