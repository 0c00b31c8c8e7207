import ThumbturnConsole

// One run of the program: arguments in, exit code out.
extension Tool {
    /// Parses and runs a command, and reports a failure.
    ///
    /// - Returns: the exit code of design section 8.
    static func run(_ arguments: [String]) -> Int32 {
        let environment = Environment.read(with: [])
        let output = Output(
            of: name,
            environment: environment,
            isJSON: arguments.contains("--json"),
            hints: Advice.hints
        )
        do throws(Failure) {
            let (command, _) = try CommandTable.all.parse(arguments)
            return try Context(environment: environment, output: output).run(command)
        } catch {
            return output.report(error)
        }
    }
}
