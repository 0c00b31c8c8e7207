import Foundation
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

/// What an export of `Tests/Vectors/audit` must answer, as `index.json` says it.
struct AuditSample: Codable, Equatable {
    /// The file's name.
    let file: String
    /// The names of the keys that are given with it.
    var keys: [String] = []
    /// How a verifier ends: 0, 4, or 2.
    let exit: Int
    /// What is wrong, as our verifier calls it; nil for a good one.
    var finding: String?
    /// The record of a device's export that is named.
    var record: UInt64?
    /// The leaf of a service's export that is named, the first of them.
    var leaf: UInt64?

    init(file: String, keys: [String] = [], _ verdict: Result<ExportVerifier.Summary, ExportVerifier.Finding>) {
        (self.file, self.keys) = (file, keys)
        switch verdict {
        case .success: exit = 0
        case .failure(.device(let found)):
            exit = found.isNoExport ? 2 : 4
            finding = String(describing: found)
            record = found.seq
        case .failure(.ledger(let found)):
            exit = 4
            // Its name alone: a fingerprint and a device are another's each time.
            finding = String(String(describing: found).prefix { $0 != "(" })
            leaf = found.leaves?.lowerBound
        }
    }
}

/// Makes the samples: good exports, and others that differ from one in one thing each.
struct AuditSampleMaker {
    private static let count = 4
    private let trail: TestTrail
    /// Header, device, records 0 to 3, head.
    private let lines: [String]

