import Foundation
import Testing
import ThumbturnConsole
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCommand

/// What a hint tells to type works when it is typed, and names what there is.
struct HintTests {
    @Test func `a hint's commands repeat --vault, and work when they are typed`() throws {
        let box = try Box()
        let folder = box.folder + "/Anna's vault"
        let place = ["--vault", folder]
        let missing = try box.run(["unlock"] + place, [Box.pin])
        let made = try box.type(#require(missing.hintedCommands.first), [Box.pin])
        #expect(made.exitCode == 0 && made.standardOutput.contains("Vault made in \(folder)"), "\(missing) \(made)")
        let key = try box.recoveryKey(place)

        for _ in 0..<4 { try box.run(["unlock"] + place, [Box.wrongPIN]) }
        let waiting = try box.run(["unlock"] + place, [Box.pin])
        #expect(waiting.hintedCommands.count == 2 && waiting.standardError.contains("ERR-TT-102"), "\(waiting)")
        for command in waiting.hintedCommands {
            let typed = try box.type(command, [key, "840275"])
            #expect(typed.exitCode == 0, "\(command): \(typed)")
        }
        try box.run(["unlock"] + place, ["840275"]).succeeding()
        #expect(!FileManager.default.fileExists(atPath: box.vault))
        let help = try box.run(["unlock", "now"] + place).standardError
        #expect(help.hasSuffix("hint: see `thumbturn help unlock`\n"), "\(help)")
    }

    @Test func `notes and the JSON of an error repeat --vault too, and a status warns with it, cut short in its box`()
        throws
    {
        let box = try Box()
        let place = ["--vault", box.folder + "/mine"]
        try box.run(["init"] + place, [Box.pin])
        let note = try box.run(["pin", "change"] + place, [Box.pin, "a whole sentence"]).standardError
        #expect(note.contains("`thumbturn --vault \(box.folder)/mine --device simulated recovery create`"), "\(note)")
        let error = try box.json(["status", "--vault", box.folder + "/none"])["error"] as? [String: Any]
        let elsewhere = "thumbturn --vault \(box.folder)/none --device simulated"
        let hint = "make a vault with `\(elsewhere) init`, or get one back with `\(elsewhere) restore BACKUP`"
        #expect(error?["hint"] as? String == hint)
        try box.run(["simulate", "fault", "delete-fails"])
        try box.run(["pin", "change"] + place, ["a whole sentence", "another sentence"])
        try box.run(["simulate", "fault", "delete-fails"])
        let status = try box.run(["status"] + place).standardOutput
        #expect(status.contains("`thumbturn --vault \(box.folder)/mine --device simulated status`"), "\(status)")
        #if os(Linux)
        try box.run(["simulate", "fault", "delete-fails"])
        let picture = try box.screen(["status"] + place, columns: 80)
        #expect(picture.contains("`thumbturn --vault … status`"), "\(picture)")
        #expect(picture.split(separator: "\n").allSatisfy { $0.columns == 80 })
        #endif
    }

    @Test func `a hint goes on with --from and --recovery as they were given`() throws {
        let (box, key) = try Self.boxWithBackup()
        let file = box.folder + "/my backup"
        let coins = try #require(try box.ids()["Coins"])
        try box.damageSecret(of: coins)
        var bytes = Folders.contents(of: file)
        let secret = try #require(bytes.indices.last { bytes[$0...].starts(with: coins.bytes) && bytes[$0 - 18] == 1 })
        bytes[secret + 20] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: file))

