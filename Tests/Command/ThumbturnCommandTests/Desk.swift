#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole

@testable import ThumbturnCommand

/// Somebody at a terminal with a shell on it, which has job control and knows the command as `$T`.
final class Desk {
    let box: Box
    let keyboard: Keyboard
    private static let prompt = "READY> "

    /// Sits down; what the shell says goes to the terminal as well.
    ///
    /// - Parameter shell: how it is started, to read from a terminal and nothing else.
    init(_ box: Box, shell: String = "bash --norc --noprofile --noediting -i") throws {
        self.box = box
        keyboard = try Keyboard()
        let shell = "exec setsid --ctty --fork \(shell) <\"$0\" >\"$0\" 2>&1"
        let started = try ChildProcess.run(
            "/bin/sh",
            ["-c", shell, keyboard.path],
            environment: box.environment(["T": Box.tool, "PS1": Self.prompt, "HISTFILE": "", "TERM": "dumb"])
        )
        try #require(started.exitCode == 0, "\(started)")
        keyboard.wait(for: Self.prompt)
    }

    /// Runs a line; what it shows until the shell is ready again.
    func run(_ line: String) -> String {
        keyboard.write(line)
        return waitForShell()
    }

    /// Starts a line that asks, and answers once it does.
    func start(_ line: String, until question: String, answering answer: String? = nil) {
        keyboard.write(line)
        if let answer { self.answer(question, answer) } else { keyboard.wait(for: question) }
    }

    /// Answers once something is asked.
    func answer(_ question: String, _ answer: String) {
        keyboard.wait(for: question)
        keyboard.write(answer)
    }

    func waitForShell() -> String { keyboard.wait(for: Self.prompt) }

    /// Presses a key together with Control.
    func press(_ key: Character) {
        let code = (key.asciiValue ?? 0) & 0x1F
        keyboard.write(String(UnicodeScalar(code)), ending: "")
    }

    /// Expects that the shell has read nothing, shows what is typed, and that no PIN was tried.
    func expectNothingLeft(failures: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let shown = run("echo un''touched")
        #expect(shown == "echo un''touched\nuntouched\n" + Self.prompt, sourceLocation: sourceLocation)
        let attempts = try #require(box.json(["status"])["attempts"] as? [String: Any])
        #expect(attempts["failures"] as? Int == failures, sourceLocation: sourceLocation)
    }
}
#endif
