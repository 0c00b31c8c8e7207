import Foundation
import Testing
import ThumbturnAudit
import ThumbturnConsole
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnCommand

/// `audit verify` on a service's export, on the samples that strangers' verifiers are tried on.
struct LedgerVerifyTests {
    private static func sample(_ name: String) -> String { VectorFolder.own + "/audit/ledger/" + name }

    @Test(.holds("F-107-10")) func `a service's export is told with its log, its head and its keys`() throws {
        let box = try Box()
        let verified = try box.run(["audit", "verify", Self.sample("whole.jsonl"), "--key", Self.sample("log.pem")])
        #expect(verified.exitCode == 0 && verified.standardError.isEmpty, "\(verified)")
        let text = AuditLogTests.plain(verified.standardOutput)
        #expect(text[0] == "Whole, and signed by a log whose key you gave.")
        #expect(text.contains("log          ledger.example") && text.contains("events       4"), "\(text)")
        #expect(
            text.contains { $0.hasPrefix("head         6 ") } && text.contains("  1  new key of the log"),
            "\(text)"
        )
        #expect(text.filter { $0.hasPrefix("key          ") }.count == 2)
        #expect(Folders.isAbsent(box.vault) && Folders.isAbsent(box.device))
        let french = try box.run(
            ["audit", "verify", Self.sample("revoked.jsonl")],
            nil,
            ["LANG": "fr_FR.UTF-8"]
        ).standardOutput
        #expect(french.contains("Rien n'a été comparé") && french.contains("\nRemarque : L'appareil "), "\(french)")
        let json = try box.json(["audit", "verify", Self.sample("whole.jsonl"), "--key", Self.sample("both.pem")])
        #expect(json["isWhole"] as? Bool == true && json["isPinned"] as? Bool == true && json["count"] as? Int == 4)
        #expect((json["keys"] as? [[String: Any]])?.map { $0["isPinned"] as? Bool } == [true, true])
        let piped = try box.shell("\"$0\" audit verify - < '\(Self.sample("whole.jsonl"))'")
        #expect(piped.exitCode == 0 && piped.standardOutput.contains("Nothing was compared"), "\(piped)")
    }

    @Test(.holds("A42")) func `the event of the log that was changed is named`() throws {
        let box = try Box()
        func refused(_ name: String, _ rest: [String] = []) throws -> ChildProcess {
            let refused = try box.run(["audit", "verify", Self.sample(name)] + rest)
            #expect(refused.exitCode == 4 && refused.standardOutput.isEmpty, "\(refused)")
            #expect(refused.standardError.contains("ERR-TT-222"), "\(refused)")
            return refused
        }
        #expect(try refused("changed.jsonl").standardError.contains("Event 2 of the log was changed after"))
        #expect(try refused("changed-entry.jsonl").standardError.contains("One of the events 0 to 2 of the log"))
        #expect(try refused("cut.jsonl").standardError.contains("it ends where event 5 of the log"))
        let gap = try refused("chain-gap.jsonl").standardError
        #expect(
            gap.contains("Event 1 of the log does not continue its trail: the trail's events 1 to 1 are missing"),
            "\(gap)"
        )
        let other = try refused("whole.jsonl", ["--key", Self.sample("other.pem")]).standardError
        #expect(
            other.contains("The log's first key is none of those given") && other.contains("where keys were rotated"),
            "\(other)"
        )
        let later = try refused("whole.jsonl", ["--key=\(Self.sample("next.pem"))"]).standardError
        #expect(later.contains("first key is none of those given"), "\(later)")

        let json = try box.json(["audit", "verify", Self.sample("changed.jsonl")])
        #expect(
            json["isWhole"] as? Bool == false && json["index"] as? Int == 2 && json["lastIndex"] as? Int == 2,
            "\(json)"
        )
        #expect(json["seq"] is NSNull && (json["error"] as? [String: Any])?["code"] as? String == "ERR-TT-222")
        let chain = try box.json(["audit", "verify", Self.sample("chain-gap.jsonl")])
        #expect(chain["seq"] as? Int == 1 && chain["deviceId"] as? String == "0123456789abcdef0123456789abcdef")
        let entry = try box.json(["audit", "verify", Self.sample("changed-entry.jsonl")])
        #expect(entry["index"] as? Int == 0 && entry["lastIndex"] as? Int == 2)
    }

    @Test(.holds("F-107-10", "A43")) func `a remark does not make an export fail`() throws {
        let box = try Box()
        for (name, told, kind) in [
            ("revoked", "wrote 1 event after it was revoked, from event 2 of the log on", "revoked"),
            ("chain-cut", "has 0 events here, and the next trail tells of 10000", "cut"),
            ("restored", "in place of ledger.example with 9 events", "restored"),
            ("forked", "went on in two ways: it ends with event 1 of the log", "forked"),
        ] {
            let verified = try box.run(["audit", "verify", Self.sample(name + ".jsonl")])
            #expect(verified.exitCode == 0 && verified.standardOutput.contains(told), "\(name): \(verified)")
            #expect(verified.standardOutput.contains("\nRemark: "))
            let json = try box.json(["audit", "verify", Self.sample(name + ".jsonl")])
            #expect((json["remarks"] as? [[String: Any]])?.map { $0["kind"] as? String } == [kind])
        }
    }

    // Words.

    /// One finding of each case.
    private static let findings: [LedgerFinding] = [
        .keyMalformed, .keysUnordered, .keyUnknown(fingerprint: "7f"), .keyUnnamed(fingerprint: "7f"),
        .keyElsewhere(fingerprint: "7f"), .keyUnlisted(id: "7f"), .leafMalformed(7), .leafUncounted(7),
        .leafElsewhere(7, found: 8), .recordChanged(7),
        .recordUnchained(7, device: device, .recordsMissing(from: 1, through: 2)),
        .recordUnchained(7, device: device, .recordRepeated(1, before: 2)),
        .recordUnchained(7, device: device, .recordUnchained(1)), .recordForked(7), .deviceMissing(7),
        .deviceMalformed(7), .deviceIdle(7), .signatureElsewhere(7), .timeFell(7), .uploadMissing(7),
        .uploadMalformed(7), .uploadElsewhere(7), .uploadUnsigned(7), .uploadIdle(7), .checkpointMalformed(from: 7),
        .checkpointElsewhere(from: 7, size: 9), .checkpointUnsigned(from: 7), .leavesMissing(from: 7, through: 8),
        .leavesChanged(from: 7, through: 7), .leavesChanged(from: 7, through: 8), .otherFace(size: 7), .cutOff(at: 7),
        .trailing,
    ]
    private static let device = Identifier(high: 1, low: 2)

    @Test(.holds("A42")) func `each finding says in both languages which event, and what to do`() {
        for finding in Self.findings {
            let failure = Failure(finding)
            #expect(failure.exitCode == 4, "\(finding)")
            for language in Language.allCases {
                let told = failure.message(in: language)
                if let leaves = finding.leaves, case .checkpointElsewhere = finding {
                    #expect(failure.hint?.in(language).contains("\(leaves.lowerBound)") == true)
                } else if let leaves = finding.leaves {
                    #expect(told.contains("\(leaves.lowerBound)") && told.contains("\(leaves.upperBound)"), "\(told)")
                }
                #expect(told.hasSuffix(".") && !told.contains("nil"), "\(told)")
                #expect(failure.hint?.in(language).isEmpty == false)
            }
            #expect(failure.message(in: .english) != failure.message(in: .french))
        }
        for language in Language.allCases {
            #expect(Set(Self.findings.map { Failure($0).message(in: language) }).count == Self.findings.count)
        }
    }

    @Test func `each remark has words of its own in both languages`() {
        let remarks: [LedgerRemark] = [
            .revoked(device: Self.device, index: 7, count: 2),
            .forked(device: Self.device, epoch: Self.device, index: 7),
            .cut(device: Self.device, epoch: Self.device, count: 7, told: 9),
            .diverged(device: Self.device, epoch: Self.device, seq: 7), .restored(formerOrigin: "a", size: 7),
            .older(size: 7),
        ]
        for language in Language.allCases {
            let texts = remarks.map { $0.text.in(language) }
            #expect(Set(texts).count == remarks.count && texts.allSatisfy { $0.contains("7") && $0.hasSuffix(".") })
        }
    }
}
