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
    /// Whether `-1y` is an operand, and no option.
    let takesNegatives: Bool
    /// What an operand can be.
    let operand: ValueForm
    /// The options of this command alone.
    package let options: [any OptionForm]
    /// What help says of it.
    package let text: CommandText
    let command: Reading

    /// What it does, in one line.
    package var summary: Words { text.summary }

    /// Describes a command.
    package init(
        _ name: CommandName,
        operands: String = "",
        count operandCount: ClosedRange<Int> = 0...0,
        takesNegatives: Bool = false,
        of operand: ValueForm = .any,
        options: [any OptionForm] = [],
        text: CommandText,
        command: @escaping Reading
    ) {
        (self.name, self.operands, self.operandCount, self.options) = (name, operands, operandCount, options)
        (self.takesNegatives, self.operand) = (takesNegatives, operand)
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

    /// How it is written, each way in a line of its own.
    func usages(of program: String, in language: Language) -> [String] {
        let ways = operands.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return ways.enumerated().map { index, way in
            let written = index == 0 ? [program, name.text, way].filter { !$0.isEmpty }.joined(separator: " ") : way
            return language == .french ? Placeholders.french(written) : written
        }
    }
}

/// What stands in a usage for something that is given.
enum Placeholders {
    /// A usage with the words that stand for something in French.
    static func french(_ usage: String) -> String {
        var result = ""
        var word = ""
        for character in usage + " " {
            if character.isUppercase || (character == "-" && !word.isEmpty) {
                word.append(character)
            } else {
                result += (names[word] ?? word) + String(character)
                word = ""
            }
        }
        return String(result.dropLast())
    }

    private static let names = [
        "NAME": "NOM", "NEW-NAME": "NOUVEAU-NOM", "FILE": "FICHIER", "DIR": "DOSSIER", "BACKUP": "SAUVEGARDE",
        "WALLET": "PORTEFEUILLE", "EVENT": "ÉVÉNEMENT", "COMMAND": "COMMANDE", "KEY": "CLÉ", "PATH": "CHEMIN",
        "ADDRESS": "ADRESSE", "VALUE": "VALEUR", "STORE": "BASE",
    ]
}
