package import ThumbturnRules

/// The help text of a command.
package struct CommandText: Sendable {
    let summary: Words
    let secrets: [Words]
    let more: Words?
    /// Explanations that other commands have too: help shows them with each command, the man page once.
    let shared: [GeneralText.Entry]
    /// Example command lines.
    package let examples: [String]

    /// Creates a help text.
    ///
    /// - Parameters:
    ///   - summary: the purpose of the command, in one line.
    ///   - secrets: the lines that `--secret-fd` expects, in order.
    ///   - more: further explanation.
    ///   - shared: explanations that other commands have too.
    ///   - examples: example command lines.
    package init(
        _ summary: Words,
        secrets: [Words] = [],
        more: Words? = nil,
        shared: [GeneralText.Entry] = [],
        examples: [String] = []
    ) {
        (self.summary, self.secrets, self.more) = (summary, secrets, more)
        (self.shared, self.examples) = (shared, examples)
    }
}

/// The help text that applies to all commands of a program.
package struct GeneralText: Sendable {
    /// An option, exit code, variable, file or subject with its meaning.
    package struct Entry: Hashable, Sendable {
        let term: Words
        let text: Words

        /// Creates an entry.
        package init(_ term: Words, _ text: Words) { (self.term, self.text) = (term, text) }
    }

    /// The purpose of the program, in a few words.
    package let purpose: Words
    /// The syntax of a command line.
    package let usage: Words
    /// What a user should know first.
    package let introduction: [Words]
    /// Example command lines for a start.
    package let examples: [String]
    /// The options that every command accepts.
    package let options: [Entry]
    /// The exit codes.
    package let exitCodes: [Entry]
    /// The environment variables that are read.
    package let environment: [Entry]
    /// The files and folders that are used.
    package let files: [Entry]

    /// Creates the general help text.
    package init(
        purpose: Words,
        usage: Words,
        introduction: [Words],
        examples: [String] = [],
        options: [Entry],
        exitCodes: [Entry],
        environment: [Entry],
        files: [Entry] = []
    ) {
        (self.purpose, self.usage, self.introduction, self.examples) = (purpose, usage, introduction, examples)
        (self.options, self.exitCodes, self.environment, self.files) = (options, exitCodes, environment, files)
    }
}
