#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

private let strace = "/usr/bin/strace"

/// How often a command waits for the disk, on files and without a finger: counted in the real process, not timed.
@Suite("Flushes") struct FlushTests {
    /// What a command has to wait for, how often, and how often it waits besides.
    struct Count: CustomTestStringConvertible {
        let words: [String]
        let lines: [String]
        let needed: [(what: String, times: Int)]
        /// What could be spared, and is not.
        let besides: Int
        /// How many are the anchor's.
        let anchor: Int

        init(
            _ words: [String],
            _ lines: [String] = [],
            _ needed: [(what: String, times: Int)] = [],
            besides: Int = 0,
            anchor: Int = 0
        ) {
            (self.words, self.lines, self.needed) = (words, lines, needed)
            (self.besides, self.anchor) = (besides, anchor)
        }

        var all: Int { needed.reduce(besides) { $0 + $1.times } }
        var testDescription: String { words.joined(separator: " ") }
    }

    /// A guess is on record before it is tried, and its row is vouched for: a power cut gives none back.
    private static let guess = [
        ("the log's first page, before rows lie behind it", 1), ("the attempt", 1), ("its anchor", 1),
        ("its end, with the event", 1),
    ]
    private static let change = [("the rows, in one transaction", 1), ("the anchor of their ledger", 1)]
    /// What was replaced or deleted is overwritten, and in the file what took its place.
    private static let erasing = [("the log, the database, and the log cut off", 3)]
    private static let close = [("the log and the database, so that the file alone is whole", 2)]
    /// A file's bytes before its name, and the folder behind it; the item is there before a row names it.
    private static let deviceSecret = [("a device secret and its name", 2), ("its anchor and its name", 2)]
    private static let trail = [
        ("the names of the trail's items", 1), ("its secret and its name", 2), ("its key and its name", 2),
    ]
    private static let used = [("an anchor's first move, by a new file and its name", 2)]
    private static let newDatabase = [("its folder's name", 1), ("its bytes", 1), ("its name, and its log's", 1)]
    private static let note = [("the secret's name, before it is made", 1)]

    /// In order, on one vault.
    static let counts: [Count] = [
        Count(
            ["init"],
            [pin],
            newDatabase + [("the log's first page", 1)] + note + deviceSecret + trail
                + [("the installation's name, a file", 2), ("the rows, in one transaction", 1)] + used + erasing,
            anchor: 0
        ),
        Count(["status"]),
        Count(["unlock"], [pin], guess + close, anchor: 1),
        Count(["wallet", "import", "Savings"], [pin, Box.mnemonic], guess + change + close, anchor: 2),
        Count(["wallet", "import", "Coins"], [pin, Box.mnemonic], guess + change + close, anchor: 2),
        Count(["wallet", "export", "Savings"], [pin], guess + [("its event", 1)] + close, anchor: 1),
        Count(["wallet", "list"], [pin], guess + close, anchor: 1),
        Count(["wallet", "delete", "Coins"], [pin, "Coins"], guess + change + erasing, anchor: 2),
        Count(["unlock"], [pin], guess + close, anchor: 1),
        Count(
            ["pin", "change"],
            [pin, newPIN],
            guess
                // Whoever copied the folder has the same anchor: who moves it first goes on.
                + [("what keeps copies of the folder apart, with the secret's name", 1), ("its anchor", 1)]
                + deviceSecret + [("the rows, in one transaction", 1)] + used + erasing
                + [("the secret and its anchor, deleted", 2), ("the log's first page, for the note of that", 1)]
                + close,
            // The secret is noted by itself.
            besides: 1,
            anchor: 2
        ),
        Count(["status"]),
        Count(
            ["credential", "set", "mail"],
            ["token"],
            newDatabase
                + [("the log's first page", 1), ("the item's name", 1), ("the item and its name", 2), ("the row", 1)]
                + close,
            // The log is cut off, which an item that opens nothing any more would not ask for.
            besides: 1
        ),
    ]

    private static let calls = "fsync,fdatasync,sync_file_range,msync,sync,syncfs"
    /// On files a short PIN is refused.
    private static let pin = "832519474071"
    private static let newPIN = "559201738846"

