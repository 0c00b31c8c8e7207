import CSystem

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Restricts the process before it handles a secret (A53).
package enum Hardening {
    /// Disables core files and debugging by other processes of this user, and makes new files private to this user.
    package static func apply() {
        openStandardDescriptors()
        var nothing = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(coreFiles, &nothing)
        #if canImport(Glibc)
        _ = system_set_dumpable(0)
        #endif
        umask(0o077)
        // The runtime installed its backtraces before our code ran; they would print the memory behind registers
        // (B-10).
        for number in crashSignals where !isIgnored(number) { _ = signal(number, SIG_DFL) }
        // A reader that went away and a size limit are errors of the write, which the command reports.
        for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
    }

    /// The signals of a crash, as listed by the Swift runtime.
    static let crashSignals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

    #if canImport(Glibc)
    private static let coreFiles = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    #else
    private static let coreFiles = RLIMIT_CORE
    #endif

    /// Whether the restrictions of `apply` are in effect.
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

    /// Opens `/dev/null` for each closed standard descriptor: otherwise the vault's file could become standard output.
    ///
    /// It is opened in the wrong direction, so that reads and writes fail as on a closed descriptor.
    private static func openStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}

/// Returns whether the parent process made this one ignore a signal, as `nohup` does.
func isIgnored(_ number: Int32) -> Bool { disposition(of: number) == 1 }

/// Returns whether a signal has its default action.
func isDefault(_ number: Int32) -> Bool { disposition(of: number) == 0 }

/// Returns the address of a signal's handler: 0 is the default action, 1 ignores the signal.
private func disposition(of number: Int32) -> Int {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return -1 }
    #if canImport(Glibc)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #else
    return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #endif
}
