import CVersion
import Thumbturn
import ThumbturnConsole

/// One run of the tool: arguments in, exit code out.
enum Tool {
    static let name = "thumbturn"
    /// What the file VERSION said when it was built.
    static let version = unsafe String(cString: version_text()).split(separator: "\n").joined()
    /// The day of that release, as its man page says it.
    static let date = "2026-11-26"

    /// Answers what is only words: help, and which version this is.
    ///
    /// The threads of a task would take longer to start.
    ///
    /// - Returns: the exit code; nil for every other command, of which nothing was begun.
    static func answerAtOnce(_ command: Command, _ arguments: [String]) -> Int32? {
        let output = output(for: arguments)
        do throws(Failure) { return try command.answer(on: output) ? 0 : nil } catch { return output.report(error) }
    }

    /// Parses, runs, and reports what went wrong.
    ///
    /// - Returns: the exit code of design section 8.
    static func run(_ arguments: [String]) async -> Int32 {
        let environment = Environment.current
        var output = output(for: arguments)
        // After the last word: what was pasted goes on arriving meanwhile.
        defer { Terminal.leave() }
        do {
            let invocation = try Invocation(parsing: arguments)
            output.isJSON = invocation.options.json
            let folder = invocation.options.vault ?? (try? environment.vaultFolder()) ?? ""
            let advice = Advice(invocation, folder: folder)
            output.hints = advice.hints
            let secrets = try SecretInput(
                descriptor: invocation.options.secretDescriptor,
                asking: invocation.command.questions,
                output: output
            )
            // Before anything is looked at, which may take long.
            if invocation.command.questions.asks { secrets.hideTyping() }
            let context = Context(
                options: invocation.options,
                environment: environment,
                output: output,
                advice: advice,
                secrets: secrets
            )
            return try await context.run(invocation.command)
        } catch {
            return output.report(Failure(error))
        }
    }

    /// Reports why nothing was begun.
    ///
    /// - Returns: the exit code.
    static func report(_ failure: Failure, _ arguments: [String]) -> Int32 { output(for: arguments).report(failure) }

    private static func output(for arguments: [String]) -> Output {
        Output(of: name, environment: .current, isJSON: arguments.contains("--json"), hints: Advice.none.hints)
    }
}
