#if os(Linux)
import Glibc
import Testing
import ThumbturnConsole

@testable import ThumbturnCommand

/// A terminal with somebody at it, who waits two minutes for anything and no longer.
final class Keyboard {
    static let patience = 120
    let master: Int32
    let path: String
    private var unread = ""
    /// All that `wait` saw on the terminal.
    private(set) var everything = ""

    init() throws {
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN, which the Glibc module does not import.
        var (lock, number) = (Int32(0), Int32(0))
        let isUnlocked = unsafe ioctl(master, 0x4004_5431, &lock) == 0
        let isNamed = unsafe ioctl(master, 0x8004_5430, &number) == 0
        try #require(isUnlocked && isNamed)
        path = "/dev/pts/\(number)"
    }

    deinit { close(master) }

    var echoes: Bool {
        var attributes = termios()
        return unsafe tcgetattr(master, &attributes) == 0 && attributes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// As a handler of a signal does it, on whatever thread.
    func turnEchoOn() {
        var attributes = termios()
        _ = unsafe tcgetattr(master, &attributes)
        attributes.c_lflag |= tcflag_t(ECHO)
        _ = unsafe tcsetattr(master, TCSANOW, &attributes)
    }

    /// Types a line once it is asked for, hidden: what is typed between the end of the echo and the question is no answer.
    func typeHidden(_ line: String, to child: borrowing RunningChild) {
        waitUntilHidden(by: child.process)
        child.waitForQuestion(until: time(nil) + Self.patience)
        #expect(!echoes || Self.hasEnded(child.process))
        write(line)
    }

    func waitUntilHidden(by child: pid_t?) {
        let end = time(nil) + Self.patience
        while echoes, !Self.hasEnded(child) {
            guard time(nil) < end else {
                Issue.record("the terminal never hid what is typed, but showed \(everything)\(unread)")
                return
            }
            sched_yield()
        }
    }

    static func hasEnded(_ child: pid_t?) -> Bool {
        guard let child else { return false }
        var information = unsafe siginfo_t()
        let result = unsafe waitid(P_PID, id_t(child), &information, WEXITED | WNOHANG | WNOWAIT)
        return unsafe result == 0 && information.si_signo == SIGCHLD
    }

    func write(_ line: String, ending end: String = "\n") {
        let text = line + end
        _ = unsafe Glibc.write(master, text, text.utf8.count)
    }

    /// Waits until the terminal shows a text; carriage returns are left out of all that it shows.
    ///
    /// - Returns: all that it showed since the last time, up to its end; of a terminal that is gone what there was.
    @discardableResult
    func wait(for text: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            if let range = unread.firstRange(of: text) {
                defer { unread.removeSubrange(..<range.upperBound) }
                return String(unread[..<range.upperBound])
            }
            var event = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            let isReady = unsafe poll(&event, 1, Int32(Self.patience * 1_000)) == 1
            let count = isReady ? unsafe read(master, &bytes, bytes.count) : 0
            guard count > 0 else {
                Issue.record("the terminal never showed \(text), but \(unread)")
                return unread
            }
            // A character that comes in pieces is no concern here.
            let text = String(decoding: bytes.prefix(count).filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            unread += text
            everything += text
        }
    }

    /// What the terminal showed so far; it can't be told any more once nobody holds the terminal.
    func shown(sourceLocation: SourceLocation = #_sourceLocation) -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        let count = unsafe read(master, &bytes, bytes.count)
        if count < 0, errno != EAGAIN {
            Issue.record("what the terminal showed is gone", sourceLocation: sourceLocation)
        }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

// What a test sees and does of a command that runs.
extension RunningChild {
    /// Its threads; a signal to one of these numbers meets that thread first.
    var threads: [pid_t] {
        let names = try? Folders.readableNames(in: "/proc/\(process)/task")
        return (names ?? []).compactMap { pid_t($0) }
    }

    /// Writes to its descriptor 3, which stays open.
    func give(_ secrets: [UInt8]) {
        var rest = secrets[...]
        while let count = input?.writeSome(of: rest), count > 0 { rest = rest.dropFirst(count) }
    }

    /// Waits until it holds memory for a secret, or has ended.
    func waitUntilItLocksMemory() {
        while true {
            let status = String(decoding: Folders.contents(of: "/proc/\(process)/status"), as: UTF8.self)
            if status.isEmpty || status.contains("State:\tZ") { return }
            if status.contains("VmLck:\t"), !status.contains("VmLck:\t       0 kB") { return }
            sched_yield()
        }
    }

    /// Waits until it has read all that its descriptor 3 was given, or has ended.
    func waitUntilItHasRead() {
        guard let input else { return }
        var unread: Int32 = 0
        while unsafe ioctl(input.write, UInt(TIOCOUTQ), &unread) == 0, unread > 0 { sched_yield() }
    }

    /// Waits until it asks something on standard error, or has ended; what it printed there stays to be read.
    func waitForQuestion(until end: time_t) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while time(nil) < end {
            let count = unsafe recv(error.read, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT))
            if count == 0 || bytes.prefix(max(0, count)).suffix(2).elementsEqual(": ".utf8) { return }
            if Keyboard.hasEnded(process) { return }
            sched_yield()
        }
        Issue.record("the command asked nothing")
    }

    /// Waits until it has printed something, or has ended; what it prints stays unread, so that it soon waits too.
    func waitForOutput() {
        var event = pollfd(fd: output.read, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&event, 1, -1) < 0, errno == EINTR {}
    }
}
#endif
