import Thumbturn
import ThumbturnConsole

/// How a command is written, and what its help says: one row of the table in `Syntax+Table.swift`.
struct Syntax: Sendable {
    /// One word or two, such as `wallet create`.
    struct Name: Hashable, Sendable {
        let text: String

        var words: [Substring] { text.split(separator: " ") }
        var wordCount: Int { words.count }
        var group: String { String(words.first ?? "") }
    }

    let name: Name
    /// The operands as help shows them.
    var operands = ""
    var operandCount = 0...0
    /// The options of this command alone.
    var options: [any OptionForm] = []
    let summary: Words
    /// The lines that `--secret-fd` wants, in order.
    var secrets: [Words] = []
    var more: Words?
    let command: @Sendable (_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command

    /// The names of those that take a value.
    static let optionsWithValue = Set((Options.forms + all.flatMap(\.options)).filter(\.takesValue).map(\.name))

    /// The rows of two words that begin with `word`.
    static func group(_ word: String) -> [Syntax] { all.filter { $0.name.wordCount == 2 && $0.name.group == word } }

    /// The row whose name begins the words; two words come before one.
    static func find(_ words: [String]) -> Syntax? {
        let pair = words.prefix(2).joined(separator: " ")
        return all.first { $0.name.text == pair } ?? all.first { $0.name.text == words.first }
    }
}
