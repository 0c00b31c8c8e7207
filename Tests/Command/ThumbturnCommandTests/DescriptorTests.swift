import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// What `--secret-fd` and `--file` give a command.
struct DescriptorTests {
    private static let pem = "-----BEGIN KEY-----\nc2VjcmV0\n-----END KEY-----\n"

    @Test(
        .holds("A19"),
        arguments: [
            (["wallet", "import", "Key", "--opaque"], [Box.pin, "-----BEGIN KEY-----", "c2VjcmV0"]),
            (["wallet", "import", "Key", "--private-key"], [Box.wrongPIN, "a key", "more"]),
            (["wallet", "list"], [Box.wrongPIN, ""]), (["wallet", "export", "Key"], [Box.wrongPIN, "more"]),
            (["wallet", "delete", "Key"], [Box.wrongPIN, "Key", "more"]), (["unlock"], [Box.wrongPIN, "more"]),
            (["unlock", "--recovery"], ["a key", Box.pin, "more"]),
            (["pin", "change"], [Box.wrongPIN, Box.pin, "more"]), (["reset"], ["RESET", "more"]),
            (["recovery", "check"], [Box.wrongPIN, "a key", "more"]),
            (["recovery", "remove"], [Box.wrongPIN, "more"]), (["backup", "FILE"], [Box.wrongPIN, "more"]),
            (["biometrics", "enable"], [Box.wrongPIN, "more"]),
            (["credential", "set", "mail"], ["-----BEGIN KEY-----", "c2VjcmV0"]),
        ]
    )
    func `more lines than a command asks for are refused together, before one is tried or stored`(
        words: [String],
        lines: [String]
    ) throws {
        let box = try Box.withVault()
        let before = box.contents()
        let refused = try box.run(words, lines)
        #expect(refused.exitCode == 2 && refused.standardError.contains("too many lines were given"), "\(refused)")
        #expect(refused.standardOutput.isEmpty)
        #expect(box.contents() == before)
    }

    @Test func `a vault is not made with one line too many`() throws {
        let box = try Box()
        #expect(try box.run(["init"], [Box.pin, "more"]).exitCode == 2)
        #expect(box.contents().isEmpty)
    }

    @Test func `in system mode too, and before the device asks for its owner`() throws {
        let box = try Box.withVault()
        try Folders.makeParents(of: box.folder + "/.config/thumbturn/system-auth-users")
        try Folders.write(Array("*\n".utf8), to: box.folder + "/.config/thumbturn/system-auth-users")
        let key = try box.run(["recovery", "create"], [Box.pin]).standardOutput.trimmingCharacters(in: .newlines)
        try box.run(["recovery", "check"], [Box.pin, key]).succeeding()
        let enabled = try box.run(["system-auth", "enable"], [Box.pin])
        try #require(enabled.exitCode == 0, "\(enabled)")
        try box.run(["simulate", "finger", "passcode"])
        let refused = try box.run(["wallet", "list"], ["", "more"])
        #expect(refused.exitCode == 2 && refused.standardError.contains("too many lines were given"), "\(refused)")
        // The touch that was waiting is still there.
        try box.run(["wallet", "list"], [""]).succeeding()
    }

    @Test func `a recovery key that is typed back with more behind it confirms nothing`() throws {
        let box = try Box.withVault()
        let refused = try box.run(["recovery", "create"], [Box.pin, "a key", "more"])
        #expect(refused.exitCode == 2 && refused.standardError.contains("too many lines were given"), "\(refused)")
    }

    @Test func `a secret of several lines comes from a file, the rest of the descriptor, or standard input`() throws {
        let box = try Box.withVault("--biometrics")
        let file = box.folder + "/key.pem"
        try Folders.write(Array(Self.pem.utf8), to: file)
        let fromFile = try box.run(["wallet", "import", "File", "--opaque", "--file", file], [Box.pin])
        #expect(fromFile.exitCode == 0, "\(fromFile)")
        let rest = String(Self.pem.dropLast())
        let fromRest = try box.run(["wallet", "import", "Rest", "--opaque", "--file", "-"], [Box.pin, rest])
        #expect(fromRest.exitCode == 0, "\(fromRest)")
        try box.run(["simulate", "finger", "match", "finger", "match"])
        // Standard input is the secret alone: a finger opens.
        try box.shell("\"$0\" wallet import Input --opaque --file - <'\(file)'").succeeding()
        // And where the secret is a file, the line of the PIN may be missing.
        try box.run(["wallet", "import", "Finger", "--opaque", "--file", file], []).succeeding()
        for name in ["File", "Rest", "Input", "Finger"] {
            #expect(try box.run(["wallet", "export", name], [Box.pin]).standardOutput == Self.pem)
        }

        try box.run(["credential", "set", "file", "--file", file]).succeeding()
        try box.run(["credential", "set", "rest", "--file", "-"], [rest]).succeeding()
        try box.shell("\"$0\" credential set input --file - <'\(file)'").succeeding()
        for name in ["file", "rest", "input"] {
            #expect(try box.run(["credential", "get", name]).standardOutput == Self.pem)
        }
    }

    @Test func `raw is the secret, and nothing behind it`() throws {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic])
        try box.run(["credential", "set", "mail"], ["token"])
        #expect(try box.run(["wallet", "export", "Savings", "--raw"], [Box.pin]).standardOutput == Box.mnemonic)
        #expect(try box.run(["credential", "get", "mail", "--raw"]).standardOutput == "token")
    }

    @Test func `a file that is missing, empty or too long is refused before a PIN is tried`() throws {
        let box = try Box.withVault()
        let (long, empty) = (box.folder + "/long", box.folder + "/empty")
        try Folders.write([UInt8](repeating: 0x78, count: 1 << 20 | 1), to: long)
        try Folders.write([], to: empty)
        let before = box.contents()
        for (path, code, exitCode) in [
            (box.folder + "/none", "ERR-TT-206", 3 as Int32), (long, "ERR-TT-317", 2), (empty, "ERR-TT-317", 2),
            (box.folder, "ERR-TT-302", 2), ("", "ERR-TT-301", 2),
        ] {
            for words in [["wallet", "import", "Key", "--opaque"], ["credential", "set", "key"]] {
                let refused = try box.run(words + ["--file", path], words[0] == "wallet" ? [Box.wrongPIN] : nil)
                #expect(refused.exitCode == exitCode && refused.standardError.contains(code), "\(path): \(refused)")
            }
        }
        for words in [["import", "A", "--file", empty], ["import", "A", "--private-key", "--file", empty]] {
            #expect(try box.run(["wallet"] + words, [Box.wrongPIN]).standardError.contains("ERR-TT-301"))
        }
        let rest = try box.shell("\"$0\" credential set key --file - </dev/null")
        #expect(rest.exitCode == 2 && rest.standardError.contains("ERR-TT-317"), "\(rest)")
        #expect(box.contents() == before)
    }
}
