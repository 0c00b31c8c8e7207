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
        case descriptors, threads, memory

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
            case .memory:
                Failure(
                    .storageUnavailable,
                    Words("there is no memory left", "il n'y a plus de mémoire"),
                    hint: Words(
                        "raise `ulimit -v`, or end other programs",
                        "augmentez `ulimit -v`, ou fermez d'autres programmes"
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
        guard !hasThreads() else { return nil }
        return hasMemory() ? .threads : .memory
    }

    /// Whether the stacks of the threads have room: the system tells no shortage of that from one of threads.
    private static func hasMemory() -> Bool {
        let count = threadCount << 23
        let memory = unsafe mmap(nil, count, PROT_NONE, MAP_PRIVATE | anonymous, -1, 0)
        guard unsafe memory != MAP_FAILED else { return false }
        return unsafe munmap(memory, count) == 0
    }

    #if canImport(Glibc)
    private static let anonymous = MAP_ANONYMOUS | MAP_NORESERVE
    #else
    private static let anonymous = MAP_ANON
    #endif

    private static func hasDescriptors() -> Bool {
        if fewAreOpen() { return true }
        let copies = (0..<descriptorCount).map { _ in fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) }
        defer { for copy in copies where copy >= 0 { close(copy) } }
        return copies.allSatisfy { $0 >= 0 }
    }

    /// Whether enough of the lowest descriptors are closed, which one call tells where most processes begin.
    private static func fewAreOpen() -> Bool {
        var limit = rlimit()
        #if canImport(Glibc)
        let isKnown = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        #else
        let isKnown = unsafe getrlimit(RLIMIT_NOFILE, &limit) == 0
        #endif
        guard isKnown, limit.rlim_cur >= 64 else { return false }
        var descriptors = (3..<Int32(64)).map { pollfd(fd: $0, events: 0, revents: 0) }
        guard unsafe poll(&descriptors, nfds_t(descriptors.count), 0) >= 0 else { return false }
        return descriptors.count { $0.revents & Int16(POLLNVAL) != 0 } >= descriptorCount
    }

    /// Starts as many threads as may be needed at once, and ends them.
    private static func hasThreads() -> Bool {
        let gate = Gate()
        gate.lock()
        var threads: [WaitingThread] = []
        let count = threadCount
        while threads.count < count, let thread = WaitingThread(at: gate) { threads.append(thread) }
        gate.unlock()
        for thread in threads { thread.join() }
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
}

/// A thread that ends once it got through a gate.
@safe private struct WaitingThread {
    // Its name is a number on Linux, and a pointer on Apple's systems.
    #if canImport(Glibc)
    private var thread = pthread_t()
    #else
    private var thread: pthread_t?
    #endif

    /// Starts one; nil when the system has none to give.
    init?(at gate: Gate) {
        let gate = unsafe Unmanaged.passRetained(gate)
        let result = unsafe pthread_create(
            &thread,
            nil,
            { gate in
                #if canImport(Glibc)
                guard let gate = unsafe gate else { return nil }
                #endif
                let mine = unsafe Unmanaged<Gate>.fromOpaque(gate).takeRetainedValue()
                mine.lock()
                mine.unlock()
                return nil
            },
            gate.toOpaque()
        )
        guard result == 0 else {
            unsafe gate.release()
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
