import Glibc

/// The signals that an operator, or systemd, sends.
enum Signals {
    enum Request { case stop, reload }

    /// Lets no thread that is started from now on be interrupted by one; `next` takes them.
    static func block() { unsafe pthread_sigmask(SIG_BLOCK, &all, nil) }

    /// Waits for one.
    static func next() -> Request {
        var number: Int32 = 0
        while unsafe sigwait(&all, &number) != 0 {}
        return number == SIGHUP ? .reload : .stop
    }

    private static var all: sigset_t {
        get {
            var set = sigset_t()
            unsafe sigemptyset(&set)
            for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
            return set
        }
        set {}
    }
}

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
