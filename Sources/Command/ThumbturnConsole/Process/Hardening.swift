import CSystem

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the process takes away from itself before it holds a secret (A53).
package enum Hardening {
    /// Leaves no core file, lets no other process of this user look in, and makes files for this user alone.
    package static func apply() {
        openStandardDescriptors()
        var nothing = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(coreFiles, &nothing)
        #if canImport(Glibc)
        _ = system_set_dumpable(0)
        #endif
        umask(0o077)
        // The runtime has set up its backtraces before any of our code ran. They would show the memory behind registers (B-10).
        for number in crashSignals where !isIgnored(number) { _ = signal(number, SIG_DFL) }
        // A reader that went away, or a limit of size, is an error of the write, which the command reports.
        for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
    }

    /// The signals of a crash, as the Swift runtime lists them.
    static let crashSignals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

    #if canImport(Glibc)
    private static let coreFiles = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    #else
    private static let coreFiles = RLIMIT_CORE
    #endif

    /// Whether the process is as `apply` left it.
    package static var isInForce: Bool {
        var limit = rlimit()
        guard unsafe getrlimit(coreFiles, &limit) == 0, limit.rlim_cur == 0 else { return false }
        guard crashSignals.allSatisfy({ isIgnored($0) || isDefault($0) }) else { return false }
        #if canImport(Glibc)
        return system_get_dumpable() == 0
        #else
        return true
        #endif
    }

    /// Puts something where a standard descriptor is closed: else the vault's file would become standard output.
    ///
    /// It is opened the wrong way round, so that reading and writing fail as they do on what is closed.
    private static func openStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}

/// Whether whoever started this process wants a signal to be ignored, as `nohup` does.
func isIgnored(_ number: Int32) -> Bool { disposition(of: number) == 1 }

/// Whether the system does with a signal what it does by itself.
func isDefault(_ number: Int32) -> Bool { disposition(of: number) == 0 }

/// The address of a signal's handler: 0 is the system's own, 1 none at all.
private func disposition(of number: Int32) -> Int {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return -1 }
    #if canImport(Glibc)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #else
    return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #endif
}
