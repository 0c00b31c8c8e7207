import Glibc

/// A system thread that blocks all signals: those of the process go to its first thread, and writing to a closed socket
/// just fails.
final class Thread {
    private let body: @Sendable () -> Void

    private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Runs `body` on a new detached thread.
    ///
    /// - Throws: `.noThread`.
    static func start(_ body: @escaping @Sendable () -> Void) throws(HTTPError) {
        var (all, former) = (sigset_t(), sigset_t())
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, &former)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
        let me = unsafe Unmanaged.passRetained(Thread(body))
        var thread = pthread_t()
        guard unsafe pthread_create(&thread, nil, run, me.toOpaque()) == 0 else {
            unsafe me.release()
            throw .noThread
        }
        pthread_detach(thread)
    }

    // A separate function, because a closure written in place may be inferred to be an actor's, and crash on a foreign
    // thread.
    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context = unsafe context { unsafe Unmanaged<Thread>.fromOpaque(context).takeRetainedValue().body() }
        return nil
    }
}
