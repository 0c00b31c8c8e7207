#if canImport(Glibc)
import Glibc

/// A system thread, which may block, unlike the threads of tasks.
@safe package struct SystemThread {
    private var thread = pthread_t()

    /// Starts a thread; `nil` if the system grants none.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let work = unsafe Unmanaged.passRetained(Work(body))
        let result = unsafe pthread_create(
            &thread,
            nil,
            { work in
                if let work = unsafe work { unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
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
    package func join() { pthread_join(thread, nil) }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
#endif
