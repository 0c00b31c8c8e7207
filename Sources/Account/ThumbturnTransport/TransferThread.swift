#if !canImport(Security)
import CCurl
import Glibc

/// A thread on a stack of its own, which goes back to the system with all that was left there, registers among it: the
/// system's threads keep theirs for those that come.
///
/// It hears no signal, so a socket whose other side is gone just fails.
@safe struct TransferThread: ~Copyable {
    private let thread: pthread_t
    private let memory: UnsafeMutableRawPointer

    private static let byteCount = 1 << 20
    private static let guardByteCount = 1 << 16

    /// Runs `body` on a new thread; nil where the system has none to give.
    init?(_ body: @escaping @Sendable () -> Void) {
        let whole = Self.guardByteCount + Self.byteCount
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK
        guard let memory = unsafe mmap(nil, whole, PROT_READ | PROT_WRITE, flags, -1, 0), unsafe memory != MAP_FAILED
        else {
            return nil
        }
        unsafe mprotect(memory, Self.guardByteCount, PROT_NONE)
        var thread = pthread_t()
        let job = unsafe Unmanaged.passRetained(Job(body))
        let stack = unsafe memory + Self.guardByteCount
        guard unsafe ccurl_start(&thread, stack, Self.byteCount, Job.run, job.toOpaque()) == 0 else {
            unsafe job.release()
            unsafe munmap(memory, whole)
            return nil
        }
        self.thread = thread
        unsafe self.memory = unsafe memory
    }

    /// Waits for the thread to end, which is to be done by then, and gives its stack back.
    consuming func join() {
        pthread_join(thread, nil)
        unsafe munmap(memory, Self.guardByteCount + Self.byteCount)
    }
}

/// What a thread runs.
private final class Job {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    // A function of its own, because one that is written in place may be taken for an actor's, and die on a foreign thread.
    static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context = unsafe context { unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
        return nil
    }
}
#endif
