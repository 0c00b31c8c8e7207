import Thumbturn
import ThumbturnConsole

// One run of the tool: arguments in, exit code out.
extension Tool {
    /// Answers a command that only prints text, such as help or the version.
    ///
    /// Starting the threads of a task would take longer.
    ///
    /// - Returns: the exit code; `nil` for every other command, which is not started.
    static func answerAtOnce(_ command: Command, _ arguments: [String]) -> Int32? {
        let output = output(for: arguments)
        do throws(Failure) { return try command.answer(on: output) ? 0 : nil } catch { return output.report(error) }
    }

    /// Parses and runs a command, and reports a failure.
    ///
    /// - Returns: the exit code of design section 8.
    static func run(_ arguments: [String]) async -> Int32 {
        let environment = Environment.current
        var output = output(for: arguments)
        // After the last message: pasted text keeps arriving meanwhile.
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
            // Before looking at anything, which may take long.
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

    /// Reports why no command was started.
    ///
    /// - Returns: the exit code.
    static func report(_ failure: Failure, _ arguments: [String]) -> Int32 { output(for: arguments).report(failure) }

    private static func output(for arguments: [String]) -> Output {
        Output(of: name, environment: .current, isJSON: arguments.contains("--json"), hints: Advice.none.hints)
    }
}
