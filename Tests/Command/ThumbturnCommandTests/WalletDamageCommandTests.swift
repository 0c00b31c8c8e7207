import Foundation
import Testing
import ThumbturnConsole
import ThumbturnSQLite
import ThumbturnTestKit

@testable import ThumbturnCommand
@testable import Thumbturn

/// Damage costs what was damaged, in the command too: `list`, `show` and `export` work wallet by wallet.
struct WalletDamageCommandTests {
    @Test(.holds("K-05")) func `several wallets are exported a line each, and imported again as they came`() throws {
        let box = try Self.withWallets()
        try Transcript.play(
            """
            $ wallet export Notes Savings
            3< PIN
            Notes\tto be kept
            Savings\tMNEMONIC
            $ wallet export --all
            3< PIN
            Coins\tMNEMONIC
            Notes\tto be kept
            Savings\tMNEMONIC
            $ wallet export Savings --all
            2> thumbturn: error: ERR-TT-301 …
            2> hint: …
            = 2
            """.replacing("MNEMONIC", with: Box.mnemonic),
            in: box
        )
        let object = try box.json(["wallet", "export", "--all"], [Box.pin])
        let wallets = try #require(object["wallets"] as? [[String: String]])
        #expect(wallets.map { $0["name"] } == ["Coins", "Notes", "Savings"])
        #expect(wallets.map { $0["secret"] } == [Box.mnemonic, "to be kept", Box.mnemonic])
        #expect(wallets.allSatisfy { $0["id"]?.count == 32 && $0["encoding"] == "utf-8" } && object.count == 1)
        let lines = try box.run(["wallet", "export", "Coins", "Savings"], [Box.pin]).standardOutput
        let other = try Box.withVault()
        let given = [Box.pin] + lines.split(separator: "\n").map(String.init)
        let again = try other.run(["wallet", "import", "--bulk"], given)
        #expect(again.standardOutput == "Imported: 2 wallets.\n", "\(again)")
    }

    @Test func `a secret that is no line, and a name that is none, keep no other wallet in`() throws {
        let box = try Self.withWallets()
        let command = "wallet import Lines --opaque --file - --secret-fd 0"
        try box.shell("printf '\(Box.pin)\\none\\ntwo' | \"$0\" \(command)").succeeding()
        let some = try box.run(["wallet", "export", "Lines", "Notes", "None"], [Box.pin])
        #expect(some.standardOutput == "Notes\tto be kept\n" && some.exitCode == 2, "\(some)")
        #expect(some.standardError.contains("None: ERR-TT-312") && some.standardError.contains("Lines: ERR-TT-301"))
        #expect(!some.standardError.contains("two"))
        let object = try box.json(["wallet", "export", "Lines", "Notes"], [Box.pin])
        #expect((object["wallets"] as? [[String: String]])?.map { $0["secret"] } == ["one\ntwo", "to be kept"])
        #expect(try box.run(["wallet", "export", "Lines", "--raw"], [Box.pin]).standardOutput == "one\ntwo")
        let none = try box.json(["wallet", "export", "No", "None"], [Box.pin])
        #expect((none["wallets"] as? [Any])?.isEmpty == true)
        #expect((none["error"] as? [String: Any])?["code"] as? String == "ERR-TT-312")
        // What can't be a name is not repeated: a terminal might act on it.
        let bell = try box.run(["wallet", "export", "Notes", "\u{7}"], [Box.pin])
        #expect(bell.standardError.contains("name 2: ERR-TT-310") && !bell.standardError.contains("\u{7}"), "\(bell)")
    }

