import Foundation
import Testing
import ThumbturnConsole
import ThumbturnRules

@testable import ThumbturnCommand

/// How somebody who does not know the command finds what it can do.
struct FindingTests {
    @Test(arguments: [[], ["--json"], ["--help"], ["help"]])
    func `alone it prints help on standard output`(words: [String]) throws {
        let printed = try Box().run(words)
        #expect(printed.exitCode == 0 && printed.standardError.isEmpty, "\(printed)")
        #expect(printed.standardOutput.contains("wallet import   import a secret that you have"))
        #expect(printed.standardOutput.hasPrefix(words == ["--json"] ? "{\"help\":\"" : "thumbturn [--vault DIR]"))
    }

    @Test func `a group alone prints what is in it, with an example of each`() throws {
        for group in [
            "wallet", "account", "credential", "recovery", "audit", "biometrics", "system-auth", "pin", "migrate",
        ] {
            let printed = try Box().run([group])
            #expect(printed.exitCode == 0 && printed.standardError.isEmpty, "\(printed)")
            for row in CommandTable.all.group(group) {
                #expect(printed.standardOutput.contains("  \(row.name.text)  "), "\(group)")
                #expect(printed.standardOutput.contains("\n  thumbturn \(row.name.text)"), "\(group)")
            }
            #expect(try Box().run([group, "--help"]).standardOutput == printed.standardOutput)
        }
    }

    @Test(
        arguments: [
            ("walet list", "`thumbturn wallet list`"), ("wallet lst", "`thumbturn wallet list`"),
            ("wallet exprot savings", "`thumbturn wallet export`"), ("statsu", "`thumbturn status`"),
            ("recover", "`thumbturn recovery`"), ("list", "`thumbturn wallet list` or `thumbturn credential list`"),
            ("audit lgo", "`thumbturn audit log`"), ("audit verify a --ky b", "`--key`"),
            ("log", "`thumbturn audit log`"), ("push", "`thumbturn audit push`"),
            ("wallet ls", "`thumbturn wallet list`"), ("wallet rm a", "`thumbturn wallet delete`"),
            ("ls", "`thumbturn wallet list` or `thumbturn credential list`"),
            ("login", "`thumbturn account login`"), ("help walet", "`thumbturn help wallet`"),
            ("init --biometric", "`--biometrics`"), ("--valt /v status", "`--vault`"),
            ("wallet create a --word 12", "`--words`"), ("--devcie=files init", "`--device`"),
        ]
    )
    func `what is near to a name is asked for by that name`(line: String, meant: String) throws {
        let refused = try Box().run(line.split(separator: " ").map(String.init))
        #expect(refused.exitCode == 2 && refused.standardOutput.isEmpty, "\(refused)")
        #expect(
            refused.standardError.contains("hint: did you mean \(meant)? otherwise see `thumbturn help"),
            "\(refused)"
        )
        let words = ["--device", "simulated"] + line.split(separator: " ").map(String.init)
        let french = try Box().run(words, nil, ["LANG": "fr_FR.UTF-8"]).standardError
        #expect(french.contains("conseil : vouliez-vous dire "), "\(french)")
    }

    @Test(
        .holds("A52"),
        arguments: ["wallet 83251947", "83251947", "wallets 83251947", "--83251947", "-83251947", "-s83251947"]
    )
    func `what is near to no name is not repeated, nor what stands behind a name that is near`(line: String) throws {
        let refused = try Box().run(line.split(separator: " ").map(String.init))
        #expect(refused.exitCode == 2 && !refused.standardError.contains("8325"), "\(refused)")
    }

    @Test(
        arguments: [
            "wallet create -x", "wallet create -1", "status -v", "wallet show -json", "-x", "simulate enroll -x",
            "credential get -", "backup -f",
        ]
    )
    func `a word that begins with a dash is an option`(line: String) throws {
        let box = try Box.withVault()
        let before = box.contents()
        let refused = try box.run(line.split(separator: " ").map(String.init), [Box.pin])
        // A dash alone is a word.
        let code: Int32 = line.hasSuffix(" -") ? 1 : 2
        #expect(refused.exitCode == code && refused.standardError.contains("after `--`") == (code == 2), "\(refused)")
        #expect(box.contents() == before)
    }

    @Test func `behind two dashes it is a name, and a span of time may be below zero`() throws {
        try Transcript.play(
            """
            $ wallet create --words 12 -- -x
            3< PIN
            Added: -x (mnemonic).
            2> thumbturn: its words were not shown: `thumbturn --device simulated wallet export -- -x` shows them
            2> thumbturn: next: `thumbturn --device simulated recovery create`, then `thumbturn --device simulated backup FILE`
            $ wallet delete -- -x
            3< PIN
            3< -x
            Deleted permanently: -x.
            $ simulate clock -1y
            simulated: 1 event
            $ -h wallet delete
            thumbturn wallet delete NAME
              delete a wallet permanently
            --secret-fd, one line each:
              1. PIN or password
              2. the wallet's name again
            examples
              thumbturn wallet delete savings
            """,
            in: Box.withVault()
        )
    }

    @Test func `every command has an example, and every example is understood as that command`() throws {
        for row in CommandTable.all.rows {
            #expect(!row.text.examples.isEmpty, "\(row.name.text)")
            for example in row.text.examples {
                let words = try #require(Self.words(of: example))
                #expect(words.first == "thumbturn")
                let help = try CommandTable.all.parse(Array(words.dropFirst()) + ["--help"]).command
                #expect(help == .help(row.name), "\(example)")
                #expect(throws: Never.self, "\(example)") { try Invocation(parsing: Array(words.dropFirst())) }
            }
        }
    }

    /// The words of a line as a shell takes them, up to a redirection.
    private static func words(of line: String) -> [String]? {
        let words = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
        return Array(words.prefix { !$0.contains("<") && !$0.contains(">") })
    }
}
