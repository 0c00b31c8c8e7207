import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// A vault that was put back as it was before, as the command tells it, and what its owner can do.
struct RolledBackVaultCommandTests {
    @Test(.holds("A8")) func `an old copy of the vault is a rollback, told in the status, and waits the longest`()
        throws
    {
        let box = try Box.withVault()
        let old = Folders.contents(of: box.database)
        #expect(try box.run(["unlock"], [Box.wrongPIN]).exitCode == 1)
        try box.replace(box.database, old)
        let status = try box.json(["status"])
        #expect((status["warnings"] as? [String])?.contains("ledgerUnreliable") == true)
        #expect(try box.run(["unlock"], [Box.pin]).standardError.contains("ERR-TT-102"))
        try box.run(["simulate", "advance", "25h"])
        let older = try box.run(["unlock"], [Box.pin])
        #expect(older.exitCode == 4 && older.standardError.contains("ERR-TT-218"))
        #expect((try box.json(["status"])["warnings"] as? [String])?.contains("olderCopy") == true)
    }

    @Test(.holds("A7")) func `an older copy only exports, until its owner types the word`() throws {
        let box = try Box.withVault()
        let old = Folders.contents(of: box.database)
        try box.run(["wallet", "import", "main"], [Box.pin, Box.mnemonic])
        try box.replace(box.database, old)
        try box.run(["simulate", "advance", "25h"])
        try box.run(["status"])
        try box.run(["simulate", "advance", "25h"])
        let refused = try box.run(["wallet", "create", "new"], [Box.pin])
        #expect(refused.exitCode == 4 && refused.standardError.contains("ERR-TT-218"))
        for words in [["wallet", "list"], ["wallet", "export", "--all"]] {
            let read = try box.run(words, [Box.pin])
            #expect(read.exitCode == 0 && read.standardError.contains("ERR-TT-218"), "\(read)")
        }
        // Nothing was changed, so no new PIN counts.
        let unchanged = try box.run(["pin", "change"], [Box.pin, "840275"])
        #expect(unchanged.exitCode == 4 && unchanged.standardError.contains("ERR-TT-218"), "\(unchanged)")
        #expect(!unchanged.standardError.contains("the new one"), "\(unchanged)")
        let mistyped = try box.run(["unlock", "--accept-older-copy"], [Box.pin, "older"])
        #expect(mistyped.exitCode == 1 && mistyped.standardError.contains("ERR-TT-318"), "\(mistyped)")
        #expect(mistyped.standardError.contains("OLDER") && !mistyped.standardError.contains("erased"), "\(mistyped)")
        #expect(try box.run(["wallet", "create", "new"], [Box.pin]).exitCode == 4)
        try box.run(["unlock", "--accept-older-copy"], [Box.pin, "OLDER"]).succeeding()
        try box.run(["wallet", "create", "new"], [Box.pin]).succeeding()
    }

    @Test(.holds("A7")) func `with the recovery key an older copy is the vault at once where its owner says so`() throws
    {
        let box = try Box.withVault()
        let key = try box.run(["recovery", "create"], [Box.pin]).standardOutput.trimmingCharacters(in: .newlines)
        try box.run(["recovery", "check"], [Box.pin, key]).succeeding()
        let old = Folders.contents(of: box.database)
        #expect(try box.run(["unlock"], [Box.wrongPIN]).exitCode == 1)
        try box.replace(box.database, old)
        let refused = try box.run(["unlock", "--recovery"], [key, "840275"])
        #expect(refused.exitCode == 4 && refused.standardError.contains("ERR-TT-218"))
        let accepted = try box.run(["unlock", "--recovery", "--accept-older-copy"], [key, "840275", "OLDER"])
        #expect(accepted.exitCode == 0, "\(accepted)")
        try box.run(["unlock"], ["840275"]).succeeding()
    }

    @Test(.holds("A7")) func `a copy from before a new PIN says so, and opens with the recovery key alone`()
        throws
    {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "main"], [Box.pin, Box.mnemonic])
        let key = try box.run(["recovery", "create"], [Box.pin]).standardOutput.trimmingCharacters(in: .newlines)
        try box.run(["recovery", "check"], [Box.pin, key]).succeeding()
        let old = Folders.contents(of: box.database)
        let changed = try box.run(["pin", "change"], [Box.pin, "840275"])
        #expect(changed.exitCode == 0 && changed.standardError.contains("open only with the recovery key"))
        #expect(!changed.standardError.contains("there is no recovery key"))
        try box.replace(box.database, old)
        for pin in [Box.pin, "840275"] {
            let refused = try box.run(["unlock"], [pin])
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-209"), "\(refused)")
            #expect(
                refused.standardError.contains("from before the PIN was changed: its recovery key exports"),
                "\(refused)"
            )
            #expect(refused.standardError.contains("unlock --recovery --accept-older-copy"), "\(refused)")
        }
        let exported = try box.run(["wallet", "export", "main", "--recovery"], [key])
        #expect(exported.standardOutput == Box.mnemonic + "\n", "\(exported)")
        let refused = try box.run(["unlock", "--recovery"], [key, "771204"])
        #expect(refused.exitCode == 4 && refused.standardError.contains("ERR-TT-218"), "\(refused)")
        let accepted = try box.run(["unlock", "--recovery", "--accept-older-copy"], [key, "771204", "OLDER"])
        #expect(accepted.exitCode == 0, "\(accepted)")
        try box.run(["unlock"], ["771204"]).succeeding()
    }

    @Test(.holds("A8")) func `after a rollback nobody is told to give a PIN that would be refused`() throws {
        let box = try Box.withVault("--biometrics")
        let old = Folders.contents(of: box.database)
        #expect(try box.run(["unlock"], [Box.wrongPIN]).exitCode == 1)
        try box.replace(box.database, old)
        let refused = try box.run(["unlock"], [""]).standardError
        #expect(refused.contains("ERR-107-050") && refused.contains("the PIN opens in "))
        #expect(!refused.contains("unlock with your PIN"))
    }
}