    @Test(.holds("A10", "A22")) func `each command waits for the disk as often as it has to, and no more`() throws {
        try #require(FileManager.default.isExecutableFile(atPath: strace), "run `make setup`")
        let box = try Box()
        for count in Self.counts {
            let found = try flushes(of: count.words, count.lines, in: box)
            // One more costs time; one less, and a power cut undoes what was said to be done: the guess, or the anchor's move.
            #expect(found.count == count.all, "\(count.words): \(found.joined(separator: "\n"))")
            #expect(found.filter { $0.contains("/items/anchor.") }.count == count.anchor, "\(count.words): \(found)")
            #expect(count.besides <= 2, "\(count.words)")
        }
    }

    @Test(.holds("A10")) func `a backup waits for its own file, and what tries one for nothing`() throws {
        try #require(FileManager.default.isExecutableFile(atPath: strace), "run `make setup`")
        let box = try Box()
        let file = box.folder + "/savings.backup"
        try box.run(["--device", "files", "init"], [Self.pin]).succeeding()
        let made = try box.run(["--device", "files", "recovery", "create"], [Self.pin]).succeeding().standardOutput
        let recoveryKey = String(try #require(made.split(separator: "\n").first))
        try box.run(["--device", "files", "recovery", "check"], [Self.pin, recoveryKey]).succeeding()
        try box.run(["--device", "files", "wallet", "import", "Savings"], [Self.pin, Box.mnemonic]).succeeding()
        let backup = Self.guess + [("the file, and its name", 2)] + Self.close
        let restored =
            Self.newDatabase + [("the log's first page", 1)] + Self.note + Self.deviceSecret + Self.trail
            + [("the rows, in one transaction", 1)] + Self.used + Self.erasing
        let counts = [
            Count(["backup", file], [Self.pin], backup, anchor: 1),
            Count(["backup", "--force", file], [Self.pin], backup, anchor: 1),
            // What it reads from is a copy that is deleted, and that it was tried is a hint.
            Count(["backup", "verify", file], [recoveryKey]),
            Count(["--vault", box.folder + "/other", "restore", file], [recoveryKey, Self.newPIN], restored),
        ]
        for count in counts {
            let found = try flushes(of: count.words, count.lines, in: box)
            #expect(found.count == count.all, "\(count.words): \(found.joined(separator: "\n"))")
            #expect(count.besides <= 2, "\(count.words)")
        }
        // It is remembered all the same.
        let status = try box.json(["--device", "files", "status"])
        #expect(!(try #require(status["warnings"] as? [String]).contains { $0.hasPrefix("backup") }), "\(status)")
    }

    @Test func `a file of secrets that may not survive power loss is taken away`() throws {
        try #require(FileManager.default.isExecutableFile(atPath: strace), "run `make setup`")
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic]).succeeding()
        let file = box.folder + "/words"
        let refused = try ChildProcess.run(
            strace,
            ["-f", "-o", box.folder + "/strace", "-P", file, "-e", "trace=fsync", "-e", "inject=fsync:error=EIO"]
                + [Box.tool, "--device", "simulated", "--secret-fd", "3"]
                + ["wallet", "export", "Savings", "--output", file],
            environment: box.environment(["LSAN_OPTIONS": "detect_leaks=0"]),
            secrets: Array((Box.pin + "\n").utf8)
        )
        #expect(refused.exitCode == 3 && refused.standardOutput.isEmpty, "\(refused)")
        #expect(refused.standardError.contains("The file \(file) can't be written."), "\(refused)")
        #expect(Folders.isAbsent(file))
    }

    @Test(.holds("A10", "A22")) func `what gets a name is on disk before it, and its folder afterwards`() throws {
        try #require(FileManager.default.isExecutableFile(atPath: strace), "run `make setup`")
        let box = try Box()
        let file = box.folder + "/savings.backup"
        let other = box.folder + "/other"
        var named = try names(given: ["init"], [Self.pin], in: box)
        let made = try box.run(["--device", "files", "recovery", "create"], [Self.pin]).succeeding().standardOutput
        let recoveryKey = String(try #require(made.split(separator: "\n").first))
        let changes: [(words: [String], lines: [String])] = [
            (["recovery", "check"], [Self.pin, recoveryKey]),
            (["wallet", "import", "Savings"], [Self.pin, Box.mnemonic]),
            (["pin", "change"], [Self.pin, Self.newPIN]),
            (["backup", file], [Self.newPIN]),
            (["backup", "--force", file], [Self.newPIN]),
            (["--vault", other, "restore", file], [recoveryKey, Self.newPIN]),
        ]
        for (words, lines) in changes { named += try names(given: words, lines, in: box) }
        let kinds = ["secret", "anchor", "backup", "vault.sqlite"]
        for kind in kinds { #expect(named.contains { $0.contains(kind) }, "\(kind): \(named)") }
    }

    /// The files that a command gave a name, each held against what has to come before and after it.
    private func names(given words: [String], _ lines: [String], in box: Box) throws -> [String] {
        let watched =
            "fsync,fdatasync,write,pwrite64,ftruncate,?rename,?renameat,renameat2,?link,linkat,?unlink,unlinkat,openat"
        // Threads write to each other too, and to no file.
        let calls = try trace(words, lines, watched, in: box).filter { $0.paths.first?.hasPrefix("/") == true }
        var named: [String] = []
        for (index, call) in calls.enumerated() {
            let later = calls[index...]
            // The next thing that reaches the disk.
            let next = later.dropFirst().first { !$0.name.hasPrefix("unlink") && $0.name != "openat" }
            switch call.name {
            case "rename", "renameat", "renameat2", "link", "linkat":
                let (draft, target) = (call.paths[0], call.paths[1])
                // A hint, whose loss warns once too often; and what the command itself deletes.
                if target.hasSuffix("/backup.note") || target.hasSuffix("/backup.partial") { continue }
                let earlier = calls[..<index]
                let written = earlier.lastIndex { !$0.isSync && $0.paths == [draft] } ?? 0
                #expect(
                    earlier[written...].contains { $0.isSync && $0.paths == [draft] },
                    "\(words): \(target) is named first"
                )
                #expect(next?.isSync(of: target) == true, "\(words): \(target) may lose its name")
                named.append(target)
            case "unlink", "unlinkat":
                // SQLite sees to its own files, and a draft's other name goes with the folder's next sync.
                guard call.paths[0].contains("/items/") else { continue }
                #expect(next?.isSync(of: call.paths[0]) == true, "\(words): \(call.paths[0]) may come back")
            case "openat":
                guard call.makes, call.paths[0].hasSuffix(".sqlite") || call.paths[0].hasSuffix(".backup") else {
                    continue
                }
                let written = later.lastIndex { !$0.isSync && $0.paths == call.paths } ?? index
                #expect(
                    calls[written...].contains { $0.isSync && $0.paths == call.paths },
                    "\(words): \(call.paths[0]) is not on disk"
                )
                #expect(later.contains { $0.isSync(of: call.paths[0]) }, "\(words): \(call.paths[0]) may lose its name")
                named.append(call.paths[0])
            default: continue
            }
        }
        return named
    }

    /// The calls by which a command waited, each with the file.
    private func flushes(of words: [String], _ lines: [String], in box: Box) throws -> [String] {
        try trace(words, lines, Self.calls, in: box).filter(\.isSync).map(\.line)
    }

    /// The calls of those names that a command made and that succeeded, in order.
    private func trace(_ words: [String], _ lines: [String], _ names: String, in box: Box) throws -> [DiskCall] {
        let folder = box.folder + "/strace"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { Folders.remove(folder) }
        // A file for each thread: in one file a call that another interrupts has two lines.
        try ChildProcess.run(
            strace,
            [
                "-ff", "-ttt", "-y", "-s", "0", "-o", folder + "/log", "-e", "trace=" + names, Box.tool, "--device",
                "files",
            ]
                + (lines.isEmpty ? [] : ["--secret-fd", "3"]) + words,
            // The leak sanitizer can't work in a process that somebody watches.
            environment: box.environment(["LSAN_OPTIONS": "detect_leaks=0"]),
            secrets: lines.isEmpty ? nil : Array(lines.map { $0 + "\n" }.joined().utf8)
        ).succeeding()
        let logs = try Folders.files(below: folder).map { try String(contentsOfFile: $0, encoding: .utf8) }
        return logs.flatMap { $0.split(separator: "\n") }.sorted().compactMap { DiskCall(String($0)) }
    }
}
#endif
