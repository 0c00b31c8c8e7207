import Thumbturn

/// One run of the tool: arguments in, exit code out.
enum Tool {
    static let version = "0.1.0"

    /// Parses, runs, and reports what went wrong.
    ///
    /// - Returns: the exit code of design section 8.
    static func run(_ arguments: [String]) async -> Int32 {
        let environment = Environment.current
        var output = Output(environment: environment, isJSON: arguments.contains("--json"))
        do {
            let invocation = try Invocation(parsing: arguments)
            output.isJSON = invocation.options.json
            let secrets = try SecretInput(descriptor: invocation.options.secretDescriptor, output: output)
            let context = Context(
                options: invocation.options,
                environment: environment,
                output: output,
                secrets: secrets
            )
            do {
                return try await context.run(invocation.command)
            } catch {
                secrets.forgetTheRest()
                throw error
            }
        } catch {
            return output.report(Failure(error))
        }
    }
}
