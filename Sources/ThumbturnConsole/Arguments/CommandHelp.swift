package import ThumbturnRules

/// What `help` says of a program's commands; 80 columns.
package struct CommandHelp<Command: Sendable>: Sendable {
    private let grammar: CommandGrammar<Command>
    private let usage: Words
    private let general: Words

    /// Explains a program.
    ///
    /// - Parameters:
    ///   - usage: how any of its commands is written.
    ///   - general: what holds for all of them.
    package init(_ grammar: CommandGrammar<Command>, usage: Words, general: Words) {
        (self.grammar, self.usage, self.general) = (grammar, usage, general)
    }

    /// Explains one command, the commands of a group such as `wallet`, or all.
    package func text(about name: CommandName?, in language: Language) -> String {
        guard let name else {
            return ([usage.in(language), ""] + lines(grammar.rows, language) + ["", general.in(language)])
                .joined(separator: "\n")
        }
        if let syntax = grammar.rows.first(where: { $0.name == name }) { return text(about: syntax, in: language) }
        return lines(grammar.group(name.text), language).joined(separator: "\n")
    }

    private func lines(_ rows: [CommandSyntax<Command>], _ language: Language) -> [String] {
        let width = rows.map(\.name.text.columns).max() ?? 0
        return rows.map { "  " + $0.name.text.filled(to: width + 2) + $0.summary.in(language) }
    }

    private func text(about syntax: CommandSyntax<Command>, in language: Language) -> String {
        let written = [grammar.program, syntax.name.text, syntax.operands].filter { !$0.isEmpty }
        var lines = [wrapped(written.joined(separator: " "), by: 4), "", "  " + syntax.summary.in(language)]
        if !syntax.text.secrets.isEmpty {
            lines += ["", Words("--secret-fd, one line each:", "--secret-fd, une ligne par secret :").in(language)]
            for (index, secret) in syntax.text.secrets.enumerated() {
                lines.append("  \(index + 1). \(secret.in(language))")
            }
        }
        if let more = syntax.text.more { lines += ["", wrapped(more.in(language))] }
        return lines.joined(separator: "\n")
    }

    /// Breaks a text into lines of 80 columns; all but the first begin with `indent` spaces.
    private func wrapped(_ text: String, by indent: Int = 0) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.columns + 1 + word.columns > 80 {
                lines.append(line)
                line = margin
            }
            line += (line.isEmpty || line == margin ? "" : " ") + word
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
