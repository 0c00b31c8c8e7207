import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// `migrate legacy`, with what the real `openssl` command sealed.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "there is no openssl command here")
)
struct MigrateCommandTests {
    private static let formerPIN = "615283"
    private static let badMnemonic = "ozone drill grab fiber curtain grace pudding thank cruise elder eight ozone"

    /// Seals words into a file of the box.
    private func seal(
        _ words: String = Box.mnemonic,
        under pin: String = formerPIN,
        as name: String = "savings.enc",
        _ options: String = "-a",
        in box: Box
    ) throws -> String {
        let file = box.folder + "/" + name
        let sealed = try box.shell(
            "printf '%s\\n' '\(words)' | /usr/bin/openssl enc -aes-256-cbc -md md5 -salt \(options) -pass pass:\(pin) "
                + "-out '\(file)' 2>/dev/null"
        )
        try #require(sealed.exitCode == 0, "\(sealed)")
        return file
    }

    private func exists(_ path: String) -> Bool { !Folders.isAbsent(path) }

    /// Expects a refusal that leaves file, vault and device as they were.
    private func expectRefusal(
        _ box: Box,
        _ file: String,
        _ code: String,
        _ exitCode: Int32,
        giving secrets: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for option in [[], ["--dry-run"]] {
            let before = box.contents()
            let refused = try box.run(["migrate", "legacy", file] + option, secrets)
            #expect(refused.exitCode == exitCode, "\(refused)", sourceLocation: sourceLocation)
            #expect(refused.standardError.contains(code), "\(refused)", sourceLocation: sourceLocation)
            #expect(refused.standardError.contains("hint: "), "\(refused)", sourceLocation: sourceLocation)
            #expect(refused.standardOutput.isEmpty, sourceLocation: sourceLocation)
            #expect(box.contents() == before, "something was changed", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [
        "\u{FEFF}\(Box.mnemonic)", "\(Box.mnemonic)\u{A0}", Box.mnemonic.replacing(" ", with: "\u{3000}"),
    ])
    func `words that an editor or a keyboard spaced otherwise are read, and their PIN is not called wrong`(
        words: String
    ) throws {
        let box = try Box()
        let file = try seal(words, in: box)
        // And so is the file around them.
        let sealed = "\u{FEFF}" + String(decoding: Folders.contents(of: file), as: UTF8.self) + "\u{A0}"
        try Data(sealed.utf8).write(to: URL(fileURLWithPath: file))
        try box.run(["migrate", "legacy", file], [Self.formerPIN]).succeeding()
        let exported = try box.run(["wallet", "export", "savings"], [Self.formerPIN])
        #expect(exported.standardOutput == Box.mnemonic + "\n", "\(exported)")
    }

    @Test(.holds("K-06")) func `a file becomes a vault that its PIN opens, and is erased`() throws {
        let box = try Box()
        let file = try seal(in: box)
        try Transcript.play(
            """
            $ migrate legacy BOX/savings.enc --dry-run
            3< 615283
            openssl, 12 words: the PIN is right.
            It would make the vault BOX/data/thumbturn/vault, with the wallet savings.
            Then the file would be erased. Nothing was changed.
            $ status
            2> thumbturn: error: ERR-TT-201 There is no vault here.
            2> hint: make a vault with `thumbturn --device simulated init`, or get one back with `thumbturn --device simulated restore BACKUP`
            = 3
            $ migrate legacy BOX/savings.enc
            3< 615283
            Imported: savings.
            The file is erased.
            $ wallet export savings
            3< 615283
            \(Box.mnemonic)
            $ migrate legacy BOX/savings.enc
            3< 615283
            2> thumbturn: error: ERR-TT-213 There is nothing here to import.
            2> hint: correct the input and try again; nothing was changed
            = 3
            """,
            in: box
        )
        #expect(!exists(file))
    }

    @Test(.holds("K-06"), arguments: ["-a", "-a -A", ""])
    func `it comes into the vault that there is, in every form that openssl writes`(form: String) throws {
        let box = try Box.withVault()
        _ = try seal(as: "a file.bin", form, in: box)
        let before = box.contents()
        let words = ["migrate", "legacy", box.folder + "/a file.bin"]
        let rehearsed = try box.json(words + ["--dry-run"], [Box.pin, Self.formerPIN])
        #expect(rehearsed["dryRun"] as? Bool == true && rehearsed["makesVault"] as? Bool == false)
        #expect(rehearsed["format"] as? String == "openssl" && rehearsed["words"] as? Int == 12)
        #expect(box.contents() == before)
        let taken = try box.json(words, [Box.pin, Self.formerPIN])
        #expect(taken["name"] as? String == "a file" && taken["erased"] as? Bool == true)
        #expect(!exists(words[2]))
        #expect(try box.run(["wallet", "export", "a file"], [Box.pin]).standardOutput == Box.mnemonic + "\n")
    }

