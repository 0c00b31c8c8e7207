#if os(Linux)
import Foundation
import Glibc
import Testing
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnLinux
import ThumbturnTestKit

@testable import ThumbturnCommand
@testable import ThumbturnConsole

// In turns: what a terminal was like is remembered once for the process.
@Suite(.serialized, .timeLimit(.minutes(20)))
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
        // What was shown last is gone once nobody holds the terminal.
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        let child = try start(["unlock"], box, keyboard)
        keyboard.typeHidden(Box.pin, to: child)
        let result = child.finish()
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.standardError == "PIN or password: \n")
        #expect(keyboard.echoes)
        #expect(!keyboard.shown().contains(Box.pin))
    }

    @Test(.holds("A52"), arguments: [["unlock"], ["wallet", "export", "--all"], ["pin", "change"]])
    func `a PIN that is typed into a silence, before it is asked for, does not show`(words: [String]) throws {
        let (box, keyboard) = (try Box.withVault(), try Keyboard())
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        // Another process has the vault, so nothing comes for a while.
        let lock = try FileLock(box.vault + "/lock")
        try #require(try lock.tryAcquire())
        let child = try start(words, box, keyboard)
        keyboard.waitUntilHidden(by: child.process)
        #expect(!keyboard.echoes && !Keyboard.hasEnded(child.process))
        keyboard.write(Box.pin)
        lock.release()
        child.waitForQuestion(until: time(nil) + Keyboard.patience)
        keyboard.write("\u{4}", ending: "")
        _ = child.finish()
        #expect(!keyboard.shown().contains(Box.pin))
        #expect(keyboard.echoes)
    }

    @Test(.holds("A52")) func `of what was pasted into a command that fails nothing is left to the shell`() throws {
        let (box, keyboard) = (try Box.withVault(), try Keyboard())
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        let child = try start(["wallet", "import", "--bulk"], box, keyboard)
        keyboard.typeHidden("A\t\(Box.mnemonic)\nB\t\(Box.mnemonic)\nC\t\(Box.mnemonic)", to: child)
        #expect(child.finish().exitCode == 2)
        let attempts = try #require(box.json(["status"])["attempts"] as? [String: Any])
        #expect(attempts["failures"] as? Int == 0)
        var event = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&event, 1, 0) == 0)
        let shown = keyboard.shown()
        #expect(!shown.contains("ozone") && !shown.contains("picnic"), "\(shown)")
    }

    @Test(.holds("B-03")) func `on a terminal the PIN is asked for in the same command, once a finger has failed`()
        throws
    {
        let (box, keyboard) = (try Box.withVault("--biometrics"), try Keyboard())
        try box.run(["simulate", "finger", "cancel"])
        let child = try start(["unlock"], box, keyboard)
        keyboard.typeHidden(Box.pin, to: child)
        let result = child.finish()
        #expect(result.exitCode == 0 && result.standardOutput.contains("(PIN or password)"), "\(result)")
        #expect(result.standardError.contains("ERR-107-031") && !result.standardError.contains("error:"))
    }

    /// The commands that a finger or the PIN opens, each with what it then does.
    static let fingerOrPIN = [
        ["unlock"], ["wallet", "list"], ["wallet", "show", "First"], ["wallet", "create", "Second"],
        ["wallet", "rename", "First", "Third"], ["migrate", "legacy", "FILE"],
    ]

    @Test(.holds("A19", "B-03", "C7"), arguments: fingerOrPIN, ["reader-busy", "reader-broken", "reader-silent"])
    func `a reader that fails costs one line, and then the PIN opens`(words: [String], fault: String) throws {
        let (box, keyboard) = (try Box.withVault("--biometrics"), try Keyboard())
        try box.run(["wallet", "create", "First"], [Box.pin]).succeeding()
        let file = box.folder + "/wallet"
        try Folders.write(Array(FormerApp.Sealed.first.rawValue.utf8), to: file)
        try box.run(["simulate", "fault", fault]).succeeding()
        let child = try start(words.map { $0 == "FILE" ? file : $0 }, box, keyboard)
        if words[0] == "migrate" { keyboard.typeHidden(FormerApp.pin, to: child) }
        keyboard.typeHidden(Box.pin, to: child)
        let result = child.finish()
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.standardError.components(separatedBy: "ERR-107-001").count == 2, "\(result)")
        #expect(!result.standardError.contains("error:"), "\(result)")
        let attempts = try #require(box.json(["status"])["attempts"] as? [String: Any])
        #expect(attempts["failures"] as? Int == 0)
    }

    @Test(.holds("ERR-TT-102")) func `while a wait runs no PIN is asked for`() throws {
        let (box, keyboard) = (try Box.withVault(), try Keyboard())
        for _ in 0..<4 { try box.run(["unlock"], [Box.wrongPIN]) }
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        let child = try start(["unlock"], box, keyboard)
        child.waitForQuestion(until: time(nil) + Keyboard.patience)
        // One that asks after all is to end.
        keyboard.write("\u{4}", ending: "")
        let ended = child.finish()
        #expect(ended.exitCode == 1 && ended.standardError.contains("ERR-TT-102"))
        #expect(!ended.standardError.contains("unlock with your PIN"))
        #expect(!ended.standardError.contains("PIN or password: "), "\(ended)")
        #expect(keyboard.shown().isEmpty)
    }

    @Test func `whoever turned the echo off turns it on again, and nobody within`() throws {
        let keyboard = try Keyboard()
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        let outer = Echo(turningOffOn: terminal)
        let inner = Echo(turningOffOn: terminal)
        inner.restore()
        #expect(!keyboard.echoes)
        outer.restore()
        #expect(keyboard.echoes)
    }

    @Test func `of a rehearsal only the file's PIN is asked, without echo`() throws {
        let (box, keyboard) = (try Box.withVault(), try Keyboard())
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        try Folders.write(Array(FormerApp.Sealed.first.rawValue.utf8), to: box.folder + "/wallet")
        let child = try start(["migrate", "legacy", box.folder + "/wallet", "--dry-run"], box, keyboard)
        keyboard.typeHidden(FormerApp.pin, to: child)
        let result = child.finish()
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.standardError == "PIN or password of the file: \n")
        #expect(!keyboard.shown().contains(FormerApp.pin))
    }

    @Test func `at a prompt for a finger Enter asks for the PIN, and what is typed is neither shown nor kept`()
        async throws
    {
        let keyboard = try Keyboard()
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY)
        defer { close(terminal) }
        let output = Output(of: Tool.name, environment: .current, isJSON: false, hints: Advice.none.hints)
        let panel = FingerPanel(output: output, secrets: try SecretInput(descriptor: terminal, output: output))
        let words = PromptText(reason: "open", cancelTitle: "Cancel", fallbackTitle: "Use PIN")

        let choosing = Task { await panel.ask(words) }
        // Not in a loop that keeps the thread: the panel may have no other.
        while keyboard.echoes { await Task.yield() }
        keyboard.write(Box.pin)
        #expect(await choosing.value == .fallback)
        #expect(keyboard.echoes && !keyboard.shown().contains(Box.pin))
    }

    @Test(.holds("A52"), arguments: [false, true])
    func `half a PIN goes nowhere where a finger comes first, also within another's silence`(isWithin: Bool)
        async throws
    {
        let keyboard = try Keyboard()
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY)
        defer { close(terminal) }
        let output = Output(of: Tool.name, environment: .current, isJSON: false, hints: Advice.none.hints)
        let panel = FingerPanel(output: output, secrets: try SecretInput(descriptor: terminal, output: output))
        let words = PromptText(reason: "open", cancelTitle: "Cancel", fallbackTitle: "Use PIN")
        // As the command has it: only this one forgets what was typed when it gives the terminal back.
        let outer = isWithin ? Echo(turningOffOn: terminal) : nil
        let ending = Task { await panel.ask(words) }
        while keyboard.echoes { await Task.yield() }
        // Behind the digits Control-S: once the terminal takes no more output, it has them.
        keyboard.write("8325\u{13}", ending: "")
        var event = pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0)
        while unsafe poll(&event, 1, 0) > 0 { await Task.yield() }
        ending.cancel()
        #expect(await ending.value == nil)
        #expect(keyboard.echoes == !isWithin)

        // Whoever reads next, such as the shell, has the line that is typed next, and nothing before it.
        keyboard.write("\u{11}")
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(terminal, &bytes, bytes.count)
        #expect(bytes.prefix(max(0, count)) == [UInt8(ascii: "\n")])
        outer?.restore()
        #expect(keyboard.echoes)
    }

    @Test func `a question within another's silence takes no echo that a signal gave back`() throws {
        let keyboard = try Keyboard()
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY)
        defer { close(terminal) }
        let outer = Echo(turningOffOn: terminal)
        #expect(!keyboard.echoes)
        keyboard.turnEchoOn()
        let inner = Echo(turningOffOn: terminal)
        #expect(keyboard.echoes)
        inner.restore()
        outer.restore()
        let next = Echo(turningOffOn: terminal)
        #expect(!keyboard.echoes)
        next.restore()
        #expect(keyboard.echoes)
    }

    @Test(arguments: [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS,
        34,
        64,
    ])
    func `whatever signal ends a command gives the terminal its echo back`(number: Int32) throws {
        let (box, keyboard) = (try Box.withVault(), try Keyboard())
        // Tests that run under `nohup` ignore SIGHUP, which a child would inherit.
        let isHangup = number == SIGHUP
        let former = isHangup ? signal(number, SIG_DFL) : nil
        let child = try start(["unlock"], box, keyboard)
        if isHangup { signal(number, former) }
        keyboard.waitUntilHidden(by: child.process)
        kill(child.process, number)
        let result = child.finish()
        #expect(result.exitCode == 128 + number)
        #expect(keyboard.echoes)
    }

    @Test(.holds("A19")) func `a signal while a PIN is tried leaves the right one no failure, and a wrong one its own`()
        throws
    {
        let box = try Box.withVault()
        for (turn, pin) in [Box.pin, Box.pin, Box.pin, Box.wrongPIN].enumerated() {
            // The attempt is in the log before anything is derived: what comes then comes in the middle.
            let ended = try box.shell(
                """
                log='\(box.vault)/vault.sqlite-wal'; before=$(stat -c %.Y "$log")
                printf '%s\\n' '\(pin)' >'\(box.folder)/pin'
                "$0" --device simulated unlock --secret-fd 3 3<'\(box.folder)/pin' >/dev/null 2>&1 & command=$!
                while [ "$(stat -c %.Y "$log")" = "$before" ] && kill -0 $command 2>/dev/null; do :; done
                kill -TERM $command; wait $command
                """
            )
            #expect([0, 1, 128 + SIGTERM].contains(ended.exitCode), "\(ended)")
            let attempts = try #require(box.json(["status"])["attempts"] as? [String: Any])
            let failures = attempts["failures"] as? Int
            #expect(turn < 3 ? failures == 0 : failures == 0 || failures == 1, "turn \(turn)")
        }
    }
}
#endif
