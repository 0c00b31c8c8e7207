package import ThumbturnRules

/// What a command is called: one word or two, such as `wallet create`.
package struct CommandName: Hashable, Sendable {
    /// The words, with a space between them.
    package let text: String

    /// Names a command.
    package init(text: String) { self.text = text }

    var words: [Substring] { text.split(separator: " ") }
    /// How many words it has.
    package var wordCount: Int { words.count }
    var group: String { String(words.first ?? "") }
}

/// How a command is written, and what its help says: one row of a program's table.
package struct CommandSyntax<Command: Sendable>: Sendable {
    /// What it is called.
    package let name: CommandName
    /// The operands as help shows them.
    package let operands: String
    let operandCount: ClosedRange<Int>
    /// The options of this command alone.
    package let options: [any OptionForm]
    /// What it does, in one line.
    package let summary: Words
    /// The lines that `--secret-fd` wants, in order.
    let secrets: [Words]
    let more: Words?
    let command: @Sendable (_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command

    /// Describes a command.
    package init(
        name: CommandName,
        operands: String = "",
        operandCount: ClosedRange<Int> = 0...0,
        options: [any OptionForm] = [],
        summary: Words,
        secrets: [Words] = [],
        more: Words? = nil,
        command: @escaping @Sendable (_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command
    ) {
        (self.name, self.operands, self.operandCount, self.options) = (name, operands, operandCount, options)
        (self.summary, self.secrets, self.more, self.command) = (summary, secrets, more, command)
    }
}
