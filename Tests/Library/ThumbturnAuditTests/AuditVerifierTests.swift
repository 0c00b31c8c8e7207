import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

@Suite struct AuditVerifierTests {
    /// Header, device, records 0 to 5, head.
    private static let count = 6
    private let trail: TestTrail
    private let lines: [[UInt8]]

    init() throws {
        trail = try TestTrail(count: Self.count)
        lines = try trail.lines()
    }

    // What is no export at all.

    @Test(arguments: [
        "", "\n", "{}", "{}\n", "PK\u{3}\u{4}", "{\"record\":{}}\n", "\u{FEFF}{\"header\":{}}\n", "[1]\n", "null\n",
        "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"device\",\"to\":0,\"version\":1}}\n",
        "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":1,\"origin\":\"device\",\"to\":6,\"version\":1}}\n",
        "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"a.example\",\"to\":6,\"version\":1}}\n",
        "{\"header\":{\"format\":\"thumbturn.audit.exports\",\"from\":0,\"origin\":\"device\",\"to\":6,\"version\":1}}\n",
        "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"device\",\"to\":6,\"version\":1.0}}\n",
        "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"device\",\"to\":-6,\"version\":1}}\n",
        "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"device\",\"to\":6,\"version\":1}} \n",
        "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"device\",\"to\":6,\"version\":1}}\r\n",
        "{\"header\":{\"format\":\"thumbturn.audit.export\",\"from\":0,\"origin\":\"device\",\"to\":6,\"version\":1}}",
        "{\"header\":{\"format\":\"thumbturn.audit.export\",\"to\":6,\"from\":0,\"origin\":\"device\",\"version\":1}}\n",
    ])
    func `a file whose first line is no header is no export`(start: String) {
        let found = finding(in: Array(start.utf8) + lines[1...].joined())
        #expect(found == .noExport && finding(in: Array(start.utf8)) == .noExport)
    }

    @Test func `a header of another version is called by it`() throws {
        for version in [0, 2, 9_007_199_254_740_991] {
            let header = try lines[0].replacing("\"version\":1", with: "\"version\":\(version)")
            #expect(finding(in: header + lines[1...].joined()) == .otherVersion(UInt64(version)))
        }
    }

    // The device.

    @Test func `a second line that is no device's is refused`() throws {
        let device = lines[1]
        let others = [
            [], lines[0], lines[2], try device.replacing("sha256", with: "sha384"), Array(" ".utf8) + device,
            try device.replacing("\"deviceId\":\"0", with: "\"deviceId\":\"A"),
            Array(device.dropLast()) + [0x0D, 0x0A],
            // A point that isn't on the curve, base64 with a bit too many, and a key of another form.
            try device.replacing("Sg==\"", with: "Sw==\""), try device.replacing("Sg==\"", with: "Sh==\""),
            try device.replacing("MFkw", with: "MFkx"),
        ]
        for other in others {
            #expect(finding(in: lines[0] + other + lines[2...].joined()) == .deviceMalformed)
        }
    }

    @Test(.holds("A42")) func `a chain doesn't begin under another device's id, epoch or key`() throws {
        let id = try lines[1].replacing("\"deviceId\":\"0", with: "\"deviceId\":\"1")
        let epoch = try lines[1].replacing("\"epoch\":\"0", with: "\"epoch\":\"1")
        for other in [id, epoch] {
            #expect(finding(in: lines[0] + other + lines[2...].joined()) == .recordForeign(0))
        }
        let key = try TestTrail(count: 1, scalar: TestTrail.scalar(2)).lines()[1]
        #expect(finding(in: lines[0] + key + lines[2...].joined()) == .recordUnchained(0))
    }

    // Records.

