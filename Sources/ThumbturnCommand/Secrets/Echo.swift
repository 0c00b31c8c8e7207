#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// The terminal as it was. Written only while no handler is installed, and read by a handler, which can be given nothing.
nonisolated(unsafe) private var savedAttributes = termios()
// The same.
nonisolated(unsafe) private var savedDescriptor: Int32 = -1

/// A terminal that does not show what is typed, until `restore`, or until a signal ends the process.
struct Echo {
    private static let fatalSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private let isOff: Bool

    /// Turns the echo off; the end of a line still shows.
    init(turningOffOn descriptor: Int32) {
        guard unsafe tcgetattr(descriptor, &savedAttributes) == 0 else {
            isOff = false
            return
        }
        unsafe savedDescriptor = descriptor
        for number in Self.fatalSignals {
            _ = signal(number) { number in
                _ = unsafe tcsetattr(savedDescriptor, TCSANOW, &savedAttributes)
                _ = signal(number, SIG_DFL)
                raise(number)
            }
        }
        // Stopped in the middle, the shell would have a terminal without echo.
        _ = signal(SIGTSTP, SIG_IGN)
        var attributes = unsafe savedAttributes
        attributes.c_lflag &= ~tcflag_t(ECHO)
        attributes.c_lflag |= tcflag_t(ICANON | ISIG)
        isOff = unsafe tcsetattr(descriptor, TCSAFLUSH, &attributes) == 0
    }

    func restore() {
        guard isOff else { return }
        _ = unsafe tcsetattr(savedDescriptor, TCSANOW, &savedAttributes)
        for number in Self.fatalSignals + [SIGTSTP] { _ = signal(number, SIG_DFL) }
    }
}
