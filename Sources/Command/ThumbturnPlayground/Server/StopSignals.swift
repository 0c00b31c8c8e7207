import Glibc

/// The signals that end the server: Control-C, a closed terminal, and whoever manages it.
enum StopSignals {
    /// Blocks them in this thread and those started later; `wait` receives them.
    static func block() {
        var set = all
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one of them.
    static func wait() {
        var set = all
        var number: Int32 = 0
        while unsafe sigwait(&set, &number) != 0 {}
    }

    private static var all: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
        return set
    }
}