    @Test func `a secret of several lines among others is a matter of usage, and damage counts for more`() throws {
        let box = try Self.withWallets()
        let command = "wallet import Lines --opaque --file - --secret-fd 0"
        try box.shell("printf '\(Box.pin)\\none\\ntwo' | \"$0\" \(command)").succeeding()
        let all = try box.run(["wallet", "export", "--all"], [Box.pin])
        #expect(all.exitCode == 2 && all.standardOutput.split(separator: "\n").count == 3, "\(all)")
        #expect(all.standardError.contains("error: ERR-TT-301 Not printed: 1 of 4 wallets."), "\(all)")
        #expect(all.standardError.contains("Lines: ERR-TT-301 The secret has line breaks"), "\(all)")
        #expect(all.standardError.hasSuffix("hint: export it by itself, or with --json\n"))
        let tooMany = try box.run(["wallet", "export", "--all"], [Box.pin, Box.pin])
        #expect(tooMany.exitCode == 2 && tooMany.standardError.contains("too many lines were given"), "\(tooMany)")
        try box.damageSecret(of: #require(try box.ids()["Coins"]))
        let damaged = try box.run(["wallet", "export", "--all"], [Box.pin])
        #expect(damaged.exitCode == 4 && damaged.standardError.contains("error: ERR-TT-210"), "\(damaged)")
        #expect(damaged.standardError.contains("Lines: ERR-TT-301"), "\(damaged)")
    }

    @Test(.holds("K-05")) func `wallet check and wallet list say what is damaged, and end as an export of it does`()
        throws
    {
        let box = try Self.withWallets()
        let key = try box.recoveryKey()
        let ids = try box.ids()
        let savings = try #require(ids["Savings"])
        try box.damageLabel(of: savings)
        let label = "ERR-TT-210 The vault was changed from outside (damaged labels: 1 of 3 wallets).\n"
        let list = try box.run(["wallet", "list"], [Box.pin])
        #expect(list.exitCode == 4 && list.standardError.contains(label), "\(list)")
        #expect(list.standardOutput.split(separator: "\n").count == 3)
        let checked = try box.run(["wallet", "check"], [Box.pin])
        #expect(checked.exitCode == 4 && checked.standardError.contains(label), "\(checked)")
        #expect(checked.standardOutput == "Intact: 2 wallets.\n\(savings.text): its label is damaged\n")
        // Every secret opens, so nothing is left out of an export.
        try box.run(["wallet", "export", "--all"], [Box.pin]).succeeding()

        try box.damageSecret(of: #require(ids["Coins"]))
        let file = box.folder + "/copy.sqlite"
        try Data(Folders.contents(of: box.database)).write(to: URL(fileURLWithPath: file))
        for (option, line) in [([], Box.pin), (["--recovery"], key), (["--from", file], key)] as [([String], String)] {
            let checked = try box.run(["wallet", "check"] + option, [line])
            #expect(checked.exitCode == 4 && checked.standardOutput.hasPrefix("Intact: 1 wallet.\n"), "\(checked)")
            #expect(checked.standardOutput.contains("\nCoins: does not open (ERR-TT-210)\n"), "\(checked)")
            #expect(checked.standardError.contains("(what does not open: 1 of 3 wallets).\n"), "\(checked)")
            let object = try box.json(["wallet", "check"] + option, [line])
            #expect(object["isWhole"] as? Bool == false && object["wholeCount"] as? Int == 1)
            #expect((object["damaged"] as? [[String: Any]])?.count == 1 && object["missingCount"] as? Int == 0)
            #expect((object["error"] as? [String: Any])?["code"] as? String == "ERR-TT-210")
        }
        #expect(try box.json(["wallet", "list"], [Box.pin])["error"] != nil)
        try box.sql { try $0.run("DELETE FROM wallet WHERE id = ?", .blob(#require(ids["Notes"]).bytes)) }
        let missed = try box.run(["wallet", "check"], [Box.pin])
        #expect(missed.exitCode == 4, "\(missed)")
        #expect(missed.standardOutput.contains("\nmissing: 1 wallet (ERR-TT-210)\n"), "\(missed)")
    }

    @Test(.holds("K-05")) func `wallet check opens every secret of a vault and of a backup, and prints none`() throws {
        let box = try Self.withWallets()
        let key = try box.recoveryKey()
        let file = box.folder + "/backup"
        try box.run(["backup", file], [Box.pin]).succeeding()
        for (option, line) in [([], Box.pin), (["--recovery"], key), (["--from", file], key)] as [([String], String)] {
            let checked = try box.run(["wallet", "check"] + option, [line])
            #expect(checked.exitCode == 0 && checked.standardError.isEmpty, "\(checked)")
            #expect(checked.standardOutput == "Intact: 3 wallets.\n")
            let object = try box.json(["wallet", "check"] + option, [line])
            #expect(object["isWhole"] as? Bool == true && object["wholeCount"] as? Int == 3 && object.count == 2)
        }
    }

    @Test func `unlock opens the vault and no wallet: what is damaged of these is for wallet check`() throws {
        let box = try Self.withWallets()
        let key = try box.recoveryKey()
        try box.damageSecret(of: #require(box.ids()["Coins"]))
        for (option, lines) in [([], [Box.pin]), (["--recovery"], [key, Box.pin])] as [([String], [String])] {
            let opened = try box.run(["unlock"] + option, lines)
            #expect(opened.exitCode == 0 && opened.standardError.isEmpty, "\(opened)")
            #expect(opened.standardOutput.hasSuffix("), 3 wallets. Locked again.\n"), "\(opened)")
        }
        try box.flip("SELECT mac FROM head WHERE id = ?", "UPDATE head SET mac = ? WHERE id = ?")
        let changed = try box.run(["unlock"], [Box.pin])
        #expect(changed.exitCode == 4 && changed.standardError.contains("error: ERR-TT-210"), "\(changed)")
    }

    @Test func `a changed bit in a label or a secret, a row that is lost or added: every other wallet is exported`()
        throws
    {
        let box = try Self.withWallets()
        let key = try box.recoveryKey()
        let ids = try box.ids()
        let (label, secret) = (try #require(ids["Savings"]), try #require(ids["Coins"]))
        try box.sql { database in
            let bytes = try database.rows("SELECT label FROM wallet WHERE id = ?", .blob(label.bytes))[0].blob(0)
            let changed = Array(bytes.dropLast() + [bytes.last.map { $0 ^ 1 } ?? 0])
            try database.run("UPDATE wallet SET label = ? WHERE id = ?", .blob(changed), .blob(label.bytes))
        }
        let told = "thumbturn: ERR-TT-210 The vault was changed from outside.\n"
        for (option, line) in [([], Box.pin), (["--recovery"], key)] as [([String], String)] {
            let one = try box.run(["wallet", "export", "Notes"] + option, [line])
            // Of a wallet that is asked for by its name the others' rows are not read.
            #expect(one.standardOutput == "to be kept" && one.exitCode == 0 && one.standardError == "", "\(one)")
            let byID = try box.run(["wallet", "export", label.text] + option, [line])
            #expect(byID.standardOutput == Box.mnemonic + "\n" && byID.exitCode == 0, "\(byID)")
            #expect(byID.standardError == told)
            let all = try box.run(["wallet", "export", "--all"] + option, [line])
            #expect(all.exitCode == 0 && all.standardOutput.contains("\(label.text)\t\(Box.mnemonic)\n"), "\(all)")
            #expect(try box.run(["wallet", "export", "Savings"] + option, [line]).exitCode == 1)
            let list = try box.run(["wallet", "list"] + option, [line])
            #expect(list.exitCode == 4 && list.standardOutput.contains("\(label.text)  mnemonic  its label is damaged"))
        }
        try box.sql { database in
            let bytes = try database.rows("SELECT secret FROM wallet WHERE id = ?", .blob(secret.bytes))[0].blob(0)
            let changed = Array(bytes.dropLast() + [bytes.last.map { $0 ^ 1 } ?? 0])
            try database.run("UPDATE wallet SET secret = ? WHERE id = ?", .blob(changed), .blob(secret.bytes))
            try database.run("INSERT INTO wallet VALUES (?1, ?1, ?2, ?2)", .blob([1, 2]), .blob([3]))
        }
        for (option, line) in [([], Box.pin), (["--recovery"], key)] as [([String], String)] {
            let one = try box.run(["wallet", "export", "Notes"] + option, [line])
            #expect(one.standardOutput == "to be kept" && one.exitCode == 0, "\(one)")
            let gone = try box.run(["wallet", "export", "Coins"] + option, [line])
            #expect(gone.exitCode == 4 && gone.standardError.contains("error: ERR-TT-210"), "\(gone)")
            let all = try box.run(["wallet", "export", "--all"] + option, [line])
            let lines = Set(all.standardOutput.split(separator: "\n"))
            #expect(lines == ["\(label.text)\t\(Box.mnemonic)", "Notes\tto be kept"], "\(all)")
            #expect(all.exitCode == 4 && all.standardError.contains("thumbturn: Coins: ERR-TT-210"), "\(all)")
            let list = try box.run(["wallet", "list"] + option, [line])
            #expect(list.exitCode == 4 && list.standardOutput.contains("does not open (ERR-TT-210)\n"), "\(list)")
            try box.run(["wallet", "show", "Notes"] + option, [line]).succeeding()
            #expect(try box.run(["wallet", "show", "Coins"] + option, [line]).exitCode == 4)
            let object = try box.json(["wallet", "export", "--all"] + option, [line])
            #expect((object["wallets"] as? [Any])?.count == 2)
            #expect((object["damaged"] as? [[String: Any]])?.contains { $0["name"] as? String == "Coins" } == true)
            #expect((object["error"] as? [String: Any])?["code"] as? String == "ERR-TT-210")
            let listed = try box.json(["wallet", "list"] + option, [line])
            #expect((listed["wallets"] as? [Any])?.count == 2 && (listed["damaged"] as? [Any])?.count == 2)
        }
    }

    @Test func `a wallet whose row is gone is missed, and the others are listed`() throws {
        let box = try Self.withWallets()
        let id = try #require(box.ids()["Notes"])
        try box.sql { try $0.run("DELETE FROM wallet WHERE id = ?", .blob(id.bytes)) }
        try Transcript.play(
            """
            $ wallet list
            3< PIN
            Coins    mnemonic  … ago
            Savings  mnemonic  … ago
            missing: 1 wallet (ERR-TT-210)
            2> thumbturn: error: ERR-TT-210 …(what does not open: 1 of 3 wallets).
            2> hint: …
            = 4
            $ wallet export Savings
            3< PIN
            MNEMONIC
            """.replacing("\nMNEMONIC", with: "\n\(Box.mnemonic)"),
            in: box
        )
    }

    @Test func `a damaged head, and a slot's row that is lost, keep no wallet in`() throws {
        let box = try Self.withWallets()
        let key = try box.recoveryKey()
        try box.sql { try $0.run("DELETE FROM slot") }
        let warned = try box.json(["status"])
        #expect((warned["warnings"] as? [String])?.contains("slotDamaged") == true)
        #expect(try box.run(["wallet", "export", "Notes"], [Box.pin]).standardOutput == "to be kept")
        let mended = try box.json(["status"])
        #expect((mended["warnings"] as? [String])?.contains("slotDamaged") == false)
        try box.sql { try $0.run("UPDATE head SET body = zeroblob(40)") }
        try box.sql { try $0.run("DELETE FROM slot_copy") }
        let all = try box.run(["wallet", "export", "--all", "--recovery"], [key])
        #expect(all.standardOutput.split(separator: "\n").count == 3 && all.exitCode == 0, "\(all)")
    }

    @Test func `a backup, and a vault's file that nothing else opens, give what is whole`() throws {
        let box = try Self.withWallets()
        let key = try box.recoveryKey()
        let file = box.folder + "/backup"
        try box.run(["backup", file], [Box.pin]).succeeding()
        let all = try box.run(["wallet", "export", "--all"], [Box.pin]).standardOutput
        let plain = try box.run(["wallet", "export", "--all", "--from", file], [key])
        #expect(plain.standardOutput == all && plain.exitCode == 0 && plain.standardError.isEmpty, "\(plain)")
        let one = try box.run(["wallet", "export", "Notes", "--from", file, "--recovery"], [key])
        #expect(one.standardOutput == "to be kept", "\(one)")
        #expect(
            try box.run(["wallet", "list", "--from", file], [key]).standardOutput.split(separator: "\n").count == 3
        )
        try box.run(["wallet", "show", "Coins", "--from", file], [key]).succeeding()
        #expect(try box.run(["wallet", "export", "Notes", "--from", file], [Box.pin]).exitCode == 2)
        let none = try box.run(["wallet", "list", "--from", box.folder + "/none"], [key])
        #expect(none.standardError.contains("ERR-TT-201"), "\(none)")

        // Its header, and the label of one wallet.
        var bytes = Folders.contents(of: file)
        for index in 0..<100 { bytes[index] ^= 0x55 }
        let id = try #require(box.ids()["Coins"])
        let secret = try #require(bytes.indices.last { bytes[$0...].starts(with: id.bytes) && bytes[$0 - 18] == 1 })
        bytes[secret - 60] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let rest = try box.run(["wallet", "export", "--all", "--from", file], [key])
        #expect(rest.standardOutput.contains("\(id.text)\t\(Box.mnemonic)") && rest.exitCode == 0, "\(rest)")
        #expect(rest.standardOutput.split(separator: "\n").count == 3)

        // The vault's own file, without its first page.
        var own = Folders.contents(of: box.database)
        for index in 0..<4_096 { own[index] = 0 }
        try Data(own).write(to: URL(fileURLWithPath: box.database))
        #expect(try box.run(["wallet", "list"], [Box.pin]).standardError.contains("ERR-TT-204"))
        let rescued = try box.run(["wallet", "export", "--all", "--from", box.database], [key])
        #expect(rescued.standardOutput == all, "\(rescued)")
    }

    private static func withWallets() throws -> Box {
        let box = try Box.withVault()
        for name in ["Savings", "Coins"] { try box.run(["wallet", "import", name], [Box.pin, Box.mnemonic]) }
        try box.run(["wallet", "import", "Notes", "--opaque"], [Box.pin, "to be kept"])
        return box
    }
}
