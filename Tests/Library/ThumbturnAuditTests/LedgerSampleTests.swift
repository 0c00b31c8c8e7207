import Foundation
import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

/// The samples of `Tests/Vectors/audit/ledger`: a service's exports that a stranger's verifier is tried on.
///
/// Samples are added, never made anew: `THUMBTURN_FREEZE_AUDIT=Tests/Vectors/audit swift test --filter LedgerSample`
/// writes those that are not there.
@Suite struct LedgerSampleTests {
    private static let folder = VectorFolder.own + "/audit/ledger/"

    @Test(.holds("A42", "A43")) func `each sample is answered as its index says`() throws {
        let index = try VectorFile<AuditSample>.load("audit/ledger/index.json")
        for sample in index.tests {
            let verdict = try exportVerdict(on: Self.read(sample.file), pinned: Self.keys(sample))
            #expect(AuditSample(file: sample.file, keys: sample.keys, verdict) == sample)
        }
        #expect(try Set(index.tests.map(\.file)) == Self.exports())
    }

    @Test(.holds("A42", "A43"), .enabled(if: ExamplePython.verifies, "python3 has no package cryptography"))
    func `a verifier in another language, written from the page, answers alike`() throws {
        let samples = try VectorFile<AuditSample>.load("audit/ledger/index.json").tests
        let answers = try ExamplePython.verify(
            samples.map { [Self.folder + $0.file] + $0.keys.flatMap { ["--key", Self.folder + $0] } }
        )
        try #require(answers.count == samples.count)
        for (sample, answer) in zip(samples, answers) {
            #expect(
                answer.exit == sample.exit && answer.leaf == sample.leaf && answer.record == nil,
                "\(sample.file), \(sample.finding ?? "whole"): \(answer.text)"
            )
        }
    }

    @Test(.holds("A42", "A43"), .enabled(if: ExamplePython.verifies, "python3 has no package cryptography"))
    func `it answers alike wherever a line or a byte is another`() throws {
        let lines = try TestLedger.everything().export()
        var (folder, files, generator) = (try TemporaryFolder(), [[UInt8]](), SeededGenerator(seed: 36))
        for index in lines.indices {
            let (before, rest) = (lines[..<index], lines[(index + 1)...])
            files.append(Array((before + rest).joined()))
            files.append(Array((before + [lines[index], lines[index]] + rest).joined()))
            if let next = rest.first {
                files.append(Array((before + [next, lines[index]] + rest.dropFirst()).joined()))
            }
            for _ in 0..<3 {
                var line = lines[index]
                line[Int.random(in: line.indices, using: &generator)] ^= 1 << UInt8.random(in: 0..<7, using: &generator)
                files.append(Array((before + [line] + rest).joined()))
            }
        }
        for (number, file) in files.enumerated() { try folder.write(file, to: "\(number).jsonl") }
        let answers = try ExamplePython.verify(files.indices.map { [folder.file("\($0).jsonl")] })
        try #require(answers.count == files.count)
        for (number, (file, answer)) in zip(files, answers).enumerated() {
            let sample = AuditSample(file: "", exportVerdict(on: file))
            #expect(
                answer.exit == sample.exit && answer.leaf == sample.leaf,
                "\(number), \(sample.finding ?? "whole") \(String(describing: sample.leaf)): \(answer.text)"
            )
        }
    }

    @Test func `samples that are made today are answered as those are`() throws {
        let (files, answers) = try Self.made()
        guard let folder = ProcessInfo.processInfo.environment["THUMBTURN_FREEZE_AUDIT"].map({ $0 + "/ledger/" }) else {
            #expect(try answers == VectorFile<AuditSample>.load("audit/ledger/index.json").tests)
            return
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, bytes) in files where !FileManager.default.fileExists(atPath: folder + name) {
            try Data(bytes).write(to: URL(fileURLWithPath: folder + name))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let written = AuditSampleIndex(
            origin: "made by LedgerSampleTests; keys and events are a test's",
            count: answers.count,
            tests: answers
        )
        try encoder.encode(written).write(to: URL(fileURLWithPath: folder + "index.json"))
    }

    /// All files with their names, and what they answer: with no key, and one of them with each.
    private static func made() throws -> ([String: [UInt8]], [AuditSample]) {
        let (exports, keys) = (try LedgerSampleMaker().files(), try LedgerSampleMaker.keys())
        var files = keys.mapValues { Array($0.map(SamplePEM.text).joined().utf8) }
        var answers: [AuditSample] = []
        for (name, bytes) in exports.sorted(by: { $0.key < $1.key }) {
            files[name + ".jsonl"] = bytes
            answers.append(AuditSample(file: name + ".jsonl", exportVerdict(on: bytes)))
        }
        for (file, names) in [
            ("whole", ["log.pem"]), ("whole", ["next.pem"]), ("whole", ["both.pem"]),
            ("whole", ["other.pem", "log.pem"]),
            ("whole", ["other.pem"]), ("two-keys-at-first", ["log.pem"]), ("two-keys-at-first", ["both.pem"]),
            ("key-unnamed", ["log.pem"]), ("key-unnamed", ["both.pem"]), ("earlier", ["log.pem"]),
        ] {
            let pinned = try names.flatMap { try #require(keys[$0]) }
            let bytes = try #require(exports[file])
            answers.append(AuditSample(file: file + ".jsonl", keys: names, exportVerdict(on: bytes, pinned: pinned)))
        }
        return (files, answers)
    }

    private static func read(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: folder + name)))
    }

    private static func keys(_ sample: AuditSample) throws -> [[UInt8]]? {
        let keys = try sample.keys.flatMap { try SamplePEM.keys(in: String(decoding: read($0), as: UTF8.self)) }
        return keys.isEmpty ? nil : keys
    }

    private static func exports() throws -> Set<String> {
        try Set(FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".jsonl") })
    }
}