    @Test func `a finger opens the vault, and the lines are the same; one line stands for both`() throws {
        let box = try Box.withVault("--biometrics")
        try box.run(["simulate", "finger", "match"])
        let first = try box.run(["migrate", "legacy", seal(in: box)], ["", Self.formerPIN])
        #expect(first.exitCode == 0, "\(first)")
        let file = try seal(FormerApp.words, under: Box.pin, as: "two.enc", in: box)
        let second = try box.run(["migrate", "legacy", file], [Box.pin])
        #expect(second.exitCode == 0, "\(second)")
        #expect(try box.json(["status"])["walletCount"] as? Int == 2)
    }

    @Test(
        .holds("K-06"),
        arguments: ["version 1, 24 words", "version 2, 15 words", "version 2, salt decoded", "18 words, a password"]
    )
    func `what wallet apps sealed is taken over too`(id: String) throws {
        let (box, sample) = (try Box(), try LegacySample.named(id))
        try Folders.write(sample.bytes, to: box.folder + "/wallet")
        let taken = try box.run(["migrate", "legacy", box.folder + "/wallet"], [sample.pin])
        #expect(taken.exitCode == 0, "\(taken)")
        try box.run(["wallet", "export", "wallet"], [sample.pin]).succeeding()
    }

    @Test(.holds("A59")) func `a PIN that a vault refuses opens the file, and another one has to follow`() throws {
        let (box, sample) = (try Box(), try LegacySample.named("21 words, four digits"))
        let file = box.folder + "/wallet"
        try Folders.write(sample.bytes, to: file)
        let rehearsed = try box.json(["migrate", "legacy", file, "--dry-run"], [sample.pin])
        #expect(rehearsed["needsNewPIN"] as? Bool == true)
        let before = box.contents()
        for (secrets, code) in [([sample.pin], "ERR-TT-303"), ([sample.pin, "123456"], "ERR-TT-304")] {
            let refused = try box.run(["migrate", "legacy", file], secrets)
            #expect(refused.exitCode == 2 && refused.standardError.contains(code), "\(refused)")
            #expect(box.contents() == before)
        }
        try box.run(["migrate", "legacy", file], [sample.pin, Box.pin]).succeeding()
        try box.run(["unlock"], [Box.pin]).succeeding()
    }

