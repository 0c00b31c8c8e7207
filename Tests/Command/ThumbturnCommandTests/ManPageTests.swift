import Foundation
import Testing
import ThumbturnConsole
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnCommand

struct ManPageTests {
    private static let locales = ["C", "fr_FR.UTF-8"]

    private func page(_ locale: String) throws -> (path: String, text: String, box: Box) {
        let box = try Box()
        let printed = try box.run(["man"], nil, ["LC_ALL": locale]).succeeding()
        let path = box.folder + "/thumbturn.1"
        try Folders.write(Array(printed.standardOutput.utf8), to: path)
        return (path, printed.standardOutput, box)
    }

    @Test(arguments: locales) func `the page has every command, option and example, and is ASCII`(locale: String) throws
    {
        let text = try page(locale).text
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        // Else a typographer's dash stands there, which nobody can type or search for.
        #expect(text.contains("\\-\\-no\\-biometrics") && !text.contains(" --"))
        let plain = text.replacing("\\-", with: "-").replacing("\\(dq", with: "\"").replacing("\\(ti", with: "~")
        for row in CommandTable.all.rows {
            let entry = try #require(Self.entry(of: row.name, in: plain), "\(row.name.text)")
            for example in row.text.examples { #expect(plain.contains("\n\(example)\n"), "\(example)") }
            for option in row.options { #expect(entry.contains(option.name), "\(row.name.text) \(option.name)") }
        }
        for title in locale == "C" ? ["NAME", "EXIT STATUS", "FILES"] : ["NOM", "CODES DE SORTIE", "FICHIERS"] {
            #expect(text.contains("\n.SH \(title)\n"))
        }
    }

    @Test(arguments: locales) func `what several commands share is explained once`(locale: String) throws {
        let words = try page(locale).text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        let explanation = locale == "C" ? "an empty line asks for the finger" : "une ligne vide demande le doigt"
        #expect(words.split(separator: explanation).count == 2)
    }

    /// What the page says of a command, which may have several forms; nil where it has none.
    private static func entry(of name: CommandName, in page: String) -> String? {
        let forms = page.split(separator: "\n\\fBthumbturn ").dropFirst().filter { form in
            form.hasPrefix(name.text) && form.dropFirst(name.text.count).first?.isLetter == false
        }
        let texts = forms.compactMap { $0.split(separator: "\n.SH ").first }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }

    /// Those that read such pages, where they are installed.
    private static let readers = [["man", "--warnings", "-l"], ["mandoc", "-Tlint"]].filter { reader in
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + reader[0])
    }

    @Test(.enabled(if: !readers.isEmpty, "nothing that reads such pages is installed"), arguments: locales, readers)
    func `those that read such pages find nothing wrong with it`(locale: String, reader: [String]) throws {
        let (path, _, box) = try page(locale)
        let words = reader + [path]
        let read = try ChildProcess.run(
            "/usr/bin/env",
            words,
            environment: box.environment([
                "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "MANWIDTH": "80", "TERM": "dumb",
            ])
        )
        #expect(read.exitCode == 0 && read.standardError.isEmpty, "\(read)")
        // One reports, the other shows the page.
        guard reader[0] == "man" else { return #expect(read.standardOutput.isEmpty, "\(read)") }
        let shown = read.standardOutput.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(
            shown.contains(locale == "C" ? "thumbturn - keep mnemonics" : "thumbturn - garder des phrases mnémoniques")
        )
    }
}
