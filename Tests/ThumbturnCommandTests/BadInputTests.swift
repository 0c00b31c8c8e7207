import Foundation
import Testing

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

    @Test func `an unknown command or option`() throws {
        let box = try Box()
        try expectRefusal(box, ["frobnicate"], "ERR-TT-301", 2)
        try expectRefusal(box, ["status", "--frobnicate"], "ERR-TT-301", 2)
        try expectRefusal(box, [], "ERR-TT-301", 2)
        try expectRefusal(box, ["--device", "android", "status"], "ERR-TT-301", 2)
        try expectRefusal(box, ["--require", "software", "status"], "ERR-TT-301", 2)
    }

    @Test(
        arguments: [
            ["status"], ["unlock"], ["reset"], ["pin", "change"], ["biometrics", "enable"], ["wallet", "list"],
            ["recovery", "create"], ["backup", "/nowhere/file"],
        ]
    )
    func `a missing vault`(words: [String]) throws {
        try expectRefusal(Box(), words, "ERR-TT-201", 3, giving: [Box.pin])
    }

    @Test(
        arguments: [
            ("12345", "ERR-TT-303"), ("", "ERR-TT-303"), ("short", "ERR-TT-303"), ("123456", "ERR-TT-304"),
            ("000000", "ERR-TT-304"), ("password1", "ERR-TT-304"), ("a\u{7}longer secret", "ERR-TT-307"),
            (String(repeating: "9", count: 1_025), "ERR-TT-307"),
            (String(repeating: "9", count: 100_000), "ERR-TT-307"),
        ]
    )
    func `A59: a PIN that is short, listed, malformed or endless is refused, new and changed`(
        secret: String,
        code: String
    ) throws {
        try expectRefusal(Box(), ["init"], code, 2, giving: [secret])
        let box = try Box.withVault()
        let refused = try box.run(["pin", "change"], [Box.pin, secret])
        #expect(refused.exitCode == 2 && refused.standardError.contains(code), "\(refused)")
        #expect(try box.run(["unlock"], [Box.pin]).exitCode == 0)
    }

    @Test(
        arguments: [
            ("ozone drill grab fiber curtain grace pudding thank cruise elder eight piknic", "ERR-TT-313"),
            ("ozone drill grab fiber curtain grace pudding thank cruise elder eight ozone", "ERR-TT-314"),
            ("ozone drill grab", "ERR-TT-315"), ("", "ERR-TT-315"),
            (String(repeating: "ozone ", count: 1_000), "ERR-TT-315"),
        ]
    )
    func `a mnemonic with a wrong word, checksum or length`(mnemonic: String, code: String) throws {
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
    func `another secret of the wrong size`(words: [String], secret: String, code: String) throws {
        let box = try Box.withVault()
        let refused = try box.run(words, [Box.pin, secret])
        #expect(refused.exitCode == 2 && refused.standardError.contains(code), "\(refused)")
        #expect(try box.json(["status"])["walletCount"] as? Int == 0)
    }

    @Test(arguments: ["a\u{7}b", "", " a", "a\nb", "\u{202E}evil", String(repeating: "n", count: 10_240)])
    func `a name with control characters, or of 10 KB`(name: String) throws {
        let box = try Box.withVault()
        try expectRefusal(box, ["wallet", "create", "--", name], "ERR-TT-310", 2, giving: [Box.pin])
        try expectRefusal(box, ["wallet", "import", "--", name], "ERR-TT-310", 2, giving: [Box.pin, Box.mnemonic])
        try expectRefusal(box, ["wallet", "rename", "--", "A", name], "ERR-TT-310", 2, giving: [Box.pin])
        #expect(try box.run(["wallet", "show", "--", name], [Box.pin]).standardError.contains("ERR-TT-310"))
    }

    @Test func `closed standard input, and a descriptor that ends early or is not open`() throws {
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
        #expect(try box.run(["unlock"], [Box.pin]).exitCode == 0)
    }

    @Test func `output that cannot be written is no success`() throws {
        let box = try Box.withVault()
        try #require(FileManager.default.fileExists(atPath: "/dev/full"))
        #expect(try box.shell("\"$0\" status >/dev/full").exitCode == 3)
        #expect(try box.shell("\"$0\" status >&-").exitCode == 3)
    }

    @Test func `a vault of a newer format`() throws {
        let box = try Box.withVault()
        // The user version of an SQLite file: four bytes at 60.
        try patch(box.database, at: 60, [0, 0, 0, 99])
        try expectRefusal(box, ["status"], "ERR-TT-203", 3)
        try expectRefusal(box, ["unlock"], "ERR-TT-203", 3, giving: [Box.pin])
        #expect(try box.run(["init"], [Box.pin]).exitCode == 3)
    }

    @Test(arguments: [0, 1, 100, 4_096, 20_000])
    func `a truncated vault`(length: Int) throws {
        let box = try Box.withVault()
        try #require(unsafe truncate(box.database, off_t(length)) == 0)
        let refused = try box.run(["unlock"], [Box.pin])
        #expect([3, 4].contains(refused.exitCode), "\(refused)")
        #expect(refused.standardError.hasPrefix("thumbturn: error: ERR-TT-20"), "\(refused)")
    }

    @Test func `a vault with any bit flipped opens with all its secrets, or says that it is damaged`() throws {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic])
        let before = box.contents()
        let bytes = try #require(before[box.database])
        var (openings, refusals) = (0, 0)
        for position in stride(from: 17, to: bytes.count, by: bytes.count / 40) {
            // The device goes back too, else its anchor would see a rollback and nothing else.
            for (path, contents) in before { try replace(path, contents) }
            var changed = bytes
            changed[position] ^= 0x10
            try replace(box.database, changed)
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

    @Test func `A8: an old copy of the vault is a rollback, told in the status, and waits the longest`() throws {
        let box = try Box.withVault()
        let old = Folders.contents(of: box.database)
        #expect(try box.run(["unlock"], [Box.wrongPIN]).exitCode == 1)
        try replace(box.database, old)
        let status = try box.json(["status"])
        #expect((status["warnings"] as? [String])?.contains("ledgerUnreliable") == true)
        #expect(try box.run(["unlock"], [Box.pin]).standardError.contains("ERR-TT-102"))
        try box.run(["simulate", "advance", "25h"])
        #expect(try box.run(["unlock"], [Box.pin]).exitCode == 0)
    }

    @Test func `a file that is no vault`() throws {
        let box = try Box.withVault()
        try replace(box.database, Array("a letter to a friend, and not a vault at all".utf8))
        try expectRefusal(box, ["status"], "ERR-TT-204", 4)
    }

    @Test(arguments: [0o644, 0o660])
    func `a vault's file that others may read`(mode: Int) throws {
        let box = try Box.withVault()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: box.database)
        try expectRefusal(box, ["status"], "ERR-TT-205", 3)
    }

    @Test func `a vault's folder that others may enter`() throws {
        let box = try Box.withVault()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: box.vault)
        try expectRefusal(box, ["unlock"], "ERR-TT-205", 3, giving: [Box.pin])
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser gives files away"))
    func `a vault of another owner`() throws {
        let box = try Box.withVault()
        try #require(unsafe chown(box.database, 12_345, 12_345) == 0)
        try expectRefusal(box, ["status"], "ERR-TT-205", 3)
        try #require(unsafe chown(box.database, 0, 0) == 0)
        try #require(unsafe chown(box.vault, 12_345, 12_345) == 0)
        try expectRefusal(box, ["status"], "ERR-TT-205", 3)
    }

    @Test func `a folder that cannot be read`() throws {
        let box = try Box.withVault()
        try expectRefusal(box, ["status", "--vault", box.database], "ERR-TT-206", 3)
        try expectRefusal(box, ["status", "--vault", box.database + "/deeper"], "ERR-TT-206", 3)
        try expectRefusal(box, ["init", "--vault", box.folder + "/no/such/parent"], "ERR-TT-206", 3, giving: [Box.pin])
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser mounts a small disk"))
    func `a full disk`() throws {
        let box = try Box()
        let disk = box.folder + "/disk"
        try #require(try box.shell("mkdir \(disk) && mount -t tmpfs -o size=512k none \(disk)").exitCode == 0)
        defer { _ = try? box.shell("umount \(disk)") }
        let vault = ["--vault", disk + "/vault"]
        #expect(try box.run(vault + ["init"], [Box.pin]).exitCode == 0)
        try Folders.write([UInt8](repeating: 0, count: 200_000), to: disk + "/filler")
        let big = String(repeating: "x", count: 300_000)
        let refused = try box.run(vault + ["wallet", "import", "Big", "--opaque"], [Box.pin, big])
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-207"), "\(refused)")
        #expect(try box.json(vault + ["status"])["walletCount"] as? Int == 0)
        #expect(try box.run(vault + ["wallet", "import", "Small", "--opaque"], [Box.pin, "x"]).exitCode == 0)
        #expect(unsafe unlink(disk + "/filler") == 0)
        #expect(try box.run(vault + ["wallet", "export", "Small"], [Box.pin]).standardOutput == "x")
    }

    @Test func `a limit on the size of files`() throws {
        let box = try Box.withVault()
        // In blocks of 512 bytes: 64 KiB.
        let refused = try box.shell(
            "ulimit -f 128; (echo \(Box.pin); head -c 300000 /dev/zero | tr '\\0' x; echo) "
                + "| \"$0\" wallet import Big --opaque --secret-fd 0"
        )
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-20"), "\(refused)")
        #expect(try box.json(["status"])["walletCount"] as? Int == 0)
        #expect(try box.run(["unlock"], [Box.pin]).exitCode == 0)
    }

    @Test func `S-07, A61: nothing is erased without the word`() throws {
        let box = try Box.withVault()
        for word in ["", "reset", "RESET ", "yes"] {
            try expectRefusal(box, ["reset"], "ERR-TT-318", 1, giving: [word])
        }
        try expectRefusal(box, ["reset"], "ERR-TT-302", 2)
    }

    private func patch(_ path: String, at offset: Int, _ new: [UInt8]) throws {
        var bytes = Folders.contents(of: path)
        bytes.replaceSubrange(offset..<offset + new.count, with: new)
        try replace(path, bytes)
    }

    private func replace(_ path: String, _ bytes: [UInt8]) throws {
        try #require(unsafe unlink(path) == 0)
        try Folders.write(bytes, to: path)
    }
}