    @Test(.holds("A42"), arguments: 0..<count) func `a changed record is named`(seq: Int) throws {
        let edits = [
            ("\"attemptCount\":", "\"attemptCount\":1"), ("\"seq\":", "\"seq\":1"), ("T12:", "T13:"),
            ("\"hash\":\"", "\"hash\":\"\u{0}"),
        ]
        for (text, other) in edits.dropLast() {
            var changed = lines
            changed[seq + 2] = try changed[seq + 2].replacing(text, with: other)
            // `"attemptCount":0` became 10, and so on: another number, in the same form.
            #expect(finding(in: Array(changed.joined())) == .recordChanged(UInt64(seq)), "\(text)")
        }
        var changed = lines
        changed[seq + 2] = try changed[seq + 2].replacing(edits[3].0, with: edits[3].1)
        #expect(finding(in: Array(changed.joined())) == .recordMalformed(UInt64(seq)))
    }

    @Test(.holds("A42")) func `records in between that are missing, doubled or out of order are named`() throws {
        var missing = lines
        missing.removeSubrange(4...5)
        #expect(finding(in: Array(missing.joined())) == .recordsMissing(from: 2, through: 3))
        var first = lines
        first.remove(at: 2)
        #expect(finding(in: Array(first.joined())) == .recordsMissing(from: 0, through: 0))
        var doubled = lines
        doubled.insert(lines[4], at: 5)
        #expect(finding(in: Array(doubled.joined())) == .recordRepeated(2, before: 3))
        var swapped = lines
        swapped.swapAt(4, 5)
        #expect(finding(in: Array(swapped.joined())) == .recordsMissing(from: 2, through: 2))
    }

    @Test(.holds("A42")) func `a record of another epoch or device is named, and so is one that links to another`()
        throws
    {
        let other = try TestTrail(count: Self.count, epoch: 8).lines()
        var spliced = lines
        spliced[5] = other[5]
        #expect(finding(in: Array(spliced.joined())) == .recordForeign(3))
        // The same chain under another key: all agrees but the links.
        var linked = lines
        linked[5] = try TestTrail(count: Self.count, scalar: TestTrail.scalar(2)).lines()[5]
        #expect(finding(in: Array(linked.joined())) == .recordUnchained(3))
    }

