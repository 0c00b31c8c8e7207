#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnTestKit

@testable import ThumbturnCommand

/// `thumbturn rekey`.
@Suite struct RekeyCommandTests {
    private func boxWithWallet() throws -> Box {
        let box = try Box.withVault("--biometrics")
        let made = try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic])
        try #require(made.exitCode == 0, "\(made)")
        return box
    }

    private func expectWhole(_ box: Box) throws {
        #expect(try box.run(["wallet", "export", "Savings"], [Box.pin]).standardOutput == Box.mnemonic + "\n")
    }

    @Test(.holds("A21")) func `without a recovery key the PIN is enough, and says that leaked wallets must be moved`()
        throws
    {
        let box = try boxWithWallet()
        let done = try box.run(["rekey"], [Box.pin])
        #expect(done.exitCode == 0 && done.standardOutput.contains("resealed: 1 wallet."), "\(done)")
        #expect(done.standardError.contains("move the coins"))
        try expectWhole(box)
        try box.run(["simulate", "finger", "match"])
        try box.run(["unlock"], []).succeeding()
        let json = try box.json(["rekey"], [Box.pin])
        #expect(json["rekeyed"] as? Bool == true && json["walletCount"] as? Int == 1)
        #expect(json["biometricsAreOff"] as? Bool == false)
    }

    @Test(.holds("A21"))
    func `with one nothing is changed until the new one was typed back, and the former one opens no more`()
        throws
    {
        let box = try boxWithWallet()
        let former = try box.recoveryKey()
        for (lines, code, exitCode) in [
            ([], "ERR-TT-302", 2), ([former], "ERR-107-040", 1), (["ABCD"], "ERR-TT-308", 2),
        ] as [([String], String, Int32)] {
            let refused = try box.run(["rekey", "--json"], [Box.pin] + lines)
            #expect(refused.exitCode == exitCode, "\(refused)")
            let object = try JSONSerialization.jsonObject(with: Data(refused.standardOutput.utf8)) as? [String: Any]
            #expect(object?["rekeyed"] as? Bool == false && object?["recoveryKey"] is String, "\(refused)")
            let error = object?["error"] as? [String: Any]
            #expect(error?["code"] as? String == code, "\(refused)")
        }
        try box.run(["recovery", "check"], [Box.pin, former]).succeeding()

        let desk = try Keyboard()
        let child = try RunningChild(
            "/bin/sh",
            ["-c", "exec \"$0\" rekey 2>&0 >&0", Box.tool],
            environment: box.environment(["TERM": "xterm"]),
            hasSecrets: false,
            standardInput: desk.path
        )
        desk.wait(for: "PIN or password: ")
        desk.write(Box.pin)
        desk.wait(for: "\n")
        let shown = desk.wait(for: "Press Enter once it is written down: ")
        let key = try #require(shown.split(separator: "\n").first { $0.count == 69 })
        desk.write("")
        desk.wait(for: "Type it back: ")
        desk.write(String(key))
        #expect(child.finish().exitCode == 0)
        try expectWhole(box)
        let dead = try box.run(["recovery", "check"], [Box.pin, former])
        #expect(dead.exitCode == 1 && dead.standardError.contains("ERR-107-040"), "\(dead)")
        try box.run(["recovery", "check"], [Box.pin, String(key)]).succeeding()
    }

    @Test(.holds("A21", "V-05")) func `what does not open is given up by name and number alone`() throws {
        let box = try boxWithWallet()
        for name in ["Coins", "Notes", "Old"] { try box.run(["wallet", "import", name], [Box.pin, Box.mnemonic]) }
        let ids = try box.ids()
        let (damaged, gone) = (try #require(ids["Coins"]), try #require(ids["Notes"]))
        try box.sql { database in
            try database.run("UPDATE wallet SET secret = x'00' WHERE id = ?", .blob(damaged.bytes))
            try database.run("DELETE FROM wallet WHERE id = ?", .blob(gone.bytes))
        }
        for (words, code) in [
            ([], "ERR-TT-210"), (["--give-up", "Coins"], "ERR-TT-210"), (["--missing", "1"], "ERR-TT-210"),
            (["--give-up", "Coins", "--missing", "2"], "ERR-TT-210"), (["--give-up", "Savings"], "ERR-TT-301"),
            (["--give-up", "Notes", "--missing", "1"], "ERR-TT-312"), (["Coins"], "ERR-TT-301"),
            (["--give-up"], "ERR-TT-301"), (["--missing", "-1"], "ERR-TT-301"),
        ] {
            let refused = try box.run(["rekey"] + words, [Box.pin])
            #expect(refused.exitCode != 0 && refused.standardError.contains(code), "\(words): \(refused)")
        }
        let done = try box.run(["rekey", "--give-up", "Coins", "--missing", "1"], [Box.pin])
        #expect(done.exitCode == 0 && done.standardOutput.contains("resealed: 2 wallets."), "\(done)")
        for told in ["kept: Old, Savings\n", "given up: Coins\n", "given up, missing: 1 wallet\n"] {
            #expect(done.standardError.contains(told), "\(done)")
        }
        try expectWhole(box)
        let listed = try box.run(["wallet", "list"], [Box.pin])
        #expect(listed.exitCode == 0 && listed.standardError.isEmpty, "\(listed)")
    }

    @Test(.holds("A21"))
    func `a wallet without its label, or in another one's place, is kept only by somebody who was asked`()
        throws
    {
        let box = try boxWithWallet()
        let id = try #require(box.ids()["Savings"])
        try box.sql { database in
            let label = Array(repeating: UInt8(0), count: 60)
            try database.run("UPDATE wallet SET label = ? WHERE id = ?", .blob(label), .blob(id.bytes))
        }
        #expect(try box.run(["rekey"], [Box.pin]).standardError.contains("ERR-TT-210"))
        let done = try box.run(["rekey", "--missing", "0"], [Box.pin])
        #expect(done.exitCode == 0 && done.standardError.contains("kept: \(id.text)\n"), "\(done)")
        let listed = try box.run(["wallet", "list"], [Box.pin])
        #expect(listed.exitCode == 0 && listed.standardOutput.contains("\(id.text)  mnemonic  "), "\(listed)")
        #expect(try box.run(["unlock"], [Box.pin]).standardError.isEmpty)
        try box.run(["wallet", "rename", id.text, "Savings"], [Box.pin]).succeeding()
        try expectWhole(box)
    }

    @Test(.holds("A21"), arguments: ["head", "older"])
    func `beside a changed head or in an older copy no key is shown, and the former one counts`(
        damage: String
    ) throws {
        let box = try boxWithWallet()
        let key = try box.recoveryKey()
        if damage == "head" {
            try box.sql { try $0.run("UPDATE head SET mac = zeroblob(32)") }
        } else {
            let older = try Data(contentsOf: URL(fileURLWithPath: box.database))
            try box.run(["wallet", "import", "Later"], [Box.pin, Box.mnemonic]).succeeding()
            try older.write(to: URL(fileURLWithPath: box.database))
        }
        // What counts the guesses was put back, or names another head.
        try box.run(["status"])
        try box.run(["simulate", "advance", "1d"])
        let words = damage == "head" ? ["--missing", "0"] : []
        let refused = try box.run(["rekey", "--json"] + words, [Box.pin, "never read"])
        let code = damage == "head" ? "ERR-TT-210" : "ERR-TT-218"
        #expect(refused.standardError.contains(code) || refused.standardOutput.contains(code), "\(refused)")
        #expect(refused.exitCode != 0 && !refused.standardOutput.contains("recoveryKey"), "\(refused)")
        #expect(try box.run(["wallet", "list", "--recovery"], [key]).standardOutput.contains("Savings"))
    }

    @Test func `a wrong PIN, and one line too many, change nothing`() throws {
        let box = try boxWithWallet()
        for (lines, code, exitCode) in [
            ([Box.wrongPIN], "ERR-107-040", 1), ([Box.pin, "more"], "ERR-TT-301", 2),
        ] as [([String], String, Int32)] {
            let refused = try box.run(["rekey"], lines)
            #expect(refused.exitCode == exitCode && refused.standardError.contains(code), "\(refused)")
        }
        try expectWhole(box)
    }
}
#endif
