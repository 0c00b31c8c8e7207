import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

struct WalletCommandTests {
    @Test(.holds("K-05")) func `wallets are imported, listed, renamed, exported and deleted`() throws {
        let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
        try Transcript.play(
            """
            $ wallet import Savings
            3< PIN
            3< MNEMONIC
            Added: Savings (mnemonic).
            $ wallet import 'Cold key' --private-key
            3< PIN
            3< 0x\(key.uppercased())
            Added: Cold key (private key).
            $ wallet import Note --opaque
            3< PIN
            3< a "quoted" note
            Added: Note (opaque).
            $ wallet list
            3< PIN
            Cold key  private key  … ago
            Note      opaque  … ago
            Savings   mnemonic  … ago
            $ wallet rename Note Letter
            3< PIN
            Renamed: Letter.
            $ wallet show Letter
            3< PIN
            name     Letter
            kind     opaque
            created  20…Z
            id       …
            $ wallet export Savings
            3< PIN
            MNEMONIC
            $ wallet export 'Cold key'
            3< PIN
            \(key)
            $ wallet export Letter --json
            3< PIN
            {"name":"Letter","kind":"opaque","encoding":"utf-8","secret":"a \\"quoted\\" note"}
            $ wallet export Letter
            3< PIN
            a "quoted" note
            $ wallet delete Letter
            3< PIN
            3< letter
            2> thumbturn: error: ERR-TT-318 The confirmation was not given.
            2> hint: type the wallet's name, letter for letter; no wallet was deleted
            = 1
            $ wallet delete Letter
            3< PIN
            3< Letter
            Deleted permanently: Letter.
            $ wallet show Letter
            3< PIN
            2> thumbturn: error: ERR-TT-312 No wallet has this name.
            2> hint: correct the input and try again; nothing was changed
            = 1
            $ wallet import Savings
            3< PIN
            3< MNEMONIC
            2> thumbturn: error: ERR-TT-311 Another wallet has this name.
            2> hint: correct the input and try again; nothing was changed
            = 1
            """.replacing("\nMNEMONIC\n", with: "\n\(Box.mnemonic)\n"),
            in: Box.withVault()
        )
    }

    @Test(arguments: [
        ("show", "savings"), ("export", "Savigns"), ("rename", "Saving"), ("delete", "Sav"), ("show", "Cold kay"),
    ])
    func `a name that is nearly a wallet's is answered with that, and one that is far from all with none`(
        command: String,
        name: String
    ) throws {
        let box = try Box.withVault()
        for wallet in ["Savings", "Cold key"] { try box.run(["wallet", "create", wallet], [Box.pin]).succeeding() }
        let rest = command == "rename" ? ["Other"] : []
        let refused = try box.run(["wallet", command, name] + rest, [Box.pin])
        let meant = name.hasPrefix("Cold") ? "'Cold key'" : "Savings"
        #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-312"), "\(refused)")
        #expect(refused.standardError.contains("hint: did you mean `\(meant)`? otherwise"), "\(refused)")
        let far = try box.run(["wallet", command, "Holidays"] + rest, [Box.pin])
        #expect(far.standardError.contains("ERR-TT-312") && !far.standardError.contains("did you mean"), "\(far)")
    }

    @Test(arguments: ["12", "15", "18", "21", "24"])
    func `a new wallet has as many words as were asked for`(count: String) throws {
        let box = try Box.withVault()
        let made = try box.run(["wallet", "create", "New", "--words", count], [Box.pin])
        #expect(made.standardOutput == "Added: New (mnemonic).\n")
        let words = try box.run(["wallet", "export", "New"], [Box.pin]).standardOutput
        #expect(words.split(whereSeparator: \.isWhitespace).count == Int(count))
    }

    @Test func `a bulk import takes every line`() throws {
        let box = try Box.withVault()
        let lines = (0..<100).map { "Wallet \($0)\t\(Box.mnemonic)" }
        let imported = try box.run(["wallet", "import", "--bulk"], [Box.pin] + lines)
        #expect(imported.standardOutput == "Imported: 100 wallets.\n", "\(imported)")
        let wallets = try #require(box.json(["wallet", "list"], [Box.pin])["wallets"] as? [[String: Any]])
        #expect(wallets.count == 100)
        #expect(try box.run(["wallet", "export", "Wallet 99"], [Box.pin]).standardOutput == Box.mnemonic + "\n")
    }

    @Test(
        arguments: [
            ("Third\tozone ozone", "ERR-TT-315"), ("First\t\(Box.mnemonic)", "ERR-TT-311"),
            ("\u{7}\t\(Box.mnemonic)", "ERR-TT-310"), (Box.mnemonic, "ERR-TT-310"),
        ]
    )
    func `a bulk import with one wrong line changes nothing, and names the line`(line: String, code: String) throws {
        let box = try Box.withVault()
        let lines = ["First\t\(Box.mnemonic)", "Second\t\(Box.mnemonic)", line]
        let refused = try box.run(["wallet", "import", "--bulk"], [Box.pin] + lines)
        #expect(refused.exitCode != 0)
        #expect(refused.standardError.contains(code), "\(refused)")
        #expect(!refused.standardError.contains("ozone"))
        #expect(refused.standardError.contains("line 3"), "\(refused)")
        #expect(try box.json(["status"])["walletCount"] as? Int == 0)
    }

    @Test func `a bulk import with a line that is too long to be read changes nothing`() throws {
        let box = try Box.withVault()
        let line = "Second\t\(String(repeating: "x", count: 9_000))"
        let refused = try box.run(["wallet", "import", "--bulk"], [Box.pin, "First\t\(Box.mnemonic)", line])
        #expect(refused.exitCode != 0)
        #expect(refused.standardError.contains("ERR-TT-301"), "\(refused)")
        #expect(try box.json(["status"])["walletCount"] as? Int == 0)
    }

    @Test(.holds("A19")) func `a bulk import without a PIN's line costs no attempt`() throws {
        let box = try Box.withVault()
        let lines = ["First\t\(Box.mnemonic)", "Second\t\(Box.mnemonic)"]
        let refused = try box.run(["wallet", "import", "--bulk"], lines)
        #expect(refused.exitCode == 2 && refused.standardError.contains("ERR-TT-307"), "\(refused)")
        #expect(!refused.standardError.contains(Box.mnemonic))
        let attempts = try #require(box.json(["status"])["attempts"] as? [String: Any])
        #expect(attempts["failures"] as? Int == 0)
    }

    @Test func `with biometrics the line of the PIN is never taken for the secret`() throws {
        let box = try Box.withVault("--biometrics")
        try box.run(["simulate", "finger", "match", "finger", "match"])
        try box.run(["wallet", "import", "A", "--opaque"], [Box.pin, "a note"]).succeeding()
        try box.run(["wallet", "import", "B", "--opaque"], ["", "another"]).succeeding()
        #expect(try box.run(["wallet", "export", "A"], [Box.pin]).standardOutput == "a note")
        #expect(try box.run(["wallet", "export", "B"], [Box.pin]).standardOutput == "another")
    }

    @Test func `opaque bytes come back as they were, in JSON as base 64`() throws {
        let box = try Box.withVault()
        let made = try box.shell(
            "printf '\(Box.pin)\\n\\377\\000\\001\\n' | \"$0\" wallet import Bytes --opaque --secret-fd 0"
        )
        #expect(made.exitCode == 0, "\(made)")
        let object = try box.json(["wallet", "export", "Bytes"], [Box.pin])
        #expect(object["secret"] as? String == "/wAB")
        #expect(object["encoding"] as? String == "base64")
    }
}
