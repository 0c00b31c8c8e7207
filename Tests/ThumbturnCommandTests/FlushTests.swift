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

    /// The calls by which a command waited, each with the file.
    private func flushes(of words: [String], _ lines: [String], in box: Box) throws -> [Substring] {
        let log = box.folder + "/strace"
        try ChildProcess.run(
            strace,
            ["-f", "-y", "-o", log, "-e", "trace=" + Self.calls, Box.tool, "--device", "files"]
                + (lines.isEmpty ? [] : ["--secret-fd", "3"]) + words,
            // The leak sanitizer can't work in a process that somebody watches.
            environment: box.environment(["LSAN_OPTIONS": "detect_leaks=0"]),
            secrets: lines.isEmpty ? nil : Array(lines.map { $0 + "\n" }.joined().utf8)
        ).succeeding()
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        // A call that another thread's call interrupts in the log has a second line, without the file.
        return lines.filter { $0.contains("sync") && !$0.contains("resumed>") }
    }
}
#endif