    @Test(.holds("A42")) func `a changed record with a hash that fits it breaks the link behind it`() throws {
        let changed = try trail.remade(from: 3, attempts: 77, relinking: false)
        #expect(
            finding(in: Array((lines[..<2] + changed.map(\.wrapped) + lines.suffix(1)).joined())) == .recordUnchained(4)
        )
        let last = try trail.remade(from: Self.count - 1, attempts: 77, relinking: false)
        let file = Array((lines[..<2] + last.map(\.wrapped) + lines.suffix(1)).joined())
        #expect(finding(in: file) == .headElsewhere(last: UInt64(Self.count - 1)))
    }

    @Test(.holds("A42", "A44")) func `a history that was made anew to its end lacks the device's signature`() throws {
        let forged = try trail.remade(from: 3, attempts: 77, relinking: true)
        let hash = try #require(forged.last).hash.hexadecimal
        let head = try lines[Self.count + 2].replacing(trail.head.hexadecimal, with: hash)
        #expect(finding(in: Array((lines[..<2] + forged.map(\.wrapped) + [head]).joined())) == .signatureWrong)
    }

    // The end.

    @Test(.holds("A43"), arguments: 0...count) func `an end that was cut off is named, wherever it was cut`(left: Int)
        throws
    {
        let end = UInt64(left)
        let kept = Array(lines[..<(left + 2)].joined())
        #expect(finding(in: kept) == .cutOff(at: end))
        guard left < Self.count else { return }
        #expect(finding(in: kept + lines[left + 2].dropLast()) == .cutOff(at: end), "within a line")
        #expect(finding(in: kept + lines[Self.count + 2]) == .endMissing(from: end, through: 5))
        guard left > 0 else { return }
        // The head says what is left, and then the header too.
        let head = try lines[Self.count + 2]
            .replacing("\"seq\":5", with: "\"seq\":\(left - 1)")
            .replacing(trail.head.hexadecimal, with: trail.records[left - 1].hash.hexadecimal)
        #expect(finding(in: kept + head) == .countWrong(header: 6, found: end))
        let header = try lines[0].replacing("\"to\":6", with: "\"to\":\(left)")
        #expect(finding(in: header + kept.dropFirst(lines[0].count) + head) == .signatureWrong)
    }

    @Test(.holds("A43")) func `a header that counts too few or too many is refused`() throws {
        let less = try lines[0].replacing("\"to\":6", with: "\"to\":5")
        #expect(finding(in: less + lines[1...].joined()) == .recordUncounted(5))
        let more = try lines[0].replacing("\"to\":6", with: "\"to\":7")
        #expect(finding(in: more + lines[1...].joined()) == .countWrong(header: 7, found: 6))
    }

    @Test(.holds("A42")) func `a head that is another's, or changed, or not one, is refused`() throws {
        let (rest, head) = (Array(lines.dropLast().joined()), lines[Self.count + 2])
        func found(_ text: String, _ other: String) throws -> AuditFinding? {
            finding(in: rest + (try head.replacing(text, with: other)))
        }
        #expect(try found("\"deviceId\":\"0", "\"deviceId\":\"1") == .headForeign)
        #expect(try found("\"epoch\":\"0", "\"epoch\":\"1") == .headForeign)
        #expect(try found("\"seq\":5", "\"seq\":6") == .endMissing(from: 6, through: 6))
        #expect(try found("\"seq\":5", "\"seq\":4") == .headElsewhere(last: 5))
        #expect(try found("\"headHash\":\"", "\"headHash\":\"00").isSame(as: .headMalformed))
        let hash = trail.head.hexadecimal
        #expect(try found(hash, String(repeating: "0", count: 64)) == .headElsewhere(last: 5))
        #expect(try found("2026-", "2025-") == .signatureWrong)
        #expect(try found("\"nonce\":\"pa", "\"nonce\":\"pb") == .signatureWrong)
        #expect(try found("\"nonce\":\"paWl", "\"nonce\":\"") == .headMalformed)
        #expect(try found("\"signature\":\"ME", "\"signature\":\"MA") == .signatureWrong)
        #expect(try found("\"signature\":\"", "\"signature\":\" ") == .headMalformed)
        #expect(try found("{\"head\":", "{\"heads\":") == .headMalformed)
        #expect(try found(",\"seq\":5", "") == .headMalformed)
        let other = try TestTrail(count: Self.count, scalar: TestTrail.scalar(2)).lines()[Self.count + 2]
        let signature = Array(other[(other.indices.first { other[$0...].starts(with: "\"signature\"".utf8) } ?? 0)...])
        let start = head.indices.first { head[$0...].starts(with: "\"signature\"".utf8) } ?? 0
        #expect(finding(in: rest + head[..<start] + signature) == .signatureWrong, "another device signed")
    }

    @Test func `nothing follows the head`() {
        let file = Array(lines.joined())
        for more in ["\n", " ", "x", "{}\n"] { #expect(finding(in: file + Array(more.utf8)) == .trailing) }
        #expect(finding(in: file + file) == .trailing)
        #expect(finding(in: file + lines[Self.count + 2]) == .trailing)
    }

    // Bad input, in each line's place.

    @Test(arguments: [
        "", " ", "\r", "null", "1", "1.0", "-0", "{}", "[]", "{\"record\":{}}", "{\"record\":[]}", "{\"record\":}",
        "{\"record\":",
        "{\"record\":1.0}", "{\"record\":-0}", "{\"record\":9007199254740992}", "{\"record\":\"\\ud800\"}",
        "{\"record\":\"\u{FEFF}\"}",
        "{\"record\":{\"a\":1,\"a\":1}}", "\u{FEFF}{\"record\":{}}", "{\"record\":{}}\r",
        "{\"record\":{},\"record\":{}}",
        "{ \"record\":{}}", "{\"device\":{}}", "{\"header\":{}}", "{\"entry\":{}}", "{\"upload\":{}}",
    ])
    func `a line that is nothing is refused where it stands`(text: String) {
        let line = Array((text + "\n").utf8)
        #expect(finding(in: line + lines.joined()) == .noExport)
        #expect(finding(in: lines[0] + line + lines[1...].joined()) == .deviceMalformed)
        for seq in [0, 3] {
            let file = Array((lines[..<(seq + 2)] + [line] + lines[(seq + 2)...]).joined())
            #expect(finding(in: file) == .recordMalformed(UInt64(seq)))
        }
        let counted = text.hasPrefix("{\"record\":") && text.hasSuffix("}")
        #expect(
            finding(in: lines.dropLast().joined() + line + lines[Self.count + 2])
                == (counted ? .recordUncounted(6) : .headMalformed)
        )
        #expect(finding(in: lines.joined() + line) == .trailing)
    }

    @Test func `a line of a mebibyte, or one a thousand deep, is refused where it stands, at its limit`() {
        let deep = String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)
        let long = [UInt8](repeating: UInt8(ascii: "7"), count: 1 << 20)
        for junk in [long, long + [0x0A], Array("{\"record\":".utf8) + long, Array("{\"record\":\(deep)}\n".utf8)] {
            #expect(finding(in: junk) == .noExport)
            #expect(finding(in: lines[0] + junk) == .deviceMalformed)
            #expect(finding(in: lines[..<4].joined() + junk) == .recordMalformed(2))
            #expect(finding(in: lines.joined() + junk) == .trailing)
        }
        var (verifier, taken) = (AuditVerifier(), 0)
        #expect(throws: AuditFinding.recordMalformed(2)) {
            try verifier.take(Array(lines[..<4].joined()))
            for _ in 0..<(1 << 20) {
                try verifier.take([UInt8(ascii: "7")])
                taken += 1
            }
        }
        #expect(taken == 4_096 + 11, "it holds no more of a line than the longest record has")
    }

    @Test func `lines with carriage returns, a byte order mark, or without their last newline are refused`() {
        let returns = Array(lines.map { $0.dropLast() + [0x0D, 0x0A] }.joined())
        #expect(finding(in: returns) == .noExport)
        #expect(finding(in: lines[0] + returns.dropFirst(lines[0].count + 1)) == .deviceMalformed)
        #expect(finding(in: [0xEF, 0xBB, 0xBF] + lines.joined()) == .noExport)
        #expect(finding(in: lines.joined().dropLast()) == .cutOff(at: 6))
        #expect(finding(in: lines.joined().dropLast(2)) == .cutOff(at: 6))
    }

    @Test func `a finding says whether the file was an export, and which record it names`() {
        #expect(AuditFinding.noExport.isNoExport && AuditFinding.otherVersion(2).isNoExport)
        #expect(!AuditFinding.deviceMalformed.isNoExport && AuditFinding.deviceMalformed.seq == nil)
        #expect(AuditFinding.recordsMissing(from: 16, through: 17).seq == 16)
        #expect(AuditFinding.recordRepeated(3, before: 5).seq == 3)
        #expect(AuditFinding.recordChanged(17).seq == 17 && !AuditFinding.recordChanged(17).isNoExport)
    }

    @Test func `what stops the reading stops the verifier`() {
        struct Torn: Error {}
        #expect(throws: Torn.self) { try AuditVerifier.verify { () throws(Torn) -> [UInt8]? in throw Torn() } }
    }
}

func finding(in file: some Sequence<UInt8>) -> AuditFinding? { finding(in: Array(file), pinned: nil) }

extension AuditFinding? {
    func isSame(as other: AuditFinding) -> Bool { self == other }
}

extension AuditRecord {
    /// The record's line of an export.
    var wrapped: [UInt8] { Array("{\"record\":".utf8) + line + Array("}\n".utf8) }
}

extension TestTrail {
    /// The records, of which one says another number of failures; those behind it link to it, or as they did.
    func remade(from seq: Int, attempts: UInt32, relinking: Bool) throws -> [AuditRecord] {
        var records = records
        for index in seq..<(relinking ? records.count : seq + 1) {
            let former = records[index]
            var payload = former.payload
            if index == seq { payload.attemptCount = attempts }
            records[index] = try AuditRecord(
                eventId: former.eventId,
                kind: former.kind,
                userId: former.userId,
                deviceId: former.deviceId,
                at: former.at,
                epoch: former.epoch,
                seq: former.seq,
                payload: payload,
                previous: index == 0 ? former.previous : records[index - 1].hash
            )
        }
        return records
    }
}
