#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs `aside` on its own thread while `body` runs here; both have ended when this returns.
///
/// If the system can't start a thread, `aside` is skipped, so it may only do early what would otherwise be done later.
///
/// - Parameters:
///   - aside: must touch nothing that `body` touches. Signals stay with the other threads.
///   - stop: called from this thread once `body` has ended, to end `aside` early.
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

/// The closure that a thread runs.
private final class Job {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
}

/// A thread that runs one closure, and ends with it.
@safe private final class SideThread {
    #if canImport(Glibc)
    private var thread = pthread_t()
    #else
    private var thread: pthread_t?
    #endif

    /// Starts the thread; nil when the system can't.
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

    /// Waits until the thread ends.
    func join() {
        #if canImport(Glibc)
        pthread_join(thread, nil)
        #else
        if let thread = unsafe thread { unsafe pthread_join(thread, nil) }
        #endif
    }
}

/// The context is optional on Linux, but not on Darwin.
private func work(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
}
