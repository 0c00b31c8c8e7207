package import ThumbturnRules

/// What a command is called: one word or two, such as `wallet create`.
package struct CommandName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The words, with a space between them.
    package let text: String

    /// Names a command.
    package init(text: String) { self.text = text }
    package init(stringLiteral text: String) { self.text = text }

    var words: [Substring] { text.split(separator: " ") }
    /// How many words it has.
    package var wordCount: Int { words.count }
    var group: String { String(words.first ?? "") }
}

/// How a command is written, and what its help says: one row of a program's table.
package struct CommandSyntax<Command: Sendable>: Sendable {
    package typealias Reading = @Sendable (_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command

    /// What it is called.
    package let name: CommandName
    /// The operands as help shows them.
    package let operands: String
    let operandCount: ClosedRange<Int>
    /// The options of this command alone.
    package let options: [any OptionForm]
    let text: CommandText
    let command: Reading

    /// What it does, in one line.
    package var summary: Words { text.summary }

    /// Describes a command.
    package init(
        _ name: CommandName,
        operands: String = "",
        count operandCount: ClosedRange<Int> = 0...0,
        options: [any OptionForm] = [],
        text: CommandText,
        command: @escaping Reading
    ) {
        (self.name, self.operands, self.operandCount, self.options) = (name, operands, operandCount, options)
        (self.text, self.command) = (text, command)
    }

    /// The same with its text in the row.
    package init(
        name: CommandName,
        operands: String = "",
        operandCount: ClosedRange<Int> = 0...0,
        options: [any OptionForm] = [],
        summary: Words,
        more: Words? = nil,
        command: @escaping Reading
    ) {
        let text = CommandText(summary, more: more)
        self.init(name, operands: operands, count: operandCount, options: options, text: text, command: command)
    }
}
