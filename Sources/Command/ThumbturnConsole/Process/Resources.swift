import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Checks for the system resources of a command before it starts.
///
/// Swift's tasks run on threads that a library starts on demand. It retries forever if the system grants none, and ends
/// the process if there is no descriptor. So a command that would run into either reports it and does nothing.
package enum Resources {
    /// A resource that may be short.
    package enum Shortage: Hashable, Sendable {
        case descriptors, threads, memory

        /// The failure, with the command that raises the limit.
        package var failure: Failure {
            switch self {
            case .descriptors:
                Failure(
                    .storageUnavailable,
                    Words("too few files can be opened", "trop peu de fichiers peuvent être ouverts"),
                    hint: Words("raise `ulimit -n`", "augmentez `ulimit -n`")
                )
            case .threads:
                Failure(
                    .storageUnavailable,
                    Words("the system allows no more threads", "le système n'accorde plus de threads"),
                    hint: Words(
                        "raise `ulimit -u`, or close other programs",
                        "augmentez `ulimit -u`, ou fermez d'autres programmes"
                    )
                )
            case .memory:
                Failure(
                    .storageUnavailable,
                    Words("there is no memory left", "il n'y a plus de mémoire"),
                    hint: Words(
                        "raise `ulimit -v`, or close other programs",
                        "augmentez `ulimit -v`, ou fermez d'autres programmes"
                    )
                )
            }
        }
    }

    /// For the database, its log and locks, the device's folder, the bus, and waking threads.
    private static let descriptorCount = 24
    /// The threads of tasks (one per processor and two priorities), their timer thread, and two for the device.
    private static var threadCount: Int { min(2 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) + 3, 64) }

    /// Returns what is missing; `nil` if everything is available.
    package static func shortage() -> Shortage? {
        if !hasDescriptors() { return .descriptors }
        guard !hasThreads() else { return nil }
        return hasMemory() ? .threads : .memory
    }

    /// Returns whether there is room for the threads' stacks: the system reports both shortages with the same error.
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

    /// Returns whether enough low descriptors are closed; one call tells this for most processes.
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
        let gate = Lock()
        let count = threadCount
        let threads = gate.withLock {
            var threads: [SystemThread] = []
            while threads.count < count, let thread = SystemThread({ gate.withLock {} }) { threads.append(thread) }
            return threads
        }
        for thread in threads { thread.join() }
        return threads.count == count
    }
}
