#if !canImport(Security)
import CCurl
import Glibc

/// A thread on its own stack, which is unmapped with all that was left there, saved registers included: the system
/// reuses the stacks of its threads.
///
/// It blocks signals, so writing to a closed socket just fails.
@safe struct TransferThread: ~Copyable {
    private let thread: pthread_t
    private let memory: UnsafeMutableRawPointer

    private static let byteCount = 1 << 20
    private static let guardByteCount = 1 << 16

    /// Runs `body` on a new thread; `nil` if the system grants none.
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

    /// Waits for the thread to end, and unmaps its stack.
    consuming func join() {
        pthread_join(thread, nil)
        unsafe munmap(memory, Self.guardByteCount + Self.byteCount)
    }
}

/// The function that a thread runs.
private final class Job {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    // A separate function, because a closure written in place may be inferred to be an actor's, and crash on a foreign
    // thread.
    static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context = unsafe context { unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
        return nil
    }
}
#endif
