#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

private let strace = "/usr/bin/strace"

/// How often a command waits for the disk, on files and without a finger: counted in the real process, not timed.
@Suite("Flushes") struct FlushTests {
    /// What a command takes, and how many of them are the anchor's.
    static let counts: [(words: [String], lines: [String], all: Int, anchor: Int)] = [
        (["status"], [], 0, 0),
        (["unlock"], [pin], 5, 1),
        (["wallet", "import", "Savings"], [pin, Box.mnemonic], 7, 2),
        (["wallet", "export", "Savings"], [pin], 5, 1),
        (["wallet", "list"], [pin], 5, 1),
        (["unlock"], [pin], 5, 1),
        (["status"], [], 0, 0),
    ]

    private static let calls = "fsync,fdatasync,sync_file_range,msync,sync,syncfs"
    /// On files a short PIN is refused.
    private static let pin = "832519474071"

    @Test func `each command waits for the disk as often as it has to, and no more`() throws {
        try #require(FileManager.default.isExecutableFile(atPath: strace), "run `make setup`")
        let box = try Box()
        _ = try flushes(of: ["init"], [Self.pin], in: box)
        for (words, lines, all, anchor) in Self.counts {
            let found = try flushes(of: words, lines, in: box)
            // One more costs time; one less, and a power cut undoes what was said to be done: the guess, or the anchor's move.
            #expect(found.count == all, "\(words): \(found.joined(separator: "\n"))")
            #expect(found.filter { $0.contains("/items/anchor.") }.count == anchor, "\(words): \(found)")
        }
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
        let newPIN = "559201738846"
        var named = try names(given: ["init"], [Self.pin], in: box)
        let made = try box.run(["--device", "files", "recovery", "create"], [Self.pin]).succeeding().standardOutput
        let recoveryKey = String(try #require(made.split(separator: "\n").first))
        let changes: [(words: [String], lines: [String])] = [
            (["recovery", "check"], [Self.pin, recoveryKey]),
            (["wallet", "import", "Savings"], [Self.pin, Box.mnemonic]),
            (["pin", "change"], [Self.pin, newPIN]),
            (["backup", file], [newPIN]),
            (["backup", "--force", file], [newPIN]),
            (["--vault", other, "restore", file], [recoveryKey, newPIN]),
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
