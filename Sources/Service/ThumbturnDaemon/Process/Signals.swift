import Glibc

/// The signals that an operator, or systemd, sends.
enum Signals {
    enum Request { case stop, reload }

    /// Lets no thread that is started from now on be interrupted by one; `next` takes them.
    static func block() {
        var set = all
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one.
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
