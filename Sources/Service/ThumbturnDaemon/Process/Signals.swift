import Glibc

/// The signals sent by an operator or systemd.
enum Signals {
    enum Request { case stop, reload }

    /// Blocks the signals in this thread and those started later; `next` receives them.
    static func block() {
        var set = all
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    static func next() -> Request {
        var set = all
        var number: Int32 = 0
        while unsafe sigwait(&set, &number) != 0 {}
        return number == SIGHUP ? .reload : .stop
    }

    private static var all: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
        return set
    }
}
