import Foundation
import Testing
import ThumbturnConsole
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCommand

/// `--from` a vault's own file: what is committed is read, in the log beside it too.
struct FileReadingTests {
    /// A folder as it was copied while the newest wallet lay in the log alone, as after a kill at its commit.
    private struct Copy {
        let box: Box
        let key: String
        var folder: String { box.folder + "/copy" }
        var file: String { folder + "/vault.sqlite" }

        init() throws {
            box = try Box.withVault()
            try box.run(["wallet", "import", "Former", "--opaque"], [Box.pin, "a former secret"]).succeeding()
            key = try box.recoveryKey()
            // Who reads keeps the log from being moved into the file.
            let reader = try Database(opening: box.database, format: VaultStore.format)
            defer { reader.close() }
            try reader.beginRead()
            _ = try reader.rows("SELECT id FROM wallet")
            try box.run(["wallet", "import", "new", "--opaque"], [Box.pin, "the newest secret"]).succeeding()
            try FileManager.default.copyItem(atPath: box.vault, toPath: folder)
        }

        func run(_ words: String...) throws -> ChildProcess { try box.run(words + ["--from", file], [key]) }
    }

    @Test func `after a kill at its commit the newest wallet is listed, exported, verified and restored`() throws {
        let copy = try Copy()
        let before = Folders.files(below: copy.folder).map(Folders.contents)
        let list = try copy.run("wallet", "list")
        #expect(list.exitCode == 0 && list.standardError.isEmpty, "\(list)")
        #expect(list.standardOutput.split(separator: "\n").map { $0.prefix(3) } == ["For", "new"], "\(list)")
        let exported = try copy.run("wallet", "export", "new")
        #expect(exported.standardOutput == "the newest secret")
        let all = try copy.run("wallet", "export", "--all")
        #expect(
            all.exitCode == 0 && all.standardOutput == "Former\ta former secret\nnew\tthe newest secret\n",
            "\(all)"
        )
        let verified = try copy.box.run(["backup", "verify", copy.file], [copy.key])
        #expect(verified.exitCode == 0 && verified.standardOutput.contains("2 wallets"), "\(verified)")
        let other = ["--vault", copy.box.folder + "/other"]
        let restored = try copy.box.run(other + ["restore", copy.file], [copy.key, Box.pin])
        #expect(restored.exitCode == 0 && restored.standardOutput.contains("2 wallets"), "\(restored)")
        #expect(try copy.box.run(other + ["wallet", "export", "new"], [Box.pin]).standardOutput == "the newest secret")
        #expect(Folders.files(below: copy.folder).map(Folders.contents) == before)
    }

    @Test(.holds("A40"), arguments: ["header", "commit", "foreign"])
    func `a log that can't be used is said, and what the file holds without it is given`(harm: String) throws {
        let copy = try Copy()
        var log = Folders.contents(of: copy.file + "-wal")
        try #require(log.count > 4_120)
        switch harm {
        case "header": log[20] ^= 1
        case "commit": log[32 + 24 + 100] ^= 1
        default:
            let other = try Copy()
            log = withExtendedLifetime(other) { Folders.contents(of: other.file + "-wal") }
            try #require(!log.isEmpty)
        }
        try copy.box.replace(copy.file + "-wal", log)
        for words in [["wallet", "list"], ["wallet", "export", "--all"], ["wallet", "export", "Former"]] {
            let ended = try copy.box.run(words + ["--from", copy.file], [copy.key])
            #expect(ended.exitCode == 4 && ended.standardError.contains("error: ERR-TT-221"), "\(ended)")
            #expect(ended.standardOutput.contains(words[1] == "list" ? "Former" : "a former secret"), "\(ended)")
            #expect(!ended.standardError.contains("ERR-TT-210"), "nobody changed anything: \(ended)")
        }
        let object = try copy.box.json(["wallet", "list", "--from", copy.file], [copy.key])
        #expect((object["error"] as? [String: Any])?["code"] as? String == "ERR-TT-221")
        for ended in [
            try copy.box.run(["backup", "verify", copy.file], [copy.key]),
            try copy.box.run(
                ["--vault", copy.box.folder + "/other", "restore", copy.file],
                [copy.key, Box.pin]
            ),
        ] {
            #expect(ended.exitCode == 4 && ended.standardError.contains("error: ERR-TT-221"), "\(ended)")
        }
    }

    @Test(.holds("A39"), arguments: ["link", "folder", "unreadable"])
    func `a log that can't be read is said, and the file is read without it`(harm: String) throws {
        let copy = try Copy()
        let log = copy.file + "-wal"
        if harm == "unreadable", geteuid() == 0 { try Test.cancel("the superuser reads everything") }
        if harm == "unreadable" {
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: log)
        } else {
            try FileManager.default.moveItem(atPath: log, toPath: copy.box.folder + "/log")
        }
        if harm == "link" {
            try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: copy.box.folder + "/log")
        } else if harm == "folder" {
            try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
        }
        for words in [["wallet", "list"], ["wallet", "export", "--all"]] {
            let ended = try copy.box.run(words + ["--from", copy.file], [copy.key])
            #expect(ended.exitCode == 4 && ended.standardError.contains("error: ERR-TT-221"), "\(ended)")
            #expect(ended.standardOutput.contains("Former") && !ended.standardOutput.contains("new"), "\(ended)")
        }
        let verified = try copy.box.run(["backup", "verify", copy.file], [copy.key])
        #expect(verified.exitCode == 4 && verified.standardError.contains("error: ERR-TT-221"), "\(verified)")
    }

    @Test(.holds("A39")) func `a planted journal costs no file, and no command`() throws {
        let box = try Box.withVault()
        let victim = box.folder + "/victim"
        try Folders.write(Array("mine".utf8), to: victim)
        let journal = PlantedJournal.bytes(naming: victim)
        for words in [["status"], ["unlock"]] {
            try Folders.write(journal, to: box.database + "-journal")
            try box.run(words, words == ["status"] ? nil : [Box.pin]).succeeding()
            #expect(Folders.contents(of: victim) == Array("mine".utf8))
            #expect(Folders.isAbsent(box.database + "-journal"))
        }
        #expect(Folders.contents(of: box.database + "-journal.not-ours") == journal)
        try box.run(["--device", "simulated", "credential", "set", "API"], ["a token"]).succeeding()
        let found = Folders.files(below: box.folder).first { $0.hasSuffix("credentials.sqlite") }
        let credentials = try #require(found)
        try Folders.write(journal, to: credentials + "-journal")
        try box.run(["--device", "simulated", "credential", "list"]).succeeding()
        #expect(Folders.contents(of: victim) == Array("mine".utf8))
        #expect(Folders.isAbsent(credentials + "-journal"))
    }
}
