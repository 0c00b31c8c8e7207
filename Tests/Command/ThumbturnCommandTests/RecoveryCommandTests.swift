import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

struct RecoveryCommandTests {
    /// A vault with one wallet and a confirmed recovery key.
    private func boxWithKey() throws -> (Box, key: String) {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic])
        let key = try box.run(["recovery", "create"], [Box.pin]).standardOutput.trimmingCharacters(in: .newlines)
        try #require(key.count == 69)
        try box.run(["recovery", "check"], [Box.pin, key]).succeeding()
        return (box, key)
    }

    @Test(.holds("ERR-TT-102"))
    func `a wait is told with what ends it, and with the recovery key only where there is one`()
        throws
    {
        for hasKey in [false, true] {
            let box = try hasKey ? boxWithKey().0 : Box.withVault()
            for _ in 0..<4 { try box.run(["unlock"], [Box.wrongPIN]) }
            for command in [["unlock"], ["recovery", "create"]] {
                let refused = try box.run(command, [Box.pin]).standardError
                #expect(refused.contains("ERR-TT-102 You have to wait before the next try ("))
                let wait = "leave the device on, or run `thumbturn --device simulated status` before you switch it off"
                #expect(refused.contains(wait))
                #expect(refused.contains("unlock --recovery`") == hasKey)
            }
        }
    }

    @Test func `a recovery key counts once it was typed back`() throws {
        let box = try Box.withVault()
        let made = try box.run(["recovery", "create"], [Box.pin])
        let check = "`thumbturn --device simulated recovery check`"
        #expect(made.standardError == "thumbturn: the key is not confirmed yet: type it back to \(check)\n")
        let key = made.standardOutput.trimmingCharacters(in: .newlines)
        #expect(try box.run(["backup", box.folder + "/b"], [Box.pin]).standardError.contains("ERR-TT-309"))
        try box.run(["recovery", "check"], [Box.pin, key.lowercased()]).succeeding()
        try box.run(["backup", box.folder + "/b"], [Box.pin]).succeeding()
        try box.run(["recovery", "remove"], [Box.pin]).succeeding()
        #expect(try box.run(["unlock", "--recovery"], [key, Box.pin]).standardError.contains("ERR-TT-309"))
    }

    @Test func `a check tells a wrong PIN from a wrong key, and the status asks nothing`() throws {
        let (box, key) = try boxWithKey()
        let other = try boxWithKey().key
        let wrongPIN = try box.run(["recovery", "check"], [Box.wrongPIN, key])
        #expect(wrongPIN.exitCode == 1 && wrongPIN.standardError.contains("ERR-107-040 The PIN or password is wrong;"))
        let wrongKey = try box.run(["recovery", "check"], [Box.pin, other])
        #expect(wrongKey.exitCode == 1 && wrongKey.standardError.contains("ERR-107-040 This is not the recovery key"))
        #expect(wrongKey.standardError.contains("the PIN or password was right"))

        let counts = try box.run(["recovery", "status"])
        #expect(counts.standardOutput.contains("The recovery key is confirmed; it was made "), "\(counts)")
        try box.run(["recovery", "create"], [Box.pin]).succeeding()
        let both = try box.run(["recovery", "status"]).standardOutput
        #expect(both.contains("confirmed; it") && both.contains(" simulated recovery check`."), "\(both)")
        let status = try box.json(["recovery", "status"])
        #expect(status["isConfirmed"] as? Bool == true && status["awaitsCheck"] as? Bool == true)
        try box.run(["recovery", "remove"], [Box.pin]).succeeding()
        #expect(try box.run(["recovery", "status"]).standardOutput.contains("There is no recovery key: "))
        try box.flip("SELECT mac FROM head WHERE id = ?", "UPDATE head SET body = ? WHERE id = ?")
        let damaged = try box.json(["recovery", "status"])
        #expect(damaged["isConfirmed"] is NSNull)
    }

    @Test func `another vault's key is told as that, of a backup too`() throws {
        let (box, _) = try boxWithKey()
        let other = try boxWithKey().key
        let file = box.folder + "/backup"
        try box.run(["backup", file], [Box.pin]).succeeding()
        let calls: [([String], [String])] = [
            (["backup", "verify", file], [other]), (["wallet", "list", "--from", file], [other]),
            (["--vault", box.folder + "/new", "restore", file], [other, Box.pin]),
        ]
        for (words, lines) in calls {
            let refused = try box.run(words, lines)
            #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-107-040"), "\(refused)")
            #expect(refused.standardError.contains("This is not the recovery key of this backup."), "\(refused)")
        }
    }

    @Test func `a changed vault that the recovery key opens names what exports`() throws {
        let (box, key) = try boxWithKey()
        try box.flip("SELECT mac FROM head WHERE id = ?", "UPDATE head SET mac = ? WHERE id = ?")
        let refused = try box.run(["unlock", "--recovery"], [key, Box.wrongPIN])
        #expect(refused.standardError.contains("wallet export --all --recovery`"), "\(refused)")
    }

    @Test func `a wrong key typed back confirms nothing, and JSON stays one object`() throws {
        let box = try Box.withVault()
        let refused = try box.run(["recovery", "create", "--json"], [Box.pin, "nothing"])
        #expect(refused.exitCode == 2)
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(refused.standardOutput.utf8)) as? [String: Any]
        )
        #expect((object["recoveryKey"] as? String)?.count == 69)
        #expect(object["isConfirmed"] as? Bool == false)
        let error = try #require(object["error"] as? [String: Any])
        #expect(error["code"] as? String == "ERR-TT-308")
        #expect((error["hint"] as? String)?.contains("recovery check`") == true)
    }

    @Test func `a forgotten PIN is replaced with the recovery key`() throws {
        let (box, key) = try boxWithKey()
        let opened = try box.run(["unlock", "--recovery"], [key, Box.wrongPIN])
        #expect(opened.standardOutput == "Unlocked (recovery key), 1 wallet. Locked again.\n")
        #expect(try box.run(["unlock"], [Box.pin]).exitCode == 1)
        try box.run(["unlock"], [Box.wrongPIN]).succeeding()
    }

    @Test(.holds("A26")) func `on another device only the recovery key opens, and the status says so`() throws {
        let (box, key) = try boxWithKey()
        try box.run(["simulate", "restore-elsewhere"])
        let status = try box.json(["status"])
        #expect(status["condition"] as? String == "keyMissing")
        #expect((status["warnings"] as? [String])?.contains("keyMissing") == true)
        #expect(try box.run(["status"]).standardOutput.contains("only the recovery key opens"))
        let refused = try box.run(["unlock"], [Box.pin])
        #expect(refused.exitCode == 3)
        #expect(refused.standardError.contains("ERR-TT-209"))
        #expect(refused.standardError.contains("unlock --recovery"))
        try box.run(["unlock", "--recovery"], [key, Box.pin]).succeeding()
        #expect(try box.run(["wallet", "export", "Savings"], [Box.pin]).standardOutput == Box.mnemonic + "\n")
    }

    @Test func `who has no recovery key is not told to use one`() throws {
        let box = try Box.withVault()
        try box.run(["simulate", "restore-elsewhere"])
        let refused = try box.run(["unlock"], [Box.pin])
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-209"))
        #expect(!refused.standardError.contains("--recovery"))
    }

    @Test func `a backup is restored elsewhere, and overwrites nothing`() throws {
        let (box, key) = try boxWithKey()
        let file = box.folder + "/backup"
        #expect(try box.json(["backup", file], [Box.pin])["walletCount"] as? Int == 1)
        #expect(try box.run(["backup", file], [Box.pin]).standardError.contains("ERR-TT-319"))
        #expect(try box.run(["restore", file], [key, Box.pin]).standardError.contains("ERR-TT-202"))

        let other = try Box()
        let wrong = try other.run(["restore", file], [Box.pin, Box.wrongPIN])
        #expect(wrong.exitCode == 2 && wrong.standardError.contains("ERR-TT-308"))
        #expect(try other.run(["restore", other.folder + "/none"], [key, Box.pin]).exitCode == 3)
        #expect(other.contents().isEmpty)
        let restored = try other.run(["restore", file], [key, Box.wrongPIN])
        let words = "Restored into \(other.vault): 1 wallet.\nDevice: simulated; it protects nothing.\n"
        #expect(restored.standardOutput == words, "\(restored)")
        #expect(try other.run(["wallet", "export", "Savings"], [Box.wrongPIN]).standardOutput == Box.mnemonic + "\n")
    }

    @Test func `a damaged backup is refused and leaves no vault`() throws {
        let (box, key) = try boxWithKey()
        let file = box.folder + "/backup"
        try box.run(["backup", file], [Box.pin])
        let bytes = Folders.contents(of: file)
        let other = try Box()
        try Folders.write(Array(bytes.prefix(bytes.count / 2)), to: other.folder + "/half")
        let refused = try other.run(["restore", other.folder + "/half"], [key, Box.pin])
        #expect(refused.exitCode == 4, "\(refused)")
        #expect(try other.run(["unlock"], [Box.pin]).standardError.contains("ERR-TT-201"))
    }
}
