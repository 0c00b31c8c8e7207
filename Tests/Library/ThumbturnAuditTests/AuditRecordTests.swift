import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAudit

@Suite struct AuditRecordTests {
    private struct Vector: Decodable {
        let body, hash, line: String
    }

    @Test(.holds("P-107-09")) func `records that another program made are read, hashed and chained as there`() throws {
        let vectors = try VectorFile<Vector>.load("audit/chain.json").tests
        let trail = try TestTrail(count: 0)
        var chain = try AuditChain(deviceId: TestTrail.device, epoch: trail.epoch, publicKey: trail.publicKey)
        for vector in vectors {
            let record = try AuditRecord(reading: Array(vector.line.utf8))
            #expect(record.body == Array(vector.body.utf8))
            #expect(record.hash.hexadecimal == vector.hash)
            #expect(record.line == Array(vector.line.utf8))
            try chain.take(record)
        }
        #expect(chain.next == UInt64(vectors.count))
    }

    @Test(.holds("P-107-09")) func `a record holds every member of the audit record, but those of the service`() throws
    {
        let record = try TestTrail(count: 3).records[1]
        let text = String(decoding: record.line, as: UTF8.self)
        let members = [
            "eventId", "eventType", "userId", "deviceId", "storyId", "tsClient", "payload", "biometryType",
            "attemptCount", "unlockDurationMs", "integrity", "hash", "prevHash", "v", "epoch", "seq",
        ]
        // This one is a success; a reason is in others.
        for member in members where member != "biometryType" && member != "unlockDurationMs" {
            #expect(text.contains("\"\(member)\":"), "\(member)")
        }
        #expect(
            try String(decoding: TestTrail(count: 6).records[5].line, as: UTF8.self).contains(
                "\"unlockDurationMs\":420"
            )
        )
        for member in ["tsServer", "signature", "signatureKeyId"] { #expect(!text.contains(member)) }
    }

    @Test(arguments: AuditEventKind.allCases) func `a record is made and read as the same`(kind: AuditEventKind) throws
    {
        let former = AuditPayload.Former(
            epoch: .make(),
            last: AuditPayload.Former.Last(seq: 1 << 53 - 1, hash: RandomBytes.make(32))
        )
        let payloads = [
            AuditPayload(), AuditPayload(biometryType: BiometricCapability.BiometryType.none, attemptCount: .max),
            AuditPayload(biometryType: .faceID, unlockDuration: .zero, reason: "a.B_9-"),
            AuditPayload(run: AuditPayload.Run(count: 2, until: Self.at), former: former),
            AuditPayload(former: AuditPayload.Former(epoch: .make(), last: nil)),
        ]
        for payload in payloads {
            let record = try Self.record(kind, payload: payload)
            #expect(record.payload == payload && record.kind == kind && record.at == Self.at)
            #expect(try AuditRecord(reading: record.line) == record)
            #expect(record.line.count < 1_024, "the file grows by 1 KiB an event at most")
        }
    }

    @Test(.holds("A47")) func `a clock of any year and a duration of any length have a form`() throws {
        for time in [Int64.min, -1, 0, .max].map({ Milliseconds($0) }) {
            let run = AuditPayload.Run(count: 2, until: time)
            let record = try Self.record(at: time, payload: AuditPayload(unlockDuration: time, run: run))
            #expect(record.at.utcText == time.utcText && record.payload.run?.until.utcText == time.utcText)
            #expect((0...(1 << 53 - 1)).contains(try #require(record.payload.unlockDuration).count))
        }
    }

    @Test func `what has no form is no record`() throws {
        let digest = RandomBytes.make(32)
        func former(_ seq: UInt64, _ hash: [UInt8]) -> AuditPayload {
            AuditPayload(
                former: AuditPayload.Former(epoch: .make(), last: AuditPayload.Former.Last(seq: seq, hash: hash))
            )
        }
        let payloads = [
            AuditPayload(reason: ""), AuditPayload(reason: String(repeating: "a", count: 65)),
            AuditPayload(reason: "a b"),
            AuditPayload(reason: "é"), AuditPayload(run: AuditPayload.Run(count: 1, until: Self.at)),
            former(1 << 53, digest), former(.max, digest), former(1, []), former(1, Array(digest.dropLast())),
        ]
        for payload in payloads {
            #expect(throws: AuditError.malformed) { try Self.record(payload: payload) }
        }
        #expect(throws: AuditError.malformed) { try Self.record(seq: 1 << 53) }
        #expect(throws: AuditError.malformed) { try Self.record(userId: "") }
        #expect(throws: AuditError.malformed) { try Self.record(userId: "a@b") }
        #expect(throws: AuditError.malformed) { try Self.record(previous: Array(digest.dropLast())) }
        #expect(throws: AuditError.malformed) { try Self.record(eventId: Identifier(high: 1, low: 1)) }
    }

