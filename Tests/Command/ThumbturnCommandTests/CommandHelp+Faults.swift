import ThumbturnConsole
import ThumbturnRules

extension CommandHelp {
    /// What is wrong with the help of a program's commands, in any language: a summary or a name that is missing, a line of more
    /// columns that could be broken, an option that the operands don't show, a word that stands for something in English.
    func faults(of grammar: CommandGrammar<Command>, width: Int = 80) -> [String] {
        var faults: [String] = []
        for syntax in grammar.rows {
            for language in Language.allCases {
                let own = text(about: syntax.name, in: language, width: width)
                let all = text(about: nil, in: language, width: width)
                if !Self.words(of: own).contains(Self.words(of: syntax.summary.in(language))) {
                    faults.append("\(syntax.name.text): no summary")
                }
                if !all.contains("  \(syntax.name.text)") { faults.append("\(syntax.name.text): not among all") }
                let english = ["NAME", "FILE", "DIR", "BACKUP", "WALLET", "EVENT", "COMMAND", "KEY", "PATH", "VALUE"]
                if language == .french,
                    own.split(whereSeparator: { !$0.isLetter }).contains(where: { english.contains(String($0)) })
                {
                    faults.append("\(syntax.name.text): English in French")
                }
                let group = String(syntax.name.text.prefix { $0 != " " })
                let groups = text(about: CommandName(text: group), in: language, width: width)
                for line in [own, all, groups].joined(separator: "\n").split(separator: "\n")
                where line.columns > width {
                    // A path stays whole, and so does what stands between backticks.
                    let isWhole = !line.drop { $0 == " " }.contains(" ") || line.contains("`")
                    if !isWhole { faults.append(String(line)) }
                }
            }
            for option in syntax.options where !syntax.operands.contains(option.name) {
                faults.append("\(syntax.name.text): \(option.name)")
            }
        }
        return faults
    }

    private static func words(of text: String) -> String {
        text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }
}
