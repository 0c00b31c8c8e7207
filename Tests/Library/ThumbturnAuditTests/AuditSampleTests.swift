import Foundation
import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

/// The samples of `Tests/Vectors/audit`: what a stranger's verifier is tried on, so ours and the example are too.
///
/// Samples are added, never made anew, once a version is released; until then
/// `THUMBTURN_FREEZE_AUDIT=Tests/Vectors/audit swift test --filter AuditSample` makes all of them.
@Suite struct AuditSampleTests {
    private static let folder = VectorFolder.own + "/audit/"

    @Test(.holds("A42", "A43")) func `each sample is answered as its index says`() throws {
        let index = try VectorFile<AuditSample>.load("audit/index.json")
        for sample in index.tests {
            let verdict = try exportVerdict(on: Self.read(sample.file), pinned: Self.keys(sample))
            let answer = AuditSample(file: sample.file, keys: sample.keys, verdict)
            #expect(answer == sample)
        }
        #expect(try Set(index.tests.map(\.file)) == Self.exports())
    }

    @Test(.holds("A42", "A43"), .enabled(if: ExamplePython.verifies, "python3 has no package cryptography"))
    func `a verifier in another language, written from the page, answers alike`() throws {
        let samples = try VectorFile<AuditSample>.load("audit/index.json").tests
        // Too large to lie there.
        let (folder, line) = (try TemporaryFolder(), [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20))
        try folder.write(line, to: "long.jsonl")
        try folder.write(Array((Self.read("whole.jsonl").lines[..<4] + [line]).joined()), to: "long-record.jsonl")
        let answers = try ExamplePython.verify(
            samples.map { [Self.folder + $0.file] + $0.keys.flatMap { ["--key", Self.folder + $0] } }
                + [[folder.file("long.jsonl")], [folder.file("long-record.jsonl")], [folder.file("none.jsonl")]]
        )
        try #require(answers.count == samples.count + 3)
        for (sample, answer) in zip(samples, answers) {
            #expect(answer.exit == sample.exit && answer.record == sample.record, "\(sample.file): \(answer.text)")
            #expect(answer.leaf == sample.leaf, "\(sample.file): \(answer.text)")
        }
        #expect(answers.suffix(3).map(\.exit) == [2, 4, 3])
        #expect(answers[samples.count + 1].record == 2)
    }

    @Test func `the page and the example name each type of event`() throws {
        for file in ["docs/audit-format.md", "Examples/verify_audit.py"] {
            let words = try String(decoding: Self.read("../../../" + file), as: UTF8.self)
                .split { !$0.isLetter && $0 != "_" }
            for kind in AuditEventKind.allCases {
                #expect(words.contains { $0 == kind.name }, "\(kind.name) in \(file)")
            }
        }
    }

    @Test func `samples that are made today are answered as those are`() throws {
        let (files, answers) = try Self.made()
        guard let folder = ProcessInfo.processInfo.environment["THUMBTURN_FREEZE_AUDIT"] else {
            #expect(try answers == VectorFile<AuditSample>.load("audit/index.json").tests)
            return
        }
        for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let written = AuditSampleIndex(count: answers.count, tests: answers)
        try encoder.encode(written).write(to: URL(fileURLWithPath: folder + "/index.json"))
    }

    /// All files with their names, and what they answer: with no key, and one of them with each.
    private static func made() throws -> ([String: [UInt8]], [AuditSample]) {
        let exports = try AuditSampleMaker().files()
        let keys = [
            "device.pem": try TestTrail(count: 0), "other.pem": try TestTrail(count: 0, scalar: TestTrail.scalar(2)),
        ]
        var files = try keys.mapValues { try Array(SamplePEM.text(of: $0.publicKey).utf8) }
        var answers: [AuditSample] = []
        for (name, bytes) in exports.sorted(by: { $0.key < $1.key }) {
            files[name + ".jsonl"] = bytes
            answers.append(AuditSample(file: name + ".jsonl", exportVerdict(on: bytes)))
        }
        let whole = try #require(exports["whole"])
        for names in [["device.pem"], ["other.pem"], ["other.pem", "device.pem"]] {
            let pinned = try names.map { try #require(keys[$0]).publicKey }
            answers.append(AuditSample(file: "whole.jsonl", keys: names, exportVerdict(on: whole, pinned: pinned)))
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
