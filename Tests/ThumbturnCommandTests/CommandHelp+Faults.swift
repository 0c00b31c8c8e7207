import ThumbturnConsole
import ThumbturnRules

extension CommandHelp {
    /// What is wrong with the help of a program's commands, in any language: a summary or a name that is missing, a line of more than
    /// 80 columns, an option that the operands don't show.
    func faults(of grammar: CommandGrammar<Command>) -> [String] {
        var faults: [String] = []
        for syntax in grammar.rows {
            for language in Language.allCases {
                let (own, all) = (text(about: syntax.name, in: language), text(about: nil, in: language))
                if !own.contains(syntax.summary.in(language)) { faults.append("\(syntax.name.text): no summary") }
                if !all.contains(syntax.name.text) { faults.append("\(syntax.name.text): not among all") }
                faults += (own + "\n" + all).split(separator: "\n").filter { $0.count > 80 }.map(String.init)
            }
            for option in syntax.options where !syntax.operands.contains(option.name) {
                faults.append("\(syntax.name.text): \(option.name)")
            }
        }
        return faults
    }
}
