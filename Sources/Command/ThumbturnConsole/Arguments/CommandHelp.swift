package import ThumbturnRules

/// The help for a program's commands, formatted for any width.
package struct CommandHelp<Command: Sendable>: Sendable {
    let grammar: CommandGrammar<Command>
    let general: GeneralText

    /// Creates the help for a program.
    package init(_ grammar: CommandGrammar<Command>, _ general: GeneralText) {
        (self.grammar, self.general) = (grammar, general)
    }

    /// Returns the help for one command, for a group such as `wallet`, or for the program.
    package func text(about name: CommandName?, in language: Language, width: Int = Output.usualWidth) -> String {
        let page = HelpPage(language: language, width: width)
        guard let name else { return all(on: page) }
        if let syntax = grammar.rows.first(where: { $0.name == name }) { return text(about: syntax, on: page) }
        let rows = grammar.group(name.text)
        let examples = rows.compactMap(\.text.examples.first)
        return page.joined([
            page.list(rows.map(Self.entry)), page.examples(examples), page.closing(name, grammar.program),
        ])
    }

    private func all(on page: HelpPage) -> String {
        let usage = page.usage(general.usage.in(page.language))
        var parts = [usage + "\n\n" + page.text(general.purpose)] + general.introduction.map(page.text)
        parts.append(page.examples(general.examples))
        parts += grammar.groups.map { page.section($0.title, $0.rows.map(Self.entry)) }
        parts += [
            page.section(Words("options of every command", "options de toute commande"), general.options),
            page.section(Words("exit codes", "codes de sortie"), general.exitCodes),
            page.section(Words("environment", "environnement"), general.environment),
            page.section(Words("files", "fichiers"), general.files),
        ]
        return page.joined(parts)
    }

    private func text(about syntax: CommandSyntax<Command>, on page: HelpPage) -> String {
        let usages = syntax.usages(of: grammar.program, in: page.language)
        let secrets = syntax.text.secrets.enumerated().map { index, secret in
            GeneralText.Entry(Words("\(index + 1)."), secret)
        }
        let texts = [syntax.text.more].compactMap(\.self) + syntax.text.shared.map(\.text)
        return page.joined(
            [
                usages.map(page.usage).joined(separator: "\n"),
                ("  " + syntax.summary.in(page.language)).wrapped(to: page.width),
                page.section(
                    Words("--secret-fd, one line each:", "--secret-fd, une ligne par secret :"),
                    secrets,
                    gap: 1
                ),
            ] + texts.map(page.text) + [page.examples(syntax.text.examples)]
        )
    }

    private static func entry(_ syntax: CommandSyntax<Command>) -> GeneralText.Entry {
        GeneralText.Entry(Words(syntax.name.text), syntax.summary)
    }
}

/// The layout of help texts.
struct HelpPage {
    let language: Language
    let width: Int

    /// Returns a paragraph.
    func text(_ words: Words) -> String { words.in(language).wrapped(to: width) }

    /// Returns a usage line; keeps an option together with its value if that fits.
    func usage(_ text: String) -> String {
        // In nested brackets, only the inner ones are kept together.
        let parts = text.split(separator: "[", omittingEmptySubsequences: false).map { part -> String in
            guard let end = part.firstIndex(of: "]"), part[..<end].columns + 6 <= width else { return String(part) }
            return part[..<end].map { $0 == " " ? "\u{A0}" : String($0) }.joined() + part[end...]
        }
        return String(parts.joined(separator: "[").wrapped(to: width, indent: 4).map { $0 == "\u{A0}" ? " " : $0 })
    }

    /// Joins the non-empty parts with blank lines.
    func joined(_ parts: [String]) -> String { parts.filter { !$0.isEmpty }.joined(separator: "\n\n") }

    func section(_ title: Words, _ entries: [GeneralText.Entry], gap: Int = 2) -> String {
        entries.isEmpty ? "" : title.in(language).wrapped(to: width) + "\n" + list(entries, gap: gap)
    }

    /// Returns terms with their meanings in a second column, or below the term if that column would be narrow.
    func list(_ entries: [GeneralText.Entry], gap: Int = 2) -> String {
        let terms = entries.map { "  " + $0.term.in(language) }
        let column = (terms.map(\.columns).filter { $0 <= 24 }.max() ?? 4) + gap
        let isBelow = width - column < 32
        return zip(terms, entries).map { term, entry in
            let text = entry.text.in(language)
            let margin = String(repeating: " ", count: isBelow ? 6 : column)
            let lines = text.lines(of: width - margin.columns)
            if isBelow || term.columns + gap > column {
                return ([term.wrapped(to: width)] + lines.map { margin + $0 }).joined(separator: "\n")
            }
            return ([term.filled(to: column) + lines[0]] + lines.dropFirst().map { margin + $0 }).joined(
                separator: "\n"
            )
        }.joined(separator: "\n")
    }

    /// Returns command lines; a long one continues with a backslash.
    func examples(_ lines: [String]) -> String {
        guard !lines.isEmpty else { return "" }
        let shown = lines.map { line in
            ("  " + line).wrapped(to: width - 2, indent: 4).split(separator: "\n").joined(separator: " \\\n")
        }
        return ([Words("examples", "exemples").in(language)] + shown).joined(separator: "\n")
    }

    /// Returns a line that says where to read about one command of a group.
    func closing(_ group: CommandName, _ program: String) -> String {
        text(
            Words(
                "`\(program) help \(group.text) COMMAND` explains one.",
                "`\(program) help \(group.text) COMMANDE` en explique une."
            )
        )
    }
}
