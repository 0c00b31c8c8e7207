package import ThumbturnRules

/// A program's man page (section 1), generated from the table of commands.
package struct ManPage<Command: Sendable>: Sendable {
    private let help: CommandHelp<Command>
    private let version: String
    private let date: String

    /// Creates the page of a program.
    ///
    /// - Parameter date: the release date in ISO 8601 format.
    package init(_ help: CommandHelp<Command>, version: String, date: String) {
        (self.help, self.version, self.date) = (help, version, date)
    }

    /// Returns the `roff` source, in ASCII: other characters are written as numbers.
    package func text(in language: Language) -> String {
        let (grammar, general) = (help.grammar, help.general)
        var lines = [
            ".\\\" Written by `\(grammar.program) man` from the table of commands.",
            ".TH \(grammar.program.uppercased()) 1 \(date) \"\(grammar.program) \(version)\"",
            // No hyphenation and no stretched spaces: readers type options exactly as shown.
            ".nh", ".ad l",
        ]
        func say(_ english: String, _ french: String) -> String { Roff.escaped(Words(english, french).in(language)) }
        func section(_ english: String, _ french: String) { lines.append(".SH " + say(english, french)) }
        func entries(_ entries: [GeneralText.Entry]) {
            for entry in entries {
                lines += [".TP", Roff.bold(entry.term.in(language)), Roff.text(entry.text.in(language))]
            }
        }
        section("NAME", "NOM")
        lines.append(Roff.text("\(grammar.program) – \(general.purpose.in(language))"))
        section("SYNOPSIS", "SYNOPSIS")
        lines.append(Roff.bold(general.usage.in(language)))
        section("DESCRIPTION", "DESCRIPTION")
        for (index, words) in general.introduction.enumerated() {
            lines += (index == 0 ? [] : [".PP"]) + [Roff.text(words.in(language))]
        }
        section("OPTIONS", "OPTIONS")
        entries(general.options)
        section("COMMANDS", "COMMANDES")
        for group in grammar.groups {
            lines.append(".SS " + Roff.escaped(group.title.in(language)))
            for row in group.rows { lines += self.lines(of: row, in: language) }
        }
        section("NOTES", "NOTES")
        var notes: Set<GeneralText.Entry> = []
        entries(grammar.rows.flatMap(\.text.shared).filter { notes.insert($0).inserted })
        section("EXIT STATUS", "CODES DE SORTIE")
        entries(general.exitCodes)
        section("ENVIRONMENT", "ENVIRONNEMENT")
        entries(general.environment)
        section("FILES", "FICHIERS")
        entries(general.files)
        section("EXAMPLES", "EXEMPLES")
        lines += Roff.verbatim(general.examples)
        return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    private func lines(of row: CommandSyntax<Command>, in language: Language) -> [String] {
        let usages = row.usages(of: help.grammar.program, in: language)
        var lines = usages.enumerated().flatMap { [$0 == 0 ? ".TP" : ".TQ", Roff.bold($1)] }
        lines.append(Roff.text(row.summary.sentence.in(language)))
        let secrets = row.text.secrets.map { $0.in(language) }
        if !secrets.isEmpty {
            let title = Words("Lines of --secret-fd: ", "Lignes de --secret-fd : ").in(language)
            let list = secrets.enumerated().map { "\($0 + 1). \($1)" }.joined(
                separator: Words("; ", " ; ").in(language)
            )
            lines += [".IP", Roff.text(title + list + ".")]
        }
        if let more = row.text.more { lines += [".IP", Roff.text(more.in(language))] }
        if !row.text.shared.isEmpty {
            let notes = row.text.shared.map(\.term).joined(separator: ", ")
            lines += [".IP", Roff.text((Words("See NOTES: ", "Voir NOTES : ") + notes + Words(".")).in(language))]
        }
        guard !row.text.examples.isEmpty else { return lines }
        return lines + [".IP"] + Roff.verbatim(row.text.examples)
    }
}

/// Formats text as `roff` source.
enum Roff {
    /// Escapes characters.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            case "\"": result += "\\(dq"
            case "–": result += "\\-"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default: result += "\\[u" + hexadecimal(scalar.value) + "]"
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }

    static func bold(_ text: String) -> String { "\\fB" + escaped(text) + "\\fR" }

    /// Formats a paragraph: text between backticks is bold, and each sentence starts a line, as `roff` expects.
    static func text(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        let marked = parts.enumerated().map { $0 % 2 == 1 ? bold(String($1)) : escaped(String($1)) }.joined()
        var lines: [String] = []
        var line = ""
        for word in marked.split(separator: " ") {
            // French punctuation stays with the word before it.
            let isMark = [";", ":", "?", "!", "»"].contains(word.prefix(1))
            if !isMark, line.utf8.count + 1 + word.utf8.count > 78 { end(&line, &lines) }
            line += (line.isEmpty ? "" : isMark ? "\\~" : " ") + word
            // "1." does not end a sentence.
            if word.hasSuffix("."), word.count > 2 { end(&line, &lines) }
        }
        end(&line, &lines)
        return lines.joined(separator: "\n")
    }

    private static func end(_ line: inout String, _ lines: inout [String]) {
        if !line.isEmpty { lines.append(line.hasPrefix(".") ? "\\&" + line : line) }
        line = ""
    }

    /// Formats lines unchanged.
    static func verbatim(_ lines: [String]) -> [String] { lines.isEmpty ? [] : [".nf"] + lines.map(escaped) + [".fi"] }

    private static func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
