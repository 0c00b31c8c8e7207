import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// Bad input is a typed error with its code, a hint and the documented exit code, and nothing is changed.
struct BadInputTests {
    /// Expects a refusal that leaves every byte as it was.
    private func expectRefusal(
        _ box: Box,
        _ words: [String],
        _ code: String,
        _ exitCode: Int32,
        giving secrets: [String]? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = box.contents()
        let refused = try box.run(words, secrets)
        #expect(refused.exitCode == exitCode, "\(refused)", sourceLocation: sourceLocation)
        let lines = refused.standardError.split(separator: "\n")
        #expect(lines.count == 2, "\(refused)", sourceLocation: sourceLocation)
        #expect(
            lines.first?.hasPrefix("thumbturn: error: \(code) ") == true,
            "\(refused)",
            sourceLocation: sourceLocation
        )
        #expect(lines.last?.hasPrefix("hint: ") == true, sourceLocation: sourceLocation)
        #expect(refused.standardOutput.isEmpty, sourceLocation: sourceLocation)
        #expect(box.contents() == before, "something was changed", sourceLocation: sourceLocation)
    }

    @Test func `an unknown command or option is refused with a hint`() throws {
        let box = try Box()
        try expectRefusal(box, ["frobnicate"], "ERR-TT-301", 2)
        try expectRefusal(box, ["status", "--frobnicate"], "ERR-TT-301", 2)
        try expectRefusal(box, ["-x"], "ERR-TT-301", 2)
        try expectRefusal(box, ["--device", "android", "status"], "ERR-TT-301", 2)
        try expectRefusal(box, ["--require", "software", "status"], "ERR-TT-301", 2)
    }

    @Test(
        arguments: [
            ["status"], ["unlock"], ["reset"], ["pin", "change"], ["biometrics", "enable"], ["wallet", "list"],
            ["recovery", "create"], ["backup", "/nowhere/file"],
        ]
    )
    func `without a vault every command says so, and makes none`(words: [String]) throws {
        try expectRefusal(Box(), words, "ERR-TT-201", 3, giving: [Box.pin])
    }

    @Test(
        .holds("A59"),
        arguments: [
            ("12345", "ERR-TT-303"), ("", "ERR-TT-303"), ("short", "ERR-TT-303"), ("123456", "ERR-TT-304"),
            ("000000", "ERR-TT-304"), ("password1", "ERR-TT-304"), ("a\u{7}longer secret", "ERR-TT-307"),
            (String(repeating: "9", count: 1_025), "ERR-TT-307"),
            (String(repeating: "9", count: 100_000), "ERR-TT-307"),
        ]
    )
    func `a PIN that is short, listed, malformed or endless is refused, new and changed`(
        secret: String,
        code: String
    ) throws {
        try expectRefusal(Box(), ["init"], code, 2, giving: [secret])
        let box = try Box.withVault()
        let refused = try box.run(["pin", "change"], [Box.pin, secret])
        #expect(refused.exitCode == 2 && refused.standardError.contains(code), "\(refused)")
        try box.run(["unlock"], [Box.pin]).succeeding()
    }

    @Test(
        arguments: [
            ("ozone drill grab fiber curtain grace pudding thank cruise elder eight piknic", "ERR-TT-313"),
            ("ozone drill grab fiber curtain grace pudding thank cruise elder eight ozone", "ERR-TT-314"),
            ("ozone drill grab", "ERR-TT-315"), ("", "ERR-TT-315"),
            (String(repeating: "ozone ", count: 1_000), "ERR-TT-315"),
        ]
    )
    func `a mnemonic with a wrong word, checksum or length is refused, and no word is repeated`(
        mnemonic: String,
        code: String
    ) throws {
        let box = try Box.withVault()
        let refused = try box.run(["wallet", "import", "Savings"], [Box.pin, mnemonic])
        #expect(refused.exitCode == 2 && refused.standardError.contains(code), "\(refused)")
        #expect(!refused.standardError.contains("ozone") && !refused.standardError.contains("piknic"))
        #expect(try box.json(["status"])["walletCount"] as? Int == 0)
    }

    @Test(
        arguments: [
            (["wallet", "import", "K", "--private-key"], "00", "ERR-TT-316"),
            (["wallet", "import", "K", "--private-key"], String(repeating: "0", count: 64), "ERR-TT-316"),
            (["wallet", "import", "K", "--opaque"], "", "ERR-TT-317"),
            (["wallet", "import", "K", "--opaque"], String(repeating: "x", count: 1 << 20 | 1), "ERR-TT-317"),
        ]
    )
    func `another secret of the wrong size is refused, and nothing is stored`(
        words: [String],
        secret: String,
        code: String
    ) throws {
        let box = try Box.withVault()
        let refused = try box.run(words, [Box.pin, secret])
        #expect(refused.exitCode == 2 && refused.standardError.contains(code), "\(refused)")
        #expect(try box.json(["status"])["walletCount"] as? Int == 0)
    }

    @Test(arguments: ["a\u{7}b", "", " a", "a\nb", "\u{202E}evil", String(repeating: "n", count: 10_240)])
    func `a name with control characters, or of 10 KB, is refused, and nothing is changed`(name: String) throws {
        let box = try Box.withVault()
        try expectRefusal(box, ["wallet", "create", "--", name], "ERR-TT-310", 2, giving: [Box.pin])
        try expectRefusal(box, ["wallet", "import", "--", name], "ERR-TT-310", 2, giving: [Box.pin, Box.mnemonic])
        try expectRefusal(box, ["wallet", "rename", "--", "A", name], "ERR-TT-310", 2, giving: [Box.pin])
        #expect(try box.run(["wallet", "show", "--", name], [Box.pin]).standardError.contains("ERR-TT-310"))
    }

    @Test func `closed standard input, and a descriptor that ends early or is not open, change nothing`() throws {
        let box = try Box.withVault()
        let before = box.contents()
        for script in ["\"$0\" unlock <&-", "\"$0\" unlock --secret-fd 0 <&-", "\"$0\" unlock </dev/null"] {
            let refused = try box.shell(script)
            #expect(refused.exitCode == 2 && refused.standardError.contains("ERR-TT-302"), "\(refused)")
        }
        #expect(box.contents() == before)
        try expectRefusal(box, ["unlock", "--secret-fd", "9"], "ERR-TT-302", 2)
        try expectRefusal(box, ["unlock"], "ERR-TT-302", 2, giving: [])
        let half = try box.run(["pin", "change"], [Box.pin])
        #expect(half.exitCode == 2 && half.standardError.contains("ERR-TT-302"))
        try box.run(["unlock"], [Box.pin]).succeeding()
    }

    @Test func `output that cannot be written is no success`() throws {
        let box = try Box.withVault()
        try #require(FileManager.default.fileExists(atPath: "/dev/full"))
        #expect(try box.shell("\"$0\" status >/dev/full").exitCode == 3)
        #expect(try box.shell("\"$0\" status >&-").exitCode == 3)
    }

    @Test func `a vault of a newer format is refused, and left as it is`() throws {
        let box = try Box.withVault()
        // The user version of an SQLite file: four bytes at 60.
        var bytes = Folders.contents(of: box.database)
        bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
        try box.replace(box.database, bytes)
        try expectRefusal(box, ["status"], "ERR-TT-203", 3)
        try expectRefusal(box, ["unlock"], "ERR-TT-203", 3, giving: [Box.pin])
        #expect(try box.run(["init"], [Box.pin]).exitCode == 3)
    }

    @Test(.holds("A40"), arguments: [0, 1, 100, 4_096, 20_000])
    func `a truncated vault is damage, and never no vault`(length: Int) throws {
        let box = try Box.withVault()
        try #require(unsafe truncate(box.database, off_t(length)) == 0)
        try expectRefusal(box, ["status"], "ERR-TT-204", 4)
        try expectRefusal(box, ["unlock"], "ERR-TT-204", 4, giving: [Box.pin])
    }

    @Test func `a vault with any bit flipped opens with all its secrets, or says that it is damaged`() throws {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic])
        let before = box.contents()
        let bytes = try #require(before[box.database])
        var (openings, refusals) = (0, 0)
        for position in stride(from: 17, to: bytes.count, by: bytes.count / 40) {
            // The device goes back too, else its anchor would see a rollback and nothing else.
            for (path, contents) in before { try box.replace(path, contents) }
            var changed = bytes
            changed[position] ^= 0x10
            try box.replace(box.database, changed)
            let exported = try box.run(["wallet", "export", "Savings"], [Box.pin])
            if exported.exitCode == 0 {
                openings += 1
                #expect(exported.standardOutput == Box.mnemonic + "\n")
            } else {
                refusals += 1
                #expect((1...4).contains(exported.exitCode), "\(position): \(exported)")
                #expect(exported.standardError.hasPrefix("thumbturn: error: ERR-"), "\(position): \(exported)")
                #expect(exported.standardOutput.isEmpty)
            }
        }
        #expect(openings > 0 && refusals > 0)
    }

    @Test func `a backup that is too large is refused before anything is asked`() throws {
        let box = try Box()
        try expectRefusal(box, ["restore", box.folder + "/none"], "ERR-TT-201", 3)
        try Folders.write([0], to: box.folder + "/backup")
        try #require(unsafe truncate(box.folder + "/backup", off_t(1 << 32) + 1) == 0)
        let refused = try box.run(["restore", box.folder + "/backup"], nil)
        #expect(refused.exitCode == 2 && refused.standardError.contains("ERR-TT-325"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: box.vault))
    }

    @Test func `a file that is no vault is called damaged`() throws {
        let box = try Box.withVault()
        try box.replace(box.database, Array("a letter to a friend, and not a vault at all".utf8))
        try expectRefusal(box, ["status"], "ERR-TT-204", 4)
    }

    @Test(arguments: [0o644, 0o660])
    func `a vault's file that others may read is refused before it is read`(mode: Int) throws {
        let box = try Box.withVault()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: box.database)
        try expectRefusal(box, ["status"], "ERR-TT-205", 3)
    }

    @Test func `a vault's folder that others may enter is refused before it is read`() throws {
        let box = try Box.withVault()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: box.vault)
        try expectRefusal(box, ["unlock"], "ERR-TT-205", 3, giving: [Box.pin])
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser gives files away"))
    func `a vault of another owner is refused before it is read`() throws {
        let box = try Box.withVault()
        try #require(unsafe chown(box.database, 12_345, 12_345) == 0)
        try expectRefusal(box, ["status"], "ERR-TT-205", 3)
        try #require(unsafe chown(box.database, 0, 0) == 0)
        try #require(unsafe chown(box.vault, 12_345, 12_345) == 0)
        try expectRefusal(box, ["status"], "ERR-TT-205", 3)
    }

    @Test func `what is wrong with a vault's storage is said in plain words, with what mends it`() throws {
        let box = try Box.withVault()
        func mode(_ mode: Int, _ path: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        func status(_ locale: String = "en_US.UTF-8") throws -> String {
            let said = try box.run(["status"], nil, ["LANG": locale]).standardError
            // Of the database below, nobody has heard.
            for word in ["SQL", "unsafeFile", "ioError", "cannotOpen", "readOnly", "errno"] {
                #expect(!said.contains(word), "\(said)")
            }
            return said
        }
        try mode(0o755, box.vault)
        #expect(try status().contains("others can enter its folder"))
        #expect(try status().contains("hint: close it to others: `chmod 700`"))
        #expect(try status("fr_FR.UTF-8").contains("`chmod 700` sur le dossier"))
        try mode(0o700, box.vault)
        try mode(0o644, box.database)
        #expect(try status().contains("others can open one of its files"))
        #expect(try status().contains("`chmod 600`"))
        try mode(0o600, box.database)

        let whole = Folders.contents(of: box.database)
        var changed = whole
        changed[18] = 7  // the version that a writer needs
        try box.replace(box.database, changed)
        let damaged = "thumbturn: error: ERR-TT-204 This file is damaged, or is not a vault.\n"
        #expect(try status().hasPrefix(damaged + "hint: what is intact in it opens with the recovery key"))
        try box.replace(box.database, whole)
        try FileManager.default.linkItem(atPath: box.database, toPath: box.folder + "/second")
        #expect(try status().contains("a second name"))
        let misnamed = try box.run(["status", "--vault", box.database]).standardError
        #expect(misnamed.contains("there is a file in place of the folder"))
        _ = unsafe unlink(box.folder + "/second")
        try box.run(["status"]).succeeding()
    }

    @Test func `a folder that can't be read is no missing vault`() throws {
        let box = try Box.withVault()
        try expectRefusal(box, ["status", "--vault", box.database], "ERR-TT-206", 3)
        try expectRefusal(box, ["status", "--vault", box.database + "/deeper"], "ERR-TT-206", 3)
        try expectRefusal(box, ["init", "--vault", box.folder + "/no/such/parent"], "ERR-TT-206", 3, giving: [Box.pin])
    }

    @Test(.holds("S-07", "A61")) func `nothing is erased without the word`() throws {
        let box = try Box.withVault()
        for word in ["", "reset", "RESET ", "yes"] {
            try expectRefusal(box, ["reset"], "ERR-TT-318", 1, giving: [word])
        }
        try expectRefusal(box, ["reset"], "ERR-TT-302", 2)
    }
}