    init() throws {
        trail = try TestTrail(count: Self.count)
        lines = try trail.lines().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The files by their names.
    func files() throws -> [String: [UInt8]] {
        var files: [String: String] = [
            "whole": lines.joined(), "forms": try signed { bodies, _ in try Self.widen(&bodies) },
            "one": try signed { bodies, _ in bodies = [bodies[0]] }, "empty": "", "text": "This is no export.\n",
            "bom": "\u{FEFF}" + lines.joined(), "crlf": lines.map { $0.dropLast() + "\r\n" }.joined(),
            "cut-header": String(lines[0].dropLast()), "cut-line": String(lines.joined().dropLast(300)),
            "no-newline": String(lines.joined().dropLast()), "trailing": lines.joined() + "\n",
            "twice": lines.joined() + lines.joined(),
        ]
        for (name, change) in try moves() { files[name] = try changed(change) }
        for (name, line, text, other) in Self.edits {
            files[name] = try changed { $0[line] = try $0[line].exchanging(text, other) }
        }
        for (name, text, other) in Self.forms {
            files["form-" + name] = try signed { bodies, _ in bodies[1] = try bodies[1].exchanging(text, other) }
        }
        for (name, text, other) in Self.heads {
            files["head-" + name] = try signed { _, head in head = try head.exchanging(text, other) }
        }
        files["forged"] = try signed(with: TestTrail.scalar(2)) { bodies, _ in
            bodies[1] = try bodies[1].exchanging("\"attemptCount\":2", "\"attemptCount\":0")
        }
        return files.mapValues { Array($0.utf8) }
    }

    private func changed(_ change: (inout [String]) throws -> Void) rethrows -> String {
        var lines = lines
        try change(&lines)
        return lines.joined()
    }

    /// Lines that went, came twice, changed places, or come from elsewhere.
    private func moves() throws -> [(String, (inout [String]) throws -> Void)] {
        func text(_ trail: TestTrail) throws -> [String] {
            try trail.lines().map { String(decoding: $0, as: UTF8.self) }
        }
        let epoch = try text(TestTrail(count: Self.count, epoch: 8))
        let key = try text(TestTrail(count: Self.count, scalar: TestTrail.scalar(2)))
        let rehashed = try trail.remade(from: 1, attempts: 77, relinking: false)[1].wrapped
        return [
            ("missing", { $0.remove(at: 3) }), ("missing-first", { $0.remove(at: 2) }),
            ("missing-device", { $0.remove(at: 1) }),
            ("missing-end", { $0.remove(at: 5) }), ("cut", { $0.removeLast(2) }), ("cut-head", { $0.removeLast() }),
            ("doubled", { $0.insert($0[3], at: 4) }), ("swapped", { $0.swapAt(3, 4) }),
            ("empty-line", { $0.insert("\n", at: 3) }),
            ("long-line", { $0[3] = String(repeating: "7", count: 5_000) + "\n" }),
            ("other-epoch", { $0[4] = epoch[4] }), ("other-device", { $0[2...] = key[2...] }),
            ("rehashed", { $0[3] = String(decoding: rehashed, as: UTF8.self) }),
            (
                "missing-end-recounted",
                {
                    $0.remove(at: 5)
                    $0[0] = try $0[0].exchanging("\"to\":4", "\"to\":3")
                }
            ),
        ]
    }

    /// One text of one line that is another: name, line, text, other.
    private static let edits: [(String, Int, String, String)] = [
        ("version-2", 0, "\"version\":1", "\"version\":2"), ("service", 0, "\"device\"", "\"ledger.example\""),
        ("from-1", 0, "\"from\":0", "\"from\":1"), ("header-spaced", 0, ":{", ": {"),
        ("uncounted", 0, "\"to\":4", "\"to\":3"), ("overcounted", 0, "\"to\":4", "\"to\":5"),
        ("device-off-curve", 1, "Sg==", "Sw=="), ("device-base64", 1, "Sg==", "Sh=="),
        ("device-algorithm", 1, "p256", "p384"),
        ("device-id", 1, "\"deviceId\":\"0", "\"deviceId\":\"1"),
        ("changed", 3, "PASSWORD_AUTH_FAILURE", "PASSWORD_AUTH_FALLBACK"), ("changed-time", 5, "T12:", "T11:"),
        ("changed-head", 6, "2026-", "2025-"), ("changed-hash", 2, "\"hash\":\"2ec0", "\"hash\":\"2ec1"),
        ("changed-nonce", 6, "paWl", "AAAA"), ("changed-signature", 6, "\"signature\":\"ME", "\"signature\":\"MA"),
        ("changed-name", 6, "{\"head\"", "{\"heads\""),
    ]

    /// Record 1 in another form, where hashes, links and signature are right: name, text, other.
    private static let forms: [(String, String, String)] = [
        ("space", ",\"seq\"", ", \"seq\""), ("twice", "\"seq\":1", "\"seq\":1,\"seq\":1"),
        ("order", "\"seq\":1,\"storyId\":\"PD-107\"", "\"storyId\":\"PD-107\",\"seq\":1"),
        ("fraction", "\"seq\":1", "\"seq\":1.0"), ("exponent", "\"seq\":1", "\"seq\":1e0"),
        ("true", "\"seq\":1", "\"seq\":true"),
        ("null", "\"user-1\"", "null"), ("text", "\"v\":1", "\"v\":\"1\""), ("v", "\"v\":1", "\"v\":2"),
        ("minus-zero", failures, "\"attemptCount\":-0"), ("negative", failures, "\"attemptCount\":-1"),
        ("2-32", failures, "\"attemptCount\":4294967296"), ("nan", failures, "\"attemptCount\":NaN"),
        ("2-53", failures, failures + ",\"unlockDurationMs\":9007199254740992"),
        ("surrogate", "user-1", "\\ud800"), ("escape", "user-1", "\\u0075ser-1"), ("control", "user-1", "user\u{1}"),
        ("word", "user-1", "user 1"), ("word-newline", "user-1", "user-1\\n"), ("digits", "user-1", "user-\u{661}"),
        ("word-long", "user-1", String(repeating: "u", count: 65)),
        ("long", "user-1", String(repeating: "u", count: 4_000)),
        ("deep", "{\(failures)}", String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)),
        ("member", "\"v\":1", "\"v\":1,\"w\":1"), ("payload", failures, failures + ",\"note\":\"x\""),
        ("without", "\"storyId\":\"PD-107\",", ""), ("type", "PASSWORD_AUTH_FAILURE", "DOOR_OPENED"),
        ("sensor", failures, failures + ",\"biometryType\":\"IRIS\""),
        ("uuid-4", "-7001-8000-", "-4001-8000-"), ("uuid-upper", "019c5c26", "019C5C26"),
        ("date", "2026-02-14", "2026-02-29"), ("second", "12:35:56", "12:35:60"), ("zone", "56.123Z", "56.123z"),
        ("count-alone", failures, failures + ",\"count\":2"),
        ("count-one", failures, failures + ",\"count\":1,\"until\":\"2026-02-14T12:34:56.123Z\""),
        ("former-half", failures, failures + ",\"formerEpoch\":\"\(zeros.prefix(32))\",\"formerSeq\":1"),
        ("former-alone", failures, failures + ",\"formerHash\":\"\(zeros)\",\"formerSeq\":1"),
    ]
    private static let failures = "\"attemptCount\":2"
    private static let zeros = String(repeating: "0", count: 64)

