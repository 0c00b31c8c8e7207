package import ThumbturnRules

/// What help says of a command.
package struct CommandText: Sendable {
    let summary: Words
    let secrets: [Words]
    let more: Words?
    /// Command lines, as they are typed.
    package let examples: [String]

    /// Explains a command.
    ///
    /// - Parameters:
    ///   - summary: what it does, in one line.
    ///   - secrets: the lines that `--secret-fd` wants, in order.
    ///   - more: what else is to be known.
    ///   - examples: command lines, as they are typed.
    package init(_ summary: Words, secrets: [Words] = [], more: Words? = nil, examples: [String] = []) {
        (self.summary, self.secrets, self.more, self.examples) = (summary, secrets, more, examples)
    }
}

/// What holds for all commands of a program.
package struct GeneralText: Sendable {
    /// Something that is written on a command line or stands around it, and what it means.
    package struct Entry: Sendable {
        let term: Words
        let text: Words

        /// Explains something.
        package init(_ term: Words, _ text: Words) { (self.term, self.text) = (term, text) }
    }

    /// What the program is, in a few words.
    package let purpose: Words
    /// How any of its commands is written.
    package let usage: Words
    /// What is to be known first.
    package let introduction: [Words]
    /// The command lines to begin with.
    package let examples: [String]
    /// The options that every command takes.
    package let options: [Entry]
    /// What the exit codes say.
    package let exitCodes: [Entry]
    /// The variables that are looked at.
    package let environment: [Entry]
    /// Where things lie.
    package let files: [Entry]

    /// Explains a program.
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
