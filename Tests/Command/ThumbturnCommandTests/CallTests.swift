#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

private let strace = "/usr/bin/strace"

/// How often a command calls the system for each of many wallets: counted in the real process, not timed.
struct CallTests {
    private static let many = 400

    @Test(.holds("K-05"))
    func `a bulk import reads many lines at once, and guards no memory for each`() throws {
        let few = try calls(of: ["wallet", "import", "--bulk"], Self.lines(10), in: .withVault())
        let many = try calls(of: ["wallet", "import", "--bulk"], Self.lines(Self.many), in: .withVault())
        // A block of it has some eighty lines.
        #expect(many["read", default: 0] - few["read", default: 0] < 20, "\(few) \(many)")
        #expect(many["mprotect", default: 0] - few["mprotect", default: 0] < 40, "\(few) \(many)")
    }

    @Test(.holds("K-05"), arguments: [[], ["--json"]])
    func `an export of all writes many wallets at once, and locks the file once for all`(option: [String]) throws {
        let (small, large) = (try Box.withVault(), try Box.withVault())
        try small.run(["wallet", "import", "--bulk"], Self.lines(10)).succeeding()
        try large.run(["wallet", "import", "--bulk"], Self.lines(Self.many)).succeeding()
        let words = ["wallet", "export", "--all"] + option
        let (few, many) = (try calls(of: words, [Box.pin], in: small), try calls(of: words, [Box.pin], in: large))
        #expect(many["write", default: 0] - few["write", default: 0] < 20, "\(few) \(many)")
        #expect(many["fcntl", default: 0] - few["fcntl", default: 0] < 20, "\(few) \(many)")
        #expect(many["mprotect", default: 0] - few["mprotect", default: 0] < 40, "\(few) \(many)")
        // And it is all there.
        let printed = try large.run(words, [Box.pin]).succeeding().standardOutput
        #expect(printed.components(separatedBy: Box.mnemonic).count - 1 == Self.many)
    }

    @Test func `status runs on the thread that it begins on`() throws {
        let found = try calls(of: ["status"], [], in: .withVault())
        // Those that show whether there are threads to be had (`Resources`), and none besides.
        let tried = min(2 * ProcessInfo.processInfo.activeProcessorCount + 3, 64)
        #expect(found["clone3", default: 0] + found["clone", default: 0] == tried, "\(found)")
    }

    private static func lines(_ count: Int) -> [String] {
        [Box.pin] + (1...count).map { "wallet \($0)\t\(Box.mnemonic)" }
    }

    /// How many calls of each name a command made.
    private func calls(of words: [String], _ lines: [String], in box: Box) throws -> [String: Int] {
        try #require(FileManager.default.isExecutableFile(atPath: strace), "run `make setup`")
        let log = box.folder + "/strace"
        defer { Folders.remove(log) }
        let options = ["-f", "-o", log, "-e", "trace=read,write,fcntl,mprotect,clone3,?clone"]
        try ChildProcess.run(
            strace,
            options + [Box.tool, "--device", "simulated"] + (lines.isEmpty ? [] : ["--secret-fd", "3"]) + words,
            // The leak sanitizer can't work in a process that somebody watches.
            environment: box.environment(["LSAN_OPTIONS": "detect_leaks=0"]),
            secrets: lines.isEmpty ? nil : Array(lines.map { $0 + "\n" }.joined().utf8)
        ).succeeding()
        var counts: [String: Int] = [:]
        for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
            // "123 write(1, ...": of a call that another interrupts the first half has the name.
            guard let open = line.firstIndex(of: "("), let space = line[..<open].lastIndex(of: " ") else { continue }
            counts[String(line[line.index(after: space)..<open]), default: 0] += 1
        }
        return counts
    }
}
#endif
