#if os(Linux)
import Foundation
import Glibc
import Testing
import ThumbturnTestKit

@testable import ThumbturnCommand

/// A terminal with somebody at it.
private final class Keyboard {
    let master: Int32
    let path: String

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

    /// Types a line once the terminal hides it.
    func typeHidden(_ line: String) {
        while echoes { sched_yield() }
        write(line)
    }

    func write(_ line: String) {
        _ = unsafe Glibc.write(master, line + "\n", line.utf8.count + 1)
    }

    /// What the terminal showed so far.
    func shown() -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        let count = unsafe read(master, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct TerminalTests {
    private func start(_ words: [String], _ box: Box, _ keyboard: Keyboard) throws -> RunningChild {
        try RunningChild(
            Box.tool,
            words,
            environment: box.environment([:]),
            hasSecrets: false,
            standardInput: keyboard.path
        )
    }

    @Test func `a PIN is typed without echo, and the terminal is as before`() throws {
        let (box, keyboard) = (try Box.withVault(), try Keyboard())
        let child = try start(["unlock"], box, keyboard)
        keyboard.typeHidden(Box.pin)
        let result = child.finish()
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.standardError == "PIN or password: \n")
        #expect(keyboard.echoes)
        #expect(!keyboard.shown().contains(Box.pin))
    }

    @Test func `of a rehearsal only the file's PIN is asked, without echo`() throws {
        let (box, keyboard) = (try Box.withVault(), try Keyboard())
        try Folders.write(Array(FormerApp.Sealed.first.rawValue.utf8), to: box.folder + "/wallet")
        let child = try start(["migrate", "legacy", box.folder + "/wallet", "--dry-run"], box, keyboard)
        keyboard.typeHidden(FormerApp.pin)
        let result = child.finish()
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.standardError == "PIN or password of the file: \n")
        #expect(!keyboard.shown().contains(FormerApp.pin))
    }

    @Test func `a signal gives the terminal its echo back`() throws {
        let (box, keyboard) = (try Box.withVault(), try Keyboard())
        let child = try start(["unlock"], box, keyboard)
        while keyboard.echoes { sched_yield() }
        kill(child.process, SIGINT)
        let result = child.finish()
        #expect(result.exitCode == 128 + SIGINT)
        #expect(keyboard.echoes)
    }
}
#endif
