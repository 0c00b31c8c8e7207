#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// A system thread, which may block, unlike the threads of tasks.
///
/// It blocks signals: those of the process go to its other threads, and writing to a closed pipe or socket just fails.
/// A fault of its own is not blocked, so that a crash is reported from any thread.
@safe package struct SystemThread {
    // `pthread_t` is a number on Linux and Android, and a pointer on Apple's systems.
    #if canImport(Darwin)
    private var thread: pthread_t?
    #else
    private var thread = pthread_t()
    #endif

    /// Starts a thread; `nil` if the system grants none.
    package init?(_ body: @escaping @Sendable () -> Void) {
        var all = sigset_t()
        var former = sigset_t()
        unsafe sigfillset(&all)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { unsafe sigdelset(&all, fault) }
        unsafe pthread_sigmask(SIG_SETMASK, &all, &former)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }

        let work = unsafe Unmanaged.passRetained(Work(body))
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                unsafe run(context)
                return nil
            },
            work.toOpaque()
        )
        guard result == 0 else {
            unsafe work.release()
            return nil
        }
    }

    /// Waits for the thread's end.
    package func join() {
        #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_join(thread, nil) }
        #else
        pthread_join(thread, nil)
        #endif
    }

    #if !canImport(Darwin)
    /// Leaves the thread to end on its own.
    package func detach() { pthread_detach(thread) }
    #endif
}

/// The closure that a thread runs.
private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// The context is optional on Linux, but not on Darwin.
private func run(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
}