    @Test(arguments: [false, true])
    func `bad input is told with its code, and file and vault are as before`(hasVault: Bool) throws {
        let box = try hasVault ? Box.withVault() : Box()
        let lines = (hasVault ? [Box.pin] : []) + [Self.formerPIN]
        let good = try seal(in: box)
        let sealed = Folders.contents(of: good)
        let bad: [(name: String, bytes: [UInt8], code: String)] = [
            ("empty", [], "ERR-TT-321"),
            ("letter", Array("a letter to a friend\n".utf8), "ERR-TT-321"),
            ("picture", [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A, 0], "ERR-TT-321"),
            ("bare", Array(Box.mnemonic.utf8), "ERR-TT-321"),
            ("zeros", [UInt8](repeating: 0, count: 1_000), "ERR-TT-321"),
            ("cut", Array(sealed.dropLast(24)), "ERR-TT-321"),
            ("short", Array(sealed.prefix(15)), "ERR-TT-321"),
            ("version", Array(#"{"cipher":"AAAA","iv":"00","salt":"00","version":9}"#.utf8), "ERR-TT-322"),
            ("vault", Array("SQLite format 3\0".utf8), "ERR-TT-321"),
        ]
        for (name, bytes, code) in bad {
            try Folders.write(bytes, to: box.folder + "/" + name)
            try expectRefusal(box, box.folder + "/" + name, code, 2, giving: lines)
        }
        try expectRefusal(box, good, "ERR-TT-323", 1, giving: lines.dropLast() + ["000001"])
        try expectRefusal(box, good, "ERR-TT-323", 1, giving: lines.dropLast() + [""])
        let checksum = try seal(Self.badMnemonic, as: "checksum", in: box)
        try expectRefusal(box, checksum, "ERR-TT-324", 4, giving: lines)
        try expectRefusal(box, box.folder + "/nothing", "ERR-TT-213", 3, giving: lines)
        #expect(try box.run(["migrate", "legacy", good], []).standardError.contains("ERR-TT-302"))
        #expect(try box.run(["migrate", "legacy", good]).standardError.contains("ERR-TT-302"))
        #expect(try box.run(["--device", "files", "migrate", "legacy"], lines).exitCode == 2)
        #expect(Folders.contents(of: good) == sealed)
    }

    @Test(arguments: [
        (#""\#(Box.mnemonic)""#, "a JSON string"), (#"{"mnemonic":"\#(Box.mnemonic)"}"#, "a JSON object"),
        (#"["ozone","drill"]"#, "a JSON list"), ("abaisser abandon abdiquer", "3 words, not all"),
        (String(repeating: "4f", count: 32), "hexadecimal digits"),
    ])
    func `the right PIN and something else inside is told as that, and comes in as it is with --opaque`(
        inside: String,
        told: String
    ) throws {
        for hasVault in [false, true] {
            let box = try hasVault ? Box.withVault() : Box()
            let lines = (hasVault ? [Box.pin] : []) + [Self.formerPIN]
            let file = try seal(inside, in: box)
            try expectRefusal(box, file, "ERR-TT-326", 4, giving: lines)
            let refused = try box.run(["migrate", "legacy", file], lines).standardError
            #expect(refused.contains(told) && refused.contains("--opaque"), "\(refused)")
            #expect(!refused.contains("does not open"), "\(refused)")
            let wrong = try box.run(["migrate", "legacy", file, "--opaque"], lines.dropLast() + ["000001"])
            #expect(wrong.exitCode == 1 && wrong.standardError.contains("ERR-TT-323"), "\(wrong)")
            let tried = try box.run(["migrate", "legacy", file, "--opaque", "--dry-run"], lines)
            #expect(tried.standardOutput.contains("\(inside.utf8.count + 1) bytes: the PIN is right"), "\(tried)")
            try box.run(["migrate", "legacy", file, "--opaque", "--name", "Other"], lines).succeeding()
            #expect(!exists(file))
            let pin = hasVault ? Box.pin : Self.formerPIN
            #expect(try box.run(["wallet", "export", "Other", "--raw"], [pin]).standardOutput == inside + "\n")
        }
    }

    @Test func `a wrong PIN whose padding fits by chance is a wrong PIN: the checksum decides`() throws {
        let box = try Box()
        let file = try seal(in: box)
        let found = try box.shell(
            "p=100000; while ! /usr/bin/openssl enc -d -aes-256-cbc -md md5 -a -pass pass:$p -in '\(file)' "
                + ">/dev/null 2>&1; do p=$((p + 1)); done; printf $p"
        )
        #expect(found.standardOutput.count == 6 && found.standardOutput != Self.formerPIN, "\(found)")
        try expectRefusal(box, file, "ERR-TT-323", 1, giving: [found.standardOutput])
    }

    @Test func `a wallet that is in the vault already is told, and neither file nor wallets change`() throws {
        let box = try Box.withVault()
        let (first, copy) = (try seal(in: box), try seal(as: "copy.enc", in: box))
        try box.run(["migrate", "legacy", first], [Box.pin, Self.formerPIN]).succeeding()
        let bytes = Folders.contents(of: copy)
        let refused = try box.run(["migrate", "legacy", copy], [Box.pin, Self.formerPIN])
        #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-214"), "\(refused)")
        #expect(Folders.contents(of: copy) == bytes && !bytes.isEmpty)
        #expect(try box.json(["status"])["walletCount"] as? Int == 1)
    }

    @Test func `a name that is taken or no name leads to --name`() throws {
        let box = try Box.withVault()
        try box.run(["wallet", "create", "savings"], [Box.pin])
        let file = try seal(in: box)
        let lines = [Box.pin, Self.formerPIN]
        let taken = try box.run(["migrate", "legacy", file], lines)
        #expect(taken.exitCode == 1 && taken.standardError.contains("ERR-TT-311"), "\(taken)")
        #expect(taken.standardError.contains("--name"))
        let odd = try seal(FormerApp.words, as: " .enc", in: box)
        let invalid = try box.run(["migrate", "legacy", odd], lines)
        #expect(invalid.exitCode == 2 && invalid.standardError.contains("--name"), "\(invalid)")
        try box.run(["migrate", "legacy", file, "--name", "old savings"], lines).succeeding()
        try box.run(["migrate", "legacy", odd, "--name=odd"], lines).succeeding()
        #expect(try box.json(["status"])["walletCount"] as? Int == 3)
    }

    @Test(.holds("A52")) func `neither output nor disk holds a secret afterwards`() throws {
        let box = try Box()
        let file = try seal(in: box)
        let forms =
            SecretScan.forms(of: Array(Self.formerPIN.utf8), named: "PIN")
            + SecretScan.forms(of: Array(Box.mnemonic.utf8), named: "mnemonic")
        for (secrets, option) in [
            (["111222"], "--json"), ([Self.formerPIN], "--dry-run"), ([Self.formerPIN], "--json"),
        ] {
            let result = try box.run(["migrate", "legacy", file, option], secrets)
            let printed = Array((result.standardOutput + result.standardError).utf8)
            for form in forms { #expect(SecretScan.firstIndex(of: form.bytes, in: printed) == nil, "\(form.name)") }
        }
        #expect(!exists(file))
        var scan = SecretScan(forms: forms)
        #expect(scan.findings(below: box.folder).isEmpty)
    }
}

/// What stands at the end of the path, and what happens to it meanwhile.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "there is no openssl command here")
)
struct MigratedFileTests {
    private static let lines = [Box.pin, FormerApp.pin]

    private func box(_ name: String = "wallet") throws -> (box: Box, file: String) {
        let box = try Box.withVault()
        let file = box.folder + "/" + name
        try Folders.write(Array(FormerApp.Sealed.first.rawValue.utf8), to: file)
        return (box, file)
    }

    @Test(.holds("A39"), .timeLimit(.minutes(20)))
    func `links, pipes, devices, folders and a file of 2 GB are refused, and untouched`() throws {
        let (box, file) = try box()
        let setUp = try box.shell(
            """
            cd '\(box.folder)' && ln -s wallet symbolic && mkfifo pipe && mkdir folder && : >large &&
            truncate -s 2G large && cp wallet open && chmod 666 open && cp wallet named && ln named second
            """
        )
        try #require(setUp.exitCode == 0, "\(setUp)")
        for name in ["symbolic", "pipe", "folder", "open", "named", "second", "/dev/zero", "/dev/ptmx"] {
            let path = name.hasPrefix("/") ? name : box.folder + "/" + name
            let refused = try box.run(["migrate", "legacy", path], Self.lines)
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-205"), "\(name): \(refused)")
            #expect(refused.standardError.contains("chmod 600"))
        }
        let large = try box.run(["migrate", "legacy", box.folder + "/large"], Self.lines)
        #expect(large.exitCode == 2 && large.standardError.contains("ERR-TT-321"), "\(large)")
        for name in ["wallet", "open", "named", "second"] {
            let bytes = Folders.contents(of: box.folder + "/" + name)
            #expect(bytes == Array(FormerApp.Sealed.first.rawValue.utf8), "\(name)")
        }
        #expect(try box.json(["status"])["walletCount"] as? Int == 0)
        try box.run(["migrate", "legacy", file], Self.lines).succeeding()
    }

    #if os(Linux)
    enum Before: CaseIterable { case nothing, emptyFile, vault }

    @Test(.holds("A38"), arguments: Before.allCases)
    func `of two migrations of one file at once one takes it over, and the wallet is there once`(before: Before)
        throws
    {
        let hasVault = before == .vault
        let box = try hasVault ? Box.withVault() : Box()
        if before == .emptyFile { try box.leaveUnfinishedVault() }
        let file = box.folder + "/wallet"
        try Folders.write(Array(FormerApp.Sealed.first.rawValue.utf8), to: file)
        let start = { () throws -> RunningChild in
            try RunningChild(
                Box.tool,
                ["--device", "simulated", "--secret-fd", "3", "migrate", "legacy", file],
                environment: box.environment([:]),
                hasSecrets: true
            )
        }
        let one = try start()
        let other = try start()
        let given = hasVault ? Self.lines : [FormerApp.pin]
        let lines = Array(given.map { $0 + "\n" }.joined().utf8)
        // Both have all they ask for before either is waited for.
        one.give(lines)
        other.give(lines)
        one.input?.closeWrite()
        other.input?.closeWrite()
        let results = [one.finish(), other.finish()]
        #expect(results.count { $0.exitCode == 0 } == 1, "\(results)")
        for refused in results where refused.exitCode != 0 {
            #expect(["ERR-TT-202", "ERR-TT-213"].contains { refused.standardError.contains($0) }, "\(refused)")
        }
        #expect(Folders.isAbsent(file))
        #expect(try box.json(["status"])["walletCount"] as? Int == 1)
        let pin = hasVault ? Box.pin : FormerApp.pin
        #expect(try box.run(["wallet", "export", "wallet"], [pin]).standardOutput == FormerApp.words + "\n")
    }
    #endif

    @Test(.holds("K-09"), .enabled(if: geteuid() == 0, "only the superuser mounts"), arguments: [false, true])
    func `a file that can't be deleted, or not even written, is told, and the next run erases it`(
        isReadOnly: Bool
    )
        throws
    {
        let (box, file) = try box()
        let before = Folders.contents(of: file)
        // A place where something is mounted can't be deleted: what a cut leaves between the zeros and the deletion.
        let mount = "mount --bind '\(file)' '\(file)'" + (isReadOnly ? " && mount -o remount,bind,ro '\(file)'" : "")
        try box.shell(mount).succeeding()
        let taken = try box.run(["migrate", "legacy", file], Self.lines)
        let left = Folders.contents(of: file)
        let again = try box.run(["migrate", "legacy", file], Self.lines)
        try box.shell("umount '\(file)'").succeeding()
        for result in [taken, again] {
            #expect(result.exitCode == 3 && result.standardError.contains("ERR-TT-216"), "\(result)")
            #expect(result.standardError.contains("run the command again"))
        }
        #expect(taken.standardOutput == "Imported: wallet.\n")
        #expect(again.standardOutput == "It is already in the vault.\n")
        #expect(left == (isReadOnly ? before : [UInt8](repeating: 0, count: before.count)))
        try box.run(["unlock"], [Box.pin]).succeeding()
        let ended = try box.run(["migrate", "legacy", file], Self.lines)
        #expect(ended.exitCode == 0, "\(ended)")
        #expect(ended.standardOutput == "It is already in the vault.\nThe file is erased.\n")
        #expect(Folders.isAbsent(file))
        #expect(try box.run(["wallet", "export", "wallet"], [Box.pin]).standardOutput == FormerApp.words + "\n")
        #expect(try box.json(["status"])["walletCount"] as? Int == 1)
    }

    @Test(.holds("K-09"), .enabled(if: geteuid() == 0, "only the superuser mounts"))
    func `while one file waits to be erased another one is taken over, and neither's end is forgotten`() throws {
        let (box, file) = try box()
        try box.shell("mount --bind '\(file)' '\(file)'").succeeding()
        #expect(try box.run(["migrate", "legacy", file], Self.lines).exitCode == 3)
        let other = box.folder + "/other"
        try Folders.write(Array(FormerApp.Sealed.other.rawValue.utf8), to: other)
        try box.run(["migrate", "legacy", other], Self.lines).succeeding()
        #expect(Folders.isAbsent(other))
        try box.shell("umount '\(file)'").succeeding()
        try box.run(["migrate", "legacy", file], Self.lines).succeeding()
        #expect(Folders.isAbsent(file))
        #expect(try box.json(["status"])["walletCount"] as? Int == 2)
    }

    @Test func `a vault whose making was cut off is made anew, and one that is damaged is told and kept`() throws {
        let (box, file) = try box()
        try Folders.write(Array("a letter to a friend, and no vault".utf8), to: box.folder + "/letter")
        try box.shell("cp '\(box.folder)/letter' '\(box.database)'").succeeding()
        for (lines, option) in [(Self.lines, []), ([FormerApp.pin], []), ([FormerApp.pin], ["--dry-run"])] {
            let damaged = try box.run(["migrate", "legacy", file] + option, lines)
            #expect(damaged.exitCode == 4 && damaged.standardError.contains("ERR-TT-204"), "\(damaged)")
        }
        #expect(Folders.contents(of: file) == Array(FormerApp.Sealed.first.rawValue.utf8))
        try box.shell(": >'\(box.database)' && rm -f '\(box.database)'-*").succeeding()
        let made = try box.run(["migrate", "legacy", file], [FormerApp.pin])
        #expect(made.exitCode == 0, "\(made)")
        #expect(try box.run(["wallet", "export", "wallet"], [FormerApp.pin]).standardOutput == FormerApp.words + "\n")
    }

    @Test func `after a reset the emptied vault takes a file as if there were none`() throws {
        let (box, file) = try box()
        try box.run(["reset"], ["RESET"]).succeeding()
        #expect(try box.json(["migrate", "legacy", file, "--dry-run"], [FormerApp.pin])["makesVault"] as? Bool == true)
        try box.run(["migrate", "legacy", file], [FormerApp.pin]).succeeding()
        try box.run(["unlock"], [FormerApp.pin]).succeeding()
    }
}
