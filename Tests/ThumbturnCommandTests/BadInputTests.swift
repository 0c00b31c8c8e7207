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

    @Test func `an unknown command or option`() throws {
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
    func `a missing vault`(words: [String]) throws {
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
        try box.run(["unlock"], [Box.pin]).succeeding()
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

    @Test(.holds("A8")) func `an old copy of the vault is a rollback, told in the status, and waits the longest`()
        throws
    {
        let box = try Box.withVault()
        let old = Folders.contents(of: box.database)
        #expect(try box.run(["unlock"], [Box.wrongPIN]).exitCode == 1)
        try replace(box.database, old)
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
        try replace(box.database, old)
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
        #expect(!unchanged.standardError.contains("counts"), "\(unchanged)")
        let mistyped = try box.run(["unlock", "--accept-older-copy"], [Box.pin, "older"])
        #expect(mistyped.exitCode == 1 && mistyped.standardError.contains("ERR-TT-318"), "\(mistyped)")
        #expect(mistyped.standardError.contains("nothing was changed.\n") && !mistyped.standardError.contains("erased"))
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
        try replace(box.database, old)
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
        #expect(changed.exitCode == 0 && changed.standardError.contains("open with the recovery key alone"))
        #expect(!changed.standardError.contains("there is no recovery key"))
        try replace(box.database, old)
        for pin in [Box.pin, "840275"] {
            let refused = try box.run(["unlock"], [pin])
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-209"), "\(refused)")
            let hint = "from before the PIN was changed: open the vault with its recovery key"
            #expect(refused.standardError.contains(hint), "\(refused)")
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
        try replace(box.database, old)
        let refused = try box.run(["unlock"], [""]).standardError
        #expect(refused.contains("ERR-107-050") && refused.contains("the PIN opens in "))
        #expect(!refused.contains("unlock with your PIN"))
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
        #expect(try status().contains("others may enter its folder"))
        #expect(try status().contains("hint: close it to others: `chmod 700`"))
        #expect(try status("fr_FR.UTF-8").contains("`chmod 700` sur le dossier"))
        try mode(0o700, box.vault)
        try mode(0o644, box.database)
        #expect(try status().contains("others may open a file of it"))
        #expect(try status().contains("`chmod 600`"))
        try mode(0o600, box.database)

        let whole = Folders.contents(of: box.database)
        var changed = whole
        changed[18] = 7  // the version that a writer needs
        try replace(box.database, changed)
        let damaged = "thumbturn: error: ERR-TT-204 This file is damaged, or is not a vault.\n"
        #expect(try status().hasPrefix(damaged + "hint: what is whole in it opens with the recovery key"))
        try replace(box.database, whole)
        try FileManager.default.linkItem(atPath: box.database, toPath: box.folder + "/second")
        #expect(try status().contains("a second name"))
        let misnamed = try box.run(["status", "--vault", box.database]).standardError
        #expect(misnamed.contains("a file lies in the folder's place"))
        _ = unsafe unlink(box.folder + "/second")
        try box.run(["status"]).succeeding()
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
        try box.shell("mkdir \(disk) && mount -t tmpfs -o size=512k none \(disk)").succeeding()
        defer { _ = try? box.shell("umount \(disk)") }
        let vault = ["--vault", disk + "/vault"]
        try box.run(vault + ["init"], [Box.pin]).succeeding()
        try Folders.write([UInt8](repeating: 0, count: 200_000), to: disk + "/filler")
        let big = String(repeating: "x", count: 300_000)
        let refused = try box.run(vault + ["wallet", "import", "Big", "--opaque"], [Box.pin, big])
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-207"), "\(refused)")
        #expect(try box.json(vault + ["status"])["walletCount"] as? Int == 0)
        try box.run(vault + ["wallet", "import", "Small", "--opaque"], [Box.pin, "x"]).succeeding()
        #expect(unsafe unlink(disk + "/filler") == 0)
        #expect(try box.run(vault + ["wallet", "export", "Small"], [Box.pin]).standardOutput == "x")
    }

    @Test(.holds("A19"), .enabled(if: geteuid() == 0, "only the superuser mounts a small disk"))
    func `however little room a disk has, the right PIN is not counted`() throws {
        let box = try Box()
        let disk = box.folder + "/disk"
        try box.shell("mkdir \(disk) && mount -t tmpfs -o size=512k none \(disk)").succeeding()
        defer { _ = try? box.shell("umount \(disk)") }
        let vault = ["--vault", disk + "/vault"]
        try box.run(vault + ["init"], [Box.pin]).succeeding()
        let said = try box.shell("df --output=avail -B1 \(disk) | tail -1").standardOutput
        let free = try #require(Int(said.trimmingCharacters(in: .whitespacesAndNewlines)))
        try #require(free > 150_000)
        var (opened, refused) = (0, 0)
        for pages in 0..<28 {
            try Folders.write([UInt8](repeating: 0, count: free - pages * 4_096), to: disk + "/filler")
            let ended = try box.run(vault + ["unlock"], [Box.pin])
            #expect(unsafe unlink(disk + "/filler") == 0)
            if ended.exitCode == 0 {
                opened += 1
            } else {
                refused += 1
                #expect(ended.exitCode == 3 && ended.standardError.contains("ERR-TT-207"), "\(pages): \(ended)")
            }
            let attempts = try #require(box.json(vault + ["status"])["attempts"] as? [String: Any])
            #expect(attempts["failures"] as? Int == 0, "\(pages) pages were free")
        }
        #expect(opened > 2 && refused > 2)
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
        try box.run(["unlock"], [Box.pin]).succeeding()
    }

    @Test(arguments: [4, 5, 8, 16, 24, 64])
    func `however few files may be open, a command ends with an answer or an error`(limit: Int) throws {
        let box = try Box.withVault()
        for words in ["--version", "status", "help"] {
            let ended = try box.shell("ulimit -n \(limit); \"$0\" --device simulated \(words)")
            if words == "status" {
                try expectShortage(ended, enough: limit == 64)
            } else {
                #expect(ended.exitCode == 0 && !ended.standardOutput.isEmpty, "\(ended)")
            }
        }
    }

    #if os(Linux)
    @Test(.enabled(if: geteuid() == 0, "only the superuser becomes a user without processes"))
    func `however few threads there are, a command ends with an answer or an error`() throws {
        let box = try Box()
        // Another user has no way into the box, nor into wherever the tests keep their temporary files.
        let made = try box.shell("folder=$(mktemp -d /tmp/thumbturn-user.XXXXXX); chmod 755 $folder; echo $folder")
        let folder = made.standardOutput.trimmingCharacters(in: .newlines)
        try #require(made.exitCode == 0 && folder.hasPrefix("/tmp/thumbturn-user."))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (tool, home, user) = (folder + "/thumbturn", folder + "/home", UInt32(54_321))
        // By another process: what is still open for writing in a child of this one could not be run.
        try box.shell("cp \"$0\" \(tool) && chmod 755 \(tool)").succeeding()
        try #require(unsafe mkdir(home, 0o700) == 0 && chown(home, user, user) == 0)
        // The last is more than any number of processors asks for.
        for limit in [1, 2, 3, 4, 5, 6, 8, 12, 80] {
            for words in ["--version", "doctor"] {
                let ended = try box.shell(
                    "export HOME=\(home) XDG_DATA_HOME= XDG_STATE_HOME=; exec timeout 60 setpriv --reuid \(user) "
                        + "--regid \(user) --clear-groups prlimit --nproc=\(limit) \(tool) --device simulated \(words)"
                )
                if words == "doctor" {
                    try expectShortage(ended, enough: limit == 80 ? true : limit > 4 ? nil : false)
                } else {
                    #expect(ended.exitCode == 0 && !ended.standardOutput.isEmpty, "\(ended)")
                }
            }
        }
    }
    #endif

    /// An answer of a command that has enough to begin, and else what it is short of.
    ///
    /// - Parameter enough: whether it has; nil where that depends on the machine.
    private func expectShortage(_ ended: ChildProcess, enough: Bool?) throws {
        if enough ?? (ended.exitCode == 0) {
            #expect(ended.exitCode == 0 && !ended.standardOutput.isEmpty, "\(ended)")
        } else {
            #expect(ended.exitCode == 3 && ended.standardError.contains("ERR-TT-206"), "\(ended)")
            #expect(ended.standardError.contains("hint: raise `ulimit"), "\(ended)")
        }
    }

    @Test(.holds("S-07", "A61")) func `nothing is erased without the word`() throws {
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