        for source in [["--from", file], ["--recovery"]] {
            let list = try box.run(["wallet", "list"] + source, [key])
            let command = try #require(list.hintedCommands.first, "\(list)")
            let typed = try box.type(command, [key])
            #expect(typed.standardOutput.contains("Savings\t\(Box.mnemonic)\n") && typed.exitCode == 4, "\(typed)")
            // What opens was exported: the same again gives no more.
            #expect(!typed.hintedCommands.contains(command), "\(typed)")
        }
        let listed = try box.run(["wallet", "list"], [Box.pin])
        #expect(listed.hintedCommands == ["thumbturn --device simulated wallet export --all"], "\(listed)")
        let exported = try box.type(listed.hintedCommands[0], [Box.pin])
        #expect(exported.standardOutput.contains("Savings\t") && exported.hintedCommands.isEmpty, "\(exported)")
    }

    @Test(.holds("ERR-TT-204")) func `a file from which nothing opens has another hint than what was just typed`()
        throws
    {
        let (box, key) = try Self.boxWithBackup()
        try Folders.write(Array("a letter to a friend, and no backup at all".utf8), to: box.folder + "/letter")
        for command in [["wallet", "export", "--all"], ["wallet", "list"], ["wallet", "show", "Coins"]] {
            let refused = try box.run(command + ["--from", box.folder + "/letter"], [key])
            #expect(refused.exitCode == 4 && refused.standardError.contains("ERR-TT-204"), "\(refused)")
            #expect(refused.hintedCommands.isEmpty && refused.standardError.contains("name another"), "\(refused)")
        }
        // A vault that is damaged, and a backup: each names its own file.
        try Data([UInt8](repeating: 7, count: 5_000)).write(to: URL(fileURLWithPath: box.database))
        let damaged = try box.run(["unlock"], [Box.pin])
        #expect(damaged.hintedCommands == ["thumbturn wallet export --all --from \(box.database)"], "\(damaged)")
        let other = try Box()
        var bytes = Folders.contents(of: box.folder + "/my backup")
        for index in 0..<100 { bytes[index] ^= 0x55 }
        let half = other.folder + "/half"
        try Folders.write(bytes, to: half)
        let refused = try other.run(["restore", half], [key, Box.pin])
        let command = try #require(refused.hintedCommands.first, "\(refused)")
        #expect(try other.type(command, [key]).standardOutput.contains("Savings\t\(Box.mnemonic)\n"), "\(refused)")
    }

    @Test(.holds("ERR-TT-201")) func `a backup that is not there is named, with no word of a vault`() throws {
        let box = try Box.withVault()
        let file = box.folder + "/no such file"
        let said = "thumbturn: error: ERR-TT-201 There is no file \(file).\nhint: name a backup\n"
        for words in [["wallet", "list", "--from", file], ["wallet", "export", "A", "B", "--from", file]] {
            let refused = try box.run(words, [Box.pin])
            #expect(refused.exitCode == 3 && refused.standardError == said, "\(refused)")
        }
        let refused = try box.run(["restore", file], [Box.pin, Box.pin])
        #expect(refused.exitCode == 3 && refused.standardError == said, "\(refused)")
        let french = try box.run(["restore", file], nil, ["LANG": "fr_FR.UTF-8"]).standardError
        #expect(french.contains("ERR-TT-201 Il n'y a pas de fichier \(file)."), "\(french)")
    }

    @Test(.holds("A26")) func `without a recovery key nothing says that it opens, in either language`() throws {
        for (locale, key) in [("en_US.UTF-8", "recovery key"), ("fr_FR.UTF-8", "clé de secours")] {
            for hasKey in [false, true] {
                let box = try Box.withVault()
                if hasKey { _ = try box.recoveryKey() }
                try box.run(["simulate", "restore-elsewhere"])
                let status = try box.run(["status"], nil, ["LANG": locale]).standardOutput
                let shown = status.split(separator: "\n").filter { $0.contains(key) }
                // Each of its row, the headline, the attempts and the warning.
                #expect(shown.count == (hasKey ? 4 : 1), "\(status)")
                #expect(hasKey || shown[0].hasPrefix("warning: ") || shown[0].hasPrefix("attention : "), "\(status)")
                let narrow = try box.run(["biometrics", "status"], nil, ["LANG": locale]).standardOutput
                #expect(narrow.contains(key) == hasKey, "\(narrow)")
            }
        }
    }

    @Test func `what a damaged vault's hint names, it has`() throws {
        for hasKey in [false, true] {
            let box = try Box.withVault()
            try box.run(["wallet", "import", "Coins"], [Box.pin, Box.mnemonic])
            let key = try hasKey ? box.recoveryKey() : nil
            let coins = try #require(try box.ids()["Coins"])
            let whole = Folders.contents(of: box.database)
            try box.damageSecret(of: coins)
            for command in [["wallet", "list"], ["wallet", "export", "--all"], ["wallet", "export", "Coins"]] {
                let refused = try box.run(command, [Box.pin])
                #expect(refused.exitCode == 4 && refused.standardError.contains("ERR-TT-210"), "\(refused)")
                // It would give no more than the PIN does.
                #expect(!refused.standardError.contains("recovery key"), "\(refused)")
            }
            // A copy that waits: the key exports from it, and does not open it.
            try Data(whole).write(to: URL(fileURLWithPath: box.database))
            try box.run(["unlock"], [Box.wrongPIN])
            try Data(whole).write(to: URL(fileURLWithPath: box.database))
            try box.run(["status"])
            for words in [["unlock"], ["wallet", "export", "--all"]] {
                let waiting = try box.run(words, [Box.pin])
                #expect(waiting.standardError.contains("ERR-TT-102"), "\(waiting)")
                #expect(waiting.standardError.contains("recovery key exports") == hasKey, "\(waiting)")
                #expect(!waiting.standardError.contains("unlock --recovery"), "\(waiting)")
            }
            guard let key else { continue }
            let refused = try box.run(["unlock", "--recovery"], [key, "840275"])
            let accepting = try #require(refused.hintedCommands.last, "\(refused)")
            #expect(try box.type(accepting, [key, "840275", "OLDER"]).exitCode == 0, "\(refused)")
        }
    }

    @Test(.holds("ERR-TT-204")) func `where no try can be counted, each command names what is left`() throws {
        for hasKey in [false, true] {
            let (box, key) = try Self.boxWithBackup()
            if !hasKey { try box.run(["recovery", "remove"], [Box.pin]).succeeding() }
            let page = try box.sql { database in
                let query: StaticString = "SELECT rootpage FROM sqlite_schema WHERE name = 'attempt_ledger'"
                return Int(try #require(database.rows(query).first).integer(0))
            }
            var bytes = Folders.contents(of: box.database)
            bytes[(page - 1) * 4_096] ^= 2
            try Data(bytes).write(to: URL(fileURLWithPath: box.database))
            let status = try box.json(["status"])
            #expect(status["condition"] as? String == "ledgerDamaged", "\(status)")
            #expect((status["warnings"] as? [String])?.contains("ledgerDamaged") == true, "\(status)")
            let shown = try box.run(["status"]).standardOutput
            #expect(shown.contains("the recovery key exports") == hasKey && !shown.contains("device key"), "\(shown)")
            #expect(shown.contains("nothing opens it here") != hasKey, "\(shown)")
            for words in [["unlock"], ["wallet", "list"], ["pin", "change"]] {
                let refused = try box.run(words, [Box.pin, "840275"])
                #expect(refused.exitCode == 4 && refused.standardError.contains("ERR-TT-204"), "\(refused)")
                guard hasKey else {
                    #expect(refused.standardError.contains("has no recovery key"), "\(refused)")
                    continue
                }
                let export = try #require(refused.hintedCommands.first, "\(refused)")
                let exported = try box.type(export, [key])
                #expect(exported.exitCode == 0 && exported.standardOutput.contains("Coins\t"), "\(exported)")
            }
        }
    }

    @Test(.holds("ERR-TT-203")) func `a version that nobody wrote is damage, and the recovery key exports`() throws {
        let (box, key) = try Self.boxWithBackup()
        var bytes = Folders.contents(of: box.database)
        bytes[60] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: box.database))
        let refused = try box.run(["unlock"], [Box.pin])
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-203"), "\(refused)")
        let exported = try box.type(#require(refused.hintedCommands.first, "\(refused)"), [key])
        #expect(exported.standardOutput.contains("Coins\t\(Box.mnemonic)\n"), "\(exported)")
    }

    @Test func `after ten wrong PINs a finger is not sent to the PIN`() throws {
        let box = try Box.withVault("--biometrics")
        _ = try box.recoveryKey()
        for _ in 1...10 {
            try box.run(["unlock"], [Box.wrongPIN])
            try box.run(["simulate", "advance", "25h"])
        }
        let refused = try box.run(["unlock"], [""])
        #expect(refused.exitCode == 1, "\(refused)")
        #expect(refused.hintedCommands == ["thumbturn --device simulated unlock --recovery"], "\(refused)")
        #expect(!refused.standardError.contains("your PIN"), "\(refused)")
    }

    @Test(arguments: ["junk", "empty", "rows", "none"])
    func `init and reset of a damaged vault send nobody from one to the other`(damage: String) throws {
        let box = try Box.withVault()
        switch damage {
        case "junk": try Data([UInt8](repeating: 7, count: 5_000)).write(to: URL(fileURLWithPath: box.database))
        case "empty": try Data().write(to: URL(fileURLWithPath: box.database))
        case "none": try FileManager.default.removeItem(atPath: box.database)
        default:
            try box.sql { database in
                try database.run("UPDATE head SET body = zeroblob(40)")
                try database.run("UPDATE slot SET record = zeroblob(40)")
                try database.run("UPDATE slot_copy SET record = zeroblob(40)")
            }
        }
        let reset = try box.run(["reset"], ["RESET"])
        let made = try box.run(["init", "--no-biometrics"], [Box.pin])
        guard made.exitCode != 0 else {
            // Nothing was there that could be lost.
            #expect(!reset.standardError.contains("reset"), "\(reset)")
            try box.run(["unlock"], [Box.pin]).succeeding()
            return
        }
        for refused in [made, reset] {
            #expect(refused.exitCode == 4 && refused.standardError.contains("ERR-TT-204"), "\(refused)")
            #expect(!refused.standardError.contains("reset") && !refused.standardError.contains("init"))
        }
        let slashed = try box.run(["reset", "--vault", box.vault + "/"], ["RESET"])
        let move = try #require(slashed.hinted.first { $0.hasPrefix("mv ") }, "\(slashed)")
        #expect(made.hinted.last == move && reset.hinted.last == move, "\(made) \(reset)")
        try box.shell(move).succeeding()
        try box.run(["init", "--no-biometrics"], [Box.pin]).succeeding()
    }

    /// Two wallets, a recovery key and a backup.
    private static func boxWithBackup() throws -> (Box, key: String) {
        let box = try Box.withVault()
        for name in ["Savings", "Coins"] { try box.run(["wallet", "import", name], [Box.pin, Box.mnemonic]) }
        let key = try box.recoveryKey()
        try box.run(["backup", box.folder + "/my backup"], [Box.pin]).succeeding()
        return (box, key)
    }
}

extension ChildProcess {
    /// What stands between backticks in the hint.
    fileprivate var hinted: [String] {
        let hint = standardError.split(separator: "\n").last { $0.hasPrefix("hint: ") } ?? ""
        let parts = hint.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    fileprivate var hintedCommands: [String] { hinted.filter { $0.hasPrefix("thumbturn ") } }
}

extension Box {
    /// Types a command of a hint into a shell, with lines for its secrets.
    fileprivate func type(_ command: String, _ secrets: [String]) throws -> ChildProcess {
        let lines = secrets.map { "'\($0)'" }.joined(separator: " ")
        let takesAll = !command.contains(" status")
        return try shell(
            "printf '%s\\n' \(takesAll ? lines : "") | \"$0\" --secret-fd 0" + command.dropFirst("thumbturn".count)
        )
    }
}
