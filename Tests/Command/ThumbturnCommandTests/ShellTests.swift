#if os(Linux)
import Foundation
import Glibc
import Testing
import ThumbturnConsole
import ThumbturnFiles
import ThumbturnTestKit

@testable import ThumbturnCommand

/// What was typed reaches neither the shell nor the screen, and the keys that a shell gives a meaning keep it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ShellTests {
    private static let pinQuestion = "PIN or password: "

    @Test(.holds("A52")) func `after a command that succeeded nothing of a paste reaches the shell or the screen`()
        throws
    {
        let desk = try Desk(.withVault())
        desk.start("$T wallet import Savings", until: Self.pinQuestion, answering: Box.pin)
        desk.keyboard.wait(for: "Mnemonic (BIP-39): ")
        desk.keyboard.write("\(Box.mnemonic)\necho ra''n >&2\nhalf of a secret", ending: "")
        let shown = desk.waitForShell()
        #expect(shown.contains("Added: Savings"))
        let typed = ["ozone", "picnic", "ra''n", "half"]
        #expect(!typed.contains { shown.contains($0) }, "\(shown)")
        try desk.expectNothingLeft()
    }

    @Test(.holds("A52")) func `of a long paste that comes in pieces nothing is left either`() throws {
        let desk = try Desk(.withVault())
        desk.start("$T unlock", until: Self.pinQuestion)
        desk.keyboard.write(Box.pin)
        let line = "echo a line of a paste that is longer than a terminal holds"
        for _ in 0..<400 { desk.keyboard.write(line) }
        #expect(!desk.waitForShell().contains("line"))
        try desk.expectNothingLeft()
    }

    @Test(arguments: [("wallet import Key --opaque", "Secret: "), ("credential set key", "Credential: ")])
    func `of a secret with several lines the first is not stored as if it were all`(
        command: String,
        question: String
    ) throws {
        let desk = try Desk(.withVault())
        let asksPIN = command.hasPrefix("wallet")
        desk.start("$T \(command)", until: asksPIN ? Self.pinQuestion : question)
        if asksPIN {
            desk.keyboard.write(Box.pin)
            desk.keyboard.wait(for: question)
        }
        desk.keyboard.write("-----BEGIN KEY-----\nc2VjcmV0\n-----END KEY-----")
        let shown = desk.waitForShell()
        #expect(shown.replacing("\n  ", with: " ").contains("too many lines were given"), "\(shown)")
        #expect(!shown.contains("KEY"), "\(shown)")
        #expect(desk.run("echo $?").contains("\n2\n"))
        try desk.expectNothingLeft()
        #expect(try desk.box.json(["status"])["walletCount"] as? Int == 0)
        #expect(try desk.box.run(["credential", "get", "key"]).exitCode == 1)
    }

    @Test func `a secret of several lines can be typed, until Control-D`() throws {
        let desk = try Desk(.withVault())
        desk.start("$T wallet import Key --opaque --file -", until: Self.pinQuestion, answering: Box.pin)
        desk.keyboard.wait(for: "a line of its own): ")
        desk.keyboard.write("one\ntwo")
        desk.press("D")
        #expect(desk.waitForShell().contains("Added: Key"))
        #expect(try desk.box.run(["wallet", "export", "Key"], [Box.pin]).standardOutput == "one\ntwo\n")
    }

    @Test(.holds("A52"), .timeLimit(.minutes(20)))
    func `the echo is off before the question is shown`() throws {
        let (box, keyboard) = (try Box.withVault(), try Keyboard())
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        // Control-S: the terminal takes no more output, so the question stays in the command's hands.
        keyboard.write("\u{13}", ending: "")
        let child = try RunningChild(
            "/bin/sh",
            ["-c", "exec \"$0\" wallet export Savings 2>&0", Box.tool],
            environment: box.environment([:]),
            hasSecrets: false,
            standardInput: keyboard.path
        )
        keyboard.waitUntilHidden(by: child.process)
        #expect(keyboard.shown().isEmpty)
        keyboard.write("\u{11}", ending: "")
        keyboard.wait(for: Self.pinQuestion)
        keyboard.write(Box.pin)
        // There is no such wallet.
        #expect(child.finish().exitCode == 1)
        #expect(keyboard.echoes)
    }

    @Test(.holds("A52")) func `what is typed between two questions is neither shown nor an answer`() throws {
        let desk = try Desk(.withVault())
        let terminal = unsafe open(desk.keyboard.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        desk.start("$T pin change", until: Self.pinQuestion)
        // The second question can't come while the vault is in other hands, for which the command waits ten seconds.
        let lock = try FileLock(desk.box.vault + "/lock")
        try #require(try lock.tryAcquire())
        desk.keyboard.write(Box.pin)
        // The line of the PIN has ended: the command is at work.
        desk.keyboard.wait(for: "\n")
        desk.keyboard.write("typed ahead")
        // The terminal has it before the command goes on.
        var event = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        try #require(unsafe poll(&event, 1, 120_000) == 1)
        lock.release()
        desk.keyboard.wait(for: "nothing like 123456): ")
        desk.keyboard.write(Box.wrongPIN)
        desk.keyboard.wait(for: "The same again: ")
        desk.keyboard.write(Box.wrongPIN)
        let shown = desk.waitForShell()
        #expect(shown.contains("was changed"), "\(shown)")
        #expect(!desk.keyboard.everything.contains("typed ahead"))
        try desk.box.run(["unlock"], [Box.wrongPIN]).succeeding()
    }

    @Test func `a new PIN that is the present one is refused before it is asked for again, and the PIN stays`() throws {
        let desk = try Desk(.withVault())
        desk.start("$T pin change", until: Self.pinQuestion, answering: Box.pin)
        for turn in 1...3 {
            let asked = desk.keyboard.wait(for: "nothing like 123456): ")
            #expect(turn == 1 || asked.contains("The new PIN or password is the same"), "\(asked)")
            desk.keyboard.write(Box.pin)
        }
        #expect(desk.waitForShell().contains("error: ERR-TT-301 The new PIN or password is the same"))
        try desk.box.run(["unlock"], [Box.pin]).succeeding()
    }

    /// Commands that ask, with what leads to each question.
    static let questions: [(command: String, before: [(String, String)], question: String)] = [
        ("unlock", [], pinQuestion),
        ("wallet import Savings", [(pinQuestion, Box.pin)], "Mnemonic (BIP-39): "),
        ("pin change", [(pinQuestion, Box.pin), ("nothing like 123456): ", Box.wrongPIN)], "The same again: "),
        ("reset", [], "Type RESET: "),
    ]

    private func startAsking(_ index: Int) throws -> Desk {
        let desk = try Desk(.withVault())
        let (command, before, question) = Self.questions[index]
        desk.keyboard.write("$T \(command)")
        for (question, answer) in before {
            desk.keyboard.wait(for: question)
            desk.keyboard.write(answer)
        }
        desk.keyboard.wait(for: question)
        return desk
    }

    @Test(arguments: questions.indices)
    func `Control-C ends the command at every question, and what was typed is gone`(index: Int) throws {
        let desk = try startAsking(index)
        desk.keyboard.write("half an answer", ending: "")
        desk.press("C")
        _ = desk.waitForShell()
        #expect(desk.run("echo $?").contains("\n130\n"))
        try desk.expectNothingLeft()
    }

    @Test(arguments: questions.indices, ["", "83251940"])
    func `Control-D ends the command at every question, and nothing is tried`(index: Int, typed: String) throws {
        let desk = try startAsking(index)
        desk.keyboard.write(typed, ending: "")
        desk.press("D")
        // The first of them ends what was typed.
        if !typed.isEmpty { desk.press("D") }
        let shown = desk.waitForShell()
        #expect(shown.contains("ERR-TT-302"), "\(shown)")
        #expect(Self.questions[index].command == "reset" || !shown.contains("83251940"))
        try desk.expectNothingLeft()
    }

    @Test(arguments: questions.indices)
    func `Control-Z gives the shell its terminal at every question, and with fg the question is asked again`(
        index: Int
    ) throws {
        let desk = try startAsking(index)
        let isHidden = Self.questions[index].command != "reset"
        #expect(desk.keyboard.echoes != isHidden)
        desk.keyboard.write("half", ending: "")
        desk.press("Z")
        #expect(desk.waitForShell().contains("Stopped"))
        try desk.expectNothingLeft()

        // In the background it waits for its turn, and leaves the terminal alone.
        _ = desk.run("bg")
        #expect(desk.run("wait %1; jobs").contains("Stopped"))
        try desk.expectNothingLeft()

        desk.keyboard.write("fg")
        desk.keyboard.wait(for: Self.questions[index].question)
        #expect(desk.keyboard.echoes != isHidden)
        let answers = [Box.pin, Box.mnemonic, Box.wrongPIN, "RESET"]
        desk.keyboard.write(answers[index])
        if index == 1 {
            desk.keyboard.wait(for: "(Enter to end): ")
            desk.keyboard.write("")
        }
        let shown = desk.waitForShell()
        #expect(!shown.contains("error"), "\(shown)")
        #expect(index == 3 || !shown.contains(answers[index]))
        #expect(desk.run("echo $?").contains("\n0\n"))
    }

    @Test func `a command that asks in the background waits until it is in front`() throws {
        let desk = try Desk(.withVault())
        _ = desk.run("$T unlock & wait %1")
        #expect(desk.run("jobs").contains("Stopped"))
        try desk.expectNothingLeft()
        desk.start("fg", until: Self.pinQuestion, answering: Box.pin)
        #expect(desk.waitForShell().contains("Unlocked"))
    }

    @Test(arguments: ["bg", "$T unlock &"])
    func `a command that asks in the background takes nothing of what is typed to the shell`(command: String) throws {
        let desk = command == "bg" ? try startAsking(0) : try Desk(.withVault())
        if command == "bg" {
            desk.press("Z")
            _ = desk.waitForShell()
        }
        let gate = desk.box.folder + "/gate"
        unsafe #expect(mkfifo(gate, 0o600) == 0)
        // More than a terminal holds at once: what comes after waits where the system can forget it for anyone.
        desk.keyboard.write("n=0; read -r _ <'\(gate)'; \(command)\nwait %1")
        for _ in 0..<1_000 { desk.keyboard.write(": $((n++))") }
        _ = try ChildProcess.run("/bin/sh", ["-c", "echo >\"$0\"", gate], environment: desk.box.environment([:]))
        desk.keyboard.write("echo \"$n\" li''nes")
        desk.keyboard.wait(for: "lines\n")
        #expect(desk.keyboard.everything.contains("1000 lines\n"))
    }

    @Test func `a secret with control characters is shown on no terminal unless it is asked for raw`() throws {
        let box = try Box.withVault()
        for (name, secret) in [("esc", "a\u{1B}]0;title\u{7}b"), ("csi", "a\u{9B}2Jb"), ("bytes", "plain")] {
            try box.run(["credential", "set", name], [secret]).succeeding()
            try box.run(["wallet", "import", name, "--opaque"], [Box.pin, secret]).succeeding()
        }
        let desk = try Desk(box)
        func hasControl(_ shown: String) -> Bool {
            shown.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" }
        }
        for name in ["esc", "csi"] {
            for command in ["credential get \(name)", "wallet export \(name)"] {
                func show(_ option: String) -> String {
                    desk.keyboard.write("$T \(command) \(option)")
                    if command.hasPrefix("wallet") {
                        desk.keyboard.wait(for: Self.pinQuestion)
                        desk.keyboard.write(Box.pin)
                    }
                    return desk.waitForShell()
                }
                let refused = show("")
                #expect(refused.contains("--raw") && !hasControl(refused))
                #expect(desk.run("echo $?").contains("\n2\n"))
                let raw = show("--raw")
                #expect(hasControl(raw))
                let json = show("--json")
                #expect(json.contains("\\u00") && !hasControl(json))
            }
            // Elsewhere than on a terminal nothing acts on them.
            try box.run(["credential", "get", name]).succeeding()
        }
        #expect(desk.run("$T credential get bytes").contains("plain"))
    }
}
#endif