    @Test(.holds("A42"), arguments: ["\"seq\":1,", "PASSWORD_AUTH_FAILURE", "user-1", "\"attemptCount\":2", "12:35"])
    func `a record whose content was changed is told from one that has no form`(text: String) throws {
        let line = try TestTrail(count: 2).records[1].line
        let changes = [
            "\"seq\":1,": "\"seq\":2,", "PASSWORD_AUTH_FAILURE": "PASSWORD_AUTH_FALLBACK", "user-1": "user-2",
            "\"attemptCount\":2": "\"attemptCount\":0", "12:35": "12:36",
        ]
        let changed = try line.replacing(text, with: #require(changes[text]))
        #expect(throws: AuditError.changed) { try AuditRecord(reading: changed) }
    }

    @Test(
        .holds("A42"),
        arguments: [
            // Another form of the same values.
            ("{\"deviceId\"", " {\"deviceId\""), (",\"epoch\"", ", \"epoch\""), ("\"v\":1}", "\"v\":1}\n"),
            ("\"v\":1}", "\"v\":1.0}"), ("\"v\":1}", "\"v\":1e0}"), ("\"seq\":1,", "\"seq\":01,"),
            ("\"attemptCount\":2", "\"attemptCount\":-0"), ("\"attemptCount\":2", "\"attemptCount\":2.0"),
            ("user-1", "\\u0075ser-1"), ("PD-107", "PD\\u002d107"), ("PD-107", "PD\\/107"),
            ("\"seq\":1,\"storyId\":\"PD-107\"", "\"storyId\":\"PD-107\",\"seq\":1"),
            ("\"v\":1}", "\"v\":1,\"v\":1}"), ("\"seq\":1,", "\"seq\":1,\"seq\":1,"),
            ("\"attemptCount\":2", "\"attemptCount\":2,\"attemptCount\":2"), ("{\"deviceId\"", "\u{FEFF}{\"deviceId\""),
            // A member too many, too few, or of another type.
            ("\"v\":1}", "\"v\":1,\"w\":1}"), ("\"v\":1}", "\"v\":2}"), (",\"v\":1}", "}"),
            ("\"v\":1}", "\"v\":\"1\"}"),
            ("\"v\":1}", "\"v\":true}"), ("\"seq\":1,", ""), ("\"seq\":1,", "\"seq\":null,"), ("\"user-1\"", "null"),
            ("\"seq\":1,", "\"seq\":-1,"), ("\"seq\":1,", "\"seq\":9007199254740992,"),
            ("\"seq\":1,", "\"seq\":18446744073709551617,"), ("PD-107", "PD-108"),
            ("\"tsClient\"", "\"signature\":\"\",\"tsClient\""), ("\"userId\"", "\"tsServer\":\"\",\"userId\""),
            ("{\"attemptCount\":2}", "{}"), ("{\"attemptCount\":2}", "[]"), ("{\"attemptCount\":2}", "2"),
            ("\"attemptCount\":2", "\"attemptCount\":4294967296"),
            ("\"attemptCount\":2", "\"attemptCount\":2,\"biometryType\":\"IRIS\""),
            ("\"attemptCount\":2", "\"attemptCount\":2,\"biometryType\":\"TOUCH_ID\",\"count\":2"),
            ("\"attemptCount\":2", "\"attemptCount\":2,\"count\":1,\"until\":\"2026-02-14T12:34:56.123Z\""),
            ("\"attemptCount\":2", "\"attemptCount\":2,\"until\":\"2026-02-14T12:34:56.123Z\""),
            ("\"attemptCount\":2", "\"attemptCount\":2,\"formerSeq\":1"),
            (
                "\"attemptCount\":2",
                "\"attemptCount\":2,\"formerEpoch\":\"00000000000000000000000000000005\",\"formerSeq\":1"
            ),
            ("\"attemptCount\":2", "\"attemptCount\":2,\"reason\":\"no space\""),
            ("\"attemptCount\":2", "\"attemptCount\":2,\"reason\":\"\""),
            ("\"attemptCount\":2", "\"attemptCount\":2,\"unlockDurationMs\":-1"),
            // Values of another form.
            ("PASSWORD_AUTH_FAILURE", "PASSWORD_AUTH_FAILURES"),
            ("PASSWORD_AUTH_FAILURE", "PASSWORD_AUTH_FALLBAC\u{212A}"), ("PASSWORD_AUTH", "password_auth"),
            ("user-1", ""),
            ("user-1", "user 1"), ("user-1", "\\ud800"), ("user-1", "us\u{212A}r"),
            ("0123456789abcdef0123456789abcdef", "0123456789ABCDEF0123456789abcdef"),
            ("0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcde"),
            ("12:35:56.123Z", "12:35:56.123+00:00"), ("12:35:56.123Z", "12:35:56Z"), ("12:35:56", "12:35:60"),
            ("2026-02-14", "2026-02-29"), ("\"019c5c26-", "\"019C5C26-"), ("\"019c5c26-", "\"019c5c260"),
            ("-7001-8000-", "-4001-8000-"), ("-7001-8000-", "-7001-c000-"),
        ]
    )
    func `what differs in form from a record is none`(text: String, other: String) throws {
        let line = try TestTrail(count: 2).records[1].line
        let (changed, note) = (try line.replacing(text, with: other), "\(text) → \(other)")
        #expect(changed != line)
        #expect(throws: AuditError.malformed, "\(note)") { try AuditRecord(reading: changed) }
        // With a hash that fits it.
        #expect(throws: AuditError.malformed, "\(note)") { try AuditRecord(reading: Self.rehashed(changed)) }
    }

    @Test func `a hash of another form is none`() throws {
        let record = try TestTrail(count: 2).records[1]
        let hash = record.hash.hexadecimal
        for other in [hash.uppercased(), String(hash.dropLast()), "", hash + "00", String(repeating: "é", count: 32)] {
            #expect(throws: AuditError.malformed) { try AuditRecord(reading: record.line.replacing(hash, with: other)) }
        }
        #expect(throws: AuditError.malformed) { try AuditRecord(reading: record.body) }
    }

    @Test func `what is longer than 4 KiB, deep or empty is none`() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000)
        for line in [[], deep, [UInt8](repeating: 0x20, count: 4_097), [UInt8](repeating: 0x7B, count: 1 << 20)] {
            #expect(throws: AuditError.malformed) { try AuditRecord(reading: line) }
        }
    }

    @Test(.holds("A42"), arguments: Array<UInt64>(1...4))
    func `what is read as a record is what writing it again gives`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let lines = try TestTrail(count: 6).records.map(\.line)
        var accepted = 0
        for number in 0..<4_000 {
            var line = lines[number % lines.count]
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let place = Int.random(in: line.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: line[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                case 1: line[place] = Array("0123456789abcdef,:\"{}-".utf8).randomElement(using: &generator) ?? 0
                case 2: line.remove(at: place)
                default: line.insert(line[place], at: place)
                }
            }
            line = Self.rehashed(line)
            guard let record = try? AuditRecord(reading: line) else { continue }
            accepted += 1
            let again = try AuditRecord(
                eventId: record.eventId,
                kind: record.kind,
                userId: record.userId,
                deviceId: record.deviceId,
                at: record.at,
                epoch: record.epoch,
                seq: record.seq,
                payload: record.payload,
                previous: record.previous
            )
            #expect(again == record && again.line == line, "seed \(seed), number \(number)")
        }
        #expect(accepted > 100, "the mutants were all refused")
    }

    /// The line with the hash that its content has now, if it still has both.
    private static func rehashed(_ line: [UInt8]) -> [UInt8] {
        let marker = Array("\"integrity\":{".utf8)
        guard let start = line.indices.first(where: { line[$0...].starts(with: marker) }) else { return line }
        let member = start + marker.count
        guard member + 74 <= line.count else { return line }
        let body = Array(line[..<member] + line[(member + 74)...])
        let hash = SHA256.digest(Array("thumbturn.audit.event.v1\n".utf8), body).hexadecimal
        return Array(line[..<member]) + Array("\"hash\":\"\(hash)\",".utf8) + Array(line[(member + 74)...])
    }

    private static let at = TestTrail.start

    private static func record(
        _ kind: AuditEventKind = .biometricSuccess,
        eventId: Identifier = Identifier(uuid7At: at, random: .make()),
        userId: String? = "user-1",
        at: Milliseconds = at,
        seq: UInt64 = 1 << 53 - 1,
        payload: AuditPayload = AuditPayload(),
        previous: [UInt8] = RandomBytes.make(32)
    ) throws -> AuditRecord {
        try AuditRecord(
            eventId: eventId,
            kind: kind,
            userId: userId,
            deviceId: .make(),
            at: at,
            epoch: .make(),
            seq: seq,
            payload: payload,
            previous: previous
        )
    }
}
