import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the system has to have left for a command, looked at before one begins.
///
/// Swift's tasks run on threads that a library starts as it needs them: where the system gives none it tries again for ever,
/// and where it gives no descriptor it ends the process. So a command that would meet either says so and does nothing.
package enum Resources {
    /// What can be short.
    package enum Shortage: Hashable, Sendable {
        case descriptors, threads

        /// What is said of it, with the command that raises the limit.
        package var failure: Failure {
            switch self {
            case .descriptors:
                Failure(
                    .storageUnavailable,
                    Words("too few files may be open", "trop peu de fichiers peuvent être ouverts"),
                    hint: Words("raise `ulimit -n`", "augmentez `ulimit -n`")
                )
            case .threads:
                Failure(
                    .storageUnavailable,
                    Words("the system gives no more threads", "le système ne donne plus de threads"),
                    hint: Words(
                        "raise `ulimit -u`, or end other programs",
                        "augmentez `ulimit -u`, ou fermez d'autres programmes"
                    )
                )
            }
        }
    }

    /// The database, its log and locks, the device's folder, the bus, and what the threads wake each other with.
    private static let descriptorCount = 24
    /// Those of the tasks, one a processor and for two priorities, the one of their timers, and two of the device's.
    private static var threadCount: Int { min(2 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 3, 64) }

    /// What is missing; nil when all is there.
    package static func shortage() -> Shortage? {
        if !hasDescriptors() { return .descriptors }
        return hasThreads() ? nil : .threads
    }

    private static func hasDescriptors() -> Bool {
        let copies = (0..<descriptorCount).map { _ in fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) }
        defer { for copy in copies where copy >= 0 { close(copy) } }
        return copies.allSatisfy { $0 >= 0 }
    }

    /// Starts as many threads as may be needed at once, and ends them.
    private static func hasThreads() -> Bool {
        let gate = Gate()
        gate.lock()
        var threads: [pthread_t] = []
        let count = threadCount
        while threads.count < count, let thread = gate.startThread() { threads.append(thread) }
        gate.unlock()
        for thread in threads { pthread_join(thread, nil) }
        return threads.count == count
    }
}

/// What threads that do nothing wait for.
@safe private final class Gate: @unchecked Sendable {
    // Safe to share: a mutex is made for that, and keeps one address for life.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
        let result = unsafe pthread_mutex_init(mutex, nil)
        precondition(result == 0, "a mutex could not be made")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func lock() { unsafe pthread_mutex_lock(mutex) }

    func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// Starts a thread that ends once it got through; nil when the system has none to give.
    func startThread() -> pthread_t? {
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let me = unsafe Unmanaged.passRetained(self)
        let result = unsafe pthread_create(
            &thread,
            nil,
            { me in
                #if canImport(Glibc)
                guard let me = unsafe me else { return nil }
                #endif
                let gate = unsafe Unmanaged<Gate>.fromOpaque(me).takeRetainedValue()
                gate.lock()
                gate.unlock()
                return nil
            },
            me.toOpaque()
        )
        if result == 0 { return thread }
        unsafe me.release()
        return nil
    }
}
