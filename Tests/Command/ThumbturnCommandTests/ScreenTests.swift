#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// What somebody sees on terminals of all widths, in both languages.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ScreenTests {
    /// The words of a text, with what stands between backticks as one.
    private static func pieces(of text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? ["`\(part)`"] : part.split { $0 == " " || $0 == "\n" }.map(String.init)
        }
    }

    @Test(arguments: ["en_US.UTF-8", "fr_FR.UTF-8", "C"])
    func `what is refused and what is hinted at is broken between words, and no command is`(locale: String) throws {
        let box = try Box()
        let whole = try box.run(["status"], nil, ["LC_ALL": locale]).standardError
        for columns in [40, 57, 80, 200] {
            let shown = try box.screen(["--device", "simulated", "status"], columns: columns, nil, ["LC_ALL": locale])
            #expect(Self.pieces(of: shown) == Self.pieces(of: whole), "\(shown)")
            for line in shown.split(separator: "\n") where line.columns > columns {
                #expect(Self.pieces(of: String(line)).count == 1, "\(columns): \(line)")
            }
            #expect(columns < 200 || shown.split(separator: "\n").count == 2, "\(shown)")
        }
    }

    @Test func `help is as wide as the terminal, and a pipe is 80 columns unless COLUMNS says otherwise`() throws {
        let box = try Box()
        for columns in [40, 80, 133] {
            let shown = try box.screen(["help", "unlock"], columns: columns)
            let widest = shown.split(separator: "\n").map(\.columns).max() ?? 0
            #expect((columns - 12...columns).contains(widest), "\(shown)")
            let piped = try box.run(["help", "unlock"], nil, ["COLUMNS": "\(columns)"]).standardOutput
            #expect(piped == shown)
        }
        #expect(try box.run(["help", "unlock"]).standardOutput == box.screen(["help", "unlock"], columns: 80))
        for bad in ["0", "-5", "x", ""] {
            #expect(try box.run(["help", "unlock"], nil, ["COLUMNS": bad]).exitCode == 0)
        }
    }

    @Test func `columns are those of the terminal, whatever a name is written in`() throws {
        let box = try Box.withVault()
        for name in ["漢字", "e\u{301}t\u{e9}", "long name here"] {
            try box.run(["wallet", "import", name], [Box.pin, Box.mnemonic]).succeeding()
        }
        let shown = try box.screen(["wallet", "list"], columns: 60, [Box.pin])
        let columns = shown.split(separator: "\n").map { $0[..<$0.range(of: "mnemonic")!.lowerBound].columns }
        #expect(columns == [16, 16, 16], "\(shown)")
    }

    @Test func `the questions of seeds 003 and 000 are asked word for word`() throws {
        let desk = try Desk(Box())
        desk.start("$T --device simulated init", until: "nothing like 123456): ", answering: Box.pin)
        desk.answer("The same again: ", Box.pin)
        let asked = desk.keyboard.wait(for: "[y/N]: ")
        #expect(Self.pieces(of: asked).joined(separator: " ").hasSuffix("Enable Biometric Unlock? [y/N]:"), "\(asked)")
        desk.keyboard.write("y")
        #expect(desk.waitForShell().contains("Biometrics are enabled."))
        _ = try desk.box.recoveryKey()
        let list = desk.box.folder + "/.config/thumbturn/system-auth-users"
        try Folders.makeParents(of: list)
        try Data("*\n".utf8).write(to: URL(fileURLWithPath: list))
        desk.start("$T system-auth enable", until: "Enable system authentication? [y/N]: ", answering: "n")
        #expect(desk.waitForShell().contains("ERR-"))
        #expect(desk.run("$T biometrics status").contains("Biometric Unlock: fingerprint"))
    }

    @Test func `what the library notes of what was given is French too, and nothing is half of each`() throws {
        let box = try Box.withVault()
        let french = ["LANG": "fr_FR.UTF-8"]
        func refused(_ words: [String], _ secrets: [String]) throws -> String {
            try box.run(words, secrets, french).standardError
        }
        let wrong = try refused(["wallet", "import", "a"], [Box.pin, "ozone drill grsb"])
        #expect(wrong.contains("(3 mots)"), "\(wrong)")
        let unknown = Box.mnemonic.replacing("grab", with: "grsb")
        #expect(try refused(["wallet", "import", "a"], [Box.pin, unknown]).contains("(mot 3)"))
        let key = try refused(["wallet", "import", "a", "--private-key"], [Box.pin, "12"])
        #expect(key.hasPrefix("thumbturn: erreur : ERR-") && key.contains("(2 chiffres)"), "\(key)")
        #expect(try refused(["wallet", "create", " a"], [Box.pin]).contains("(espace ou signe au début ou à la fin)"))
        let simulated = try box.run(["simulate", "advance", "1s"], nil, french).standardOutput
        #expect(simulated == "simulé : 1 événement\n")
        let desk = try Desk(box)
        desk.start("LC_ALL=fr_FR.UTF-8 $T unlock", until: "Code ou mot de passe : ", answering: Box.pin)
        #expect(desk.waitForShell().contains("Déverrouillé (code ou mot de passe), 0 portefeuille."))
        let spelled = Words(diagnostic: "the device contradicts itself")
        #expect(Failure(.storageUnavailable, spelled).message(in: .french).hasSuffix("."))
        #expect(!Failure(.storageUnavailable, spelled).message(in: .french).contains("("))
    }
}
#endif
