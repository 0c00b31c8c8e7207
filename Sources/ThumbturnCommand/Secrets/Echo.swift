#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// The terminal as it was. Written only while no handler is installed, and read by a handler, which can be given nothing.
// It is no global itself: Swift gives that no room for the padding at the end, which every copy writes.
nonisolated(unsafe) private let savedAttributes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
// The same.
nonisolated(unsafe) private var savedDescriptor: Int32 = -1
// Whether an echo is turned off here. The terminal can't tell: the handler may be turning it on, on another thread.
nonisolated(unsafe) private var isInForce = false

/// A terminal that does not show what is typed, until `restore`, or until a signal ends the process.
struct Echo {
    private static let fatalSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private let isOff: Bool

    /// Turns the echo off; the end of a line still shows.
    ///
    /// Where it is off already, whoever turned it off restores it, and what was typed since stays. So it is within another
    /// echo, also once a signal has given that back.
    init(turningOffOn descriptor: Int32) {
        var found = termios()
        let lines = tcflag_t(ICANON | ISIG)
        guard unsafe !isInForce, unsafe tcgetattr(descriptor, &found) == 0,
            found.c_lflag & tcflag_t(ECHO) != 0 || found.c_lflag & lines != lines
        else {
            isOff = false
            return
        }
        unsafe savedAttributes.initialize(to: found)
        unsafe savedDescriptor = descriptor
        for number in Self.fatalSignals {
            _ = signal(number) { number in
                _ = unsafe tcsetattr(savedDescriptor, TCSANOW, savedAttributes)
                _ = signal(number, SIG_DFL)
                raise(number)
            }
        }
        // Stopped in the middle, the shell would have a terminal without echo.
        _ = signal(SIGTSTP, SIG_IGN)
        var attributes = found
        attributes.c_lflag &= ~tcflag_t(ECHO)
        attributes.c_lflag |= lines
        isOff = unsafe tcsetattr(descriptor, TCSAFLUSH, &attributes) == 0
        unsafe isInForce = isOff
    }

    func restore() {
        guard isOff else { return }
        _ = unsafe tcsetattr(savedDescriptor, TCSANOW, savedAttributes)
        for number in Self.fatalSignals + [SIGTSTP] { _ = signal(number, SIG_DFL) }
        unsafe isInForce = false
    }
}
