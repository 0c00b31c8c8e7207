import CSystem

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the process takes away from itself before it holds a secret (A53).
///
/// It can't take away the Swift runtime's backtraces, which show the memory behind registers when a program crashes: they
/// are set up before any of our code runs. `thumbturn help` says how to turn them off.
enum Hardening {
    /// Leaves no core file, lets no other process of this user look in, and makes files for this user alone.
    static func apply() {
        openStandardDescriptors()
        var nothing = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = unsafe setrlimit(coreFiles, &nothing)
        #if canImport(Glibc)
        _ = system_set_dumpable(0)
        #endif
        umask(0o077)
        // A reader that went away, or a limit of size, is an error of the write, which the command reports.
        for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
    }

    #if canImport(Glibc)
    private static let coreFiles = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    #else
    private static let coreFiles = RLIMIT_CORE
    #endif

    /// Whether the process is as `apply` left it.
    static var isInForce: Bool {
        var limit = rlimit()
        guard unsafe getrlimit(coreFiles, &limit) == 0, limit.rlim_cur == 0 else { return false }
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
