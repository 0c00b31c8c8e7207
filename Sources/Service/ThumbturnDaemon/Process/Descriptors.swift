import Glibc

/// The limit of open files: each connection is one.
enum Descriptors {
    /// Raises the limit to the hard limit; the usual soft limit is 1,024.
    static func raise() {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(kind, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(kind, &limit)
    }
}