    /// Another head that is signed as it stands: name, text, other.
    private static let heads: [(String, String, String)] = [
        ("epoch", "\"epoch\":\"0", "\"epoch\":\"1"), ("behind", "\"seq\":3", "\"seq\":2"),
        ("ahead", "\"seq\":3", "\"seq\":4"),
        ("fraction", "\"seq\":3", "\"seq\":3.0"), ("member", "\"seq\":3", "\"seq\":3,\"size\":4"),
        ("short-nonce", "paWlpaWlpaWlpaWlpaWlpQ==", "paWlpaWlpaWlpaWlpaWl"), ("date", "2026-02-15", "2026-02-30"),
    ]

    /// The values at the ends of their ranges.
    private static func widen(_ bodies: inout [String]) throws {
        let word = String(repeating: "z", count: 64)
        bodies[1] = try bodies[1].exchanging("2026-02-14T12:35", "0000-02-29T23:59")
            .exchanging(failures, "\"attemptCount\":4294967295,\"reason\":\"\(word)\"")
        bodies[2] = try bodies[2].exchanging("2026-02-14T12:36", "9999-12-31T00:00")
            .exchanging("\"owner\"", "\".\",\"unlockDurationMs\":9007199254740991")
    }

    /// The export with other bodies of records or another head, whose hashes, links, count and signature are made anew.
    private func signed(
        with scalar: [UInt8] = TestTrail.scalar(1),
        _ edit: (inout [String], inout String) throws -> Void
    ) throws -> String {
        var bodies = trail.records.map { String(decoding: $0.body, as: UTF8.self) }
        // The head's content, without its signature.
        var head = String(lines[6].dropFirst("{\"head\":".count).prefix { $0 != "}" })
        head = String(head.prefix(upTo: head.range(of: ",\"signature\"")?.lowerBound ?? head.endIndex)) + "}"
        try edit(&bodies, &head)
        var (records, link) = ("", try trail.genesis.hexadecimal)
        for (body, former) in zip(bodies, trail.records.map(\.previous)) {
            let body = try body.exchanging(former.hexadecimal, link)
            link = SHA256.digest(Array("thumbturn.audit.event.v1\n\(body)".utf8)).hexadecimal
            records += "{\"record\":\(try body.exchanging("{\"prevHash", "{\"hash\":\"\(link)\",\"prevHash"))}\n"
        }
        head = try head.exchanging(trail.head.hexadecimal, link)
        if bodies.count != Self.count { head = try head.exchanging("\"seq\":3", "\"seq\":\(bodies.count - 1)") }
        let header = try lines[0].exchanging("\"to\":4", "\"to\":\(bodies.count)")
        let both = "{\"head\":\(head),\"header\":\(header.dropFirst("{\"header\":".count).dropLast(2))}"
        let key = try P256PrivateKey(scalar: SecretBytes(of: scalar))
        let signature = try TextCode.base64.encode(key.sign(Array("thumbturn.audit.export.v1\n\(both)".utf8)))
        let end = "\(head.dropLast()),\"signature\":\"\(String(decoding: signature, as: UTF8.self))\"}"
        return header + lines[1] + records + "{\"head\":\(end)}\n"
    }
}
