import Glibc

/// How many files may be open: each connection is one.
enum Descriptors {
    /// Takes all that the system allows; the usual first limit is 1,024.
    static func raise() {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(kind, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(kind, &limit)
    }
}
