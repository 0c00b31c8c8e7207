package import ThumbturnRules

/// The name of a command: one word or two, such as `wallet create`.
package struct CommandName: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The words, separated by a space.
    package let text: String

    /// Creates a name.
    package init(text: String) { self.text = text }
    package init(stringLiteral text: String) { self.text = text }

    var words: [Substring] { text.split(separator: " ") }
    /// The number of words.
    package var wordCount: Int { words.count }
    var group: String { String(words.first ?? "") }
}

/// The syntax and help of a command: one row of a program's table.
package struct CommandSyntax<Command: Sendable>: Sendable {
    package typealias Reading = @Sendable (_ operands: [String], _ given: GivenOptions) throws(Failure) -> Command

    /// The command's name.
    package let name: CommandName
    /// The operands as help shows them.
    package let operands: String
    let operandCount: ClosedRange<Int>
    /// Whether `-1y` is an operand rather than an option.
    let takesNegatives: Bool
    /// The kind of value an operand takes.
    let operand: ValueForm
    /// The options specific to this command.
    package let options: [any OptionForm]
    /// The help text.
    package let text: CommandText
    let command: Reading

    /// The purpose of the command, in one line.
    package var summary: Words { text.summary }

    /// Creates a row.
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

    /// Creates a row that includes its help text.
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

    /// Returns the usage, one form per line.
    func usages(of program: String, in language: Language) -> [String] {
        let ways = operands.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return ways.enumerated().map { index, way in
            let written = index == 0 ? [program, name.text, way].filter { !$0.isEmpty }.joined(separator: " ") : way
            return language == .french ? Placeholders.french(written) : written
        }
    }
}

/// The placeholders in a usage line.
enum Placeholders {
    /// Returns a usage line with its placeholders in French.
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
        "ADDRESS": "ADRESSE", "VALUE": "VALEUR", "STORE": "BASE", "TEXT": "TEXTE", "HOST": "HÔTE",
        "SIGNER": "SIGNATAIRE",
    ]
}
