import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAudit

@Suite struct AuditLeafTests {
    private static let keyId = "0a1b2c3d"
    private static let signature = SHA256.digest([1]) + SHA256.digest([2])

    @Test(.holds("P-107-09")) func `a leaf is the record with the service's time, between its own and the account`()
        throws
    {
        for record in try TestTrail(count: 12).records {
            let leaf = AuditLeaf.record(record, at: TestLog.time)
            let time = #","tsServer":"2026-02-14T12:35:00.000Z""#
            let after = record.userId == nil ? #","v":1}"# : #","userId":"#
            #expect(leaf == (try record.line.replacing(after, with: time + after)))
            #expect(leaf.text.contains("\"tsClient\":\"\(record.at.utcText)\"\(time)"))
            let read = try AuditLeaf.read(leaf)
            #expect(read.content == .record(record) && read.tsServer == TestLog.time)
        }
    }

    @Test(.holds("P-107-09")) func `readers get the signature of a checkpoint and its key, within the record`() throws {
        for record in try TestTrail(count: 4).records {
            let leaf = AuditLeaf.record(record, at: TestLog.time)
            let view = AuditLeaf.view(leaf, signature: Self.signature, keyId: Self.keyId)
            let code = TextCode.base64.encode(Self.signature).text
            let before = #""prevHash":"\#(record.previous.hexadecimal)""#
            let added = #","signature":"\#(code)","signatureKeyId":"0a1b2c3d""#
            #expect(view == (try leaf.replacing(before, with: before + added)))
            let read = try AuditLeaf.read(view: view)
            #expect(read.leaf == leaf && read.signature == Self.signature && read.keyId == Self.keyId)
            #expect(throws: AuditError.malformed, "a view is no leaf") { try AuditLeaf.read(view) }
            #expect(throws: AuditError.malformed, "a leaf is no view") { try AuditLeaf.read(view: leaf) }
        }
    }

    @Test func `an entry is its own leaf, and read as it is`() throws {
        for entry in LedgerEntryTests.entries {
            let leaf = entry.leaf(at: TestLog.time)
            let read = try AuditLeaf.read(leaf)
            #expect(read.content == .entry(entry) && read.tsServer == TestLog.time)
            #expect(AuditLeaf.view(leaf, signature: Self.signature, keyId: Self.keyId) == leaf)
            #expect(throws: AuditError.malformed) { try AuditLeaf.read(view: leaf) }
        }
    }

    @Test func `a clock of any year has a form`() throws {
        let record = try TestTrail(count: 1).records[0]
        for time in [Int64.min, -1, 0, .max].map({ Milliseconds($0) }) {
            #expect(try AuditLeaf.read(AuditLeaf.record(record, at: time)).tsServer.utcText == time.utcText)
        }
    }

    @Test(.holds("A42"), arguments: [0, 1]) func `each changed byte of a leaf is refused, or its time`(seq: Int) throws
    {
        let record = try TestTrail(count: 2).records[seq]
        let leaf = AuditLeaf.record(record, at: TestLog.time)
        for changed in leaf.mutations(flipping: [1, 2, 4, 0x20, 0x80]) where changed != leaf {
            guard let read = try? AuditLeaf.read(changed) else { continue }
            #expect(read.content == .record(record) && read.tsServer != TestLog.time, "\(changed.text)")
        }
    }

    @Test(.holds("A42"), arguments: [0, 1]) func `each changed byte of a view is refused, or another's`(seq: Int) throws
    {
        let leaf = AuditLeaf.record(try TestTrail(count: 2).records[seq], at: TestLog.time)
        let view = AuditLeaf.view(leaf, signature: Self.signature, keyId: Self.keyId)
        for changed in view.mutations() where changed != view {
            guard let read = try? AuditLeaf.read(view: changed) else { continue }
            #expect((read.leaf, read.signature, read.keyId) != (leaf, Self.signature, Self.keyId), "\(changed.text)")
            #expect(AuditLeaf.view(read.leaf, signature: read.signature, keyId: read.keyId) == changed)
        }
    }

    @Test func `members in another place, or another form, are no leaf and no view`() throws {
        let leaf = AuditLeaf.record(try TestTrail(count: 2).records[1], at: TestLog.time)
        let time = #","tsServer":"2026-02-14T12:35:00.000Z""#
        let end = #","userId":"user-1","v":1}"#
        for (text, other) in [
            (time, ""), (time, time + time), (time + end, end.dropLast() + time + "}"), (time, #","tsServer":1"#),
            (time, #","tsServer":"2026-02-14T12:35:00Z""#), (time, #","tsServer":"2026-02-30T12:35:00.000Z""#),
            (time, time.dropLast() + ""), (time + end, time + #","v":1,"userId":"user-1"}"#), (end, #","v":1}"#),
        ] {
            #expect(throws: (any Error).self, "\(other)") {
                try AuditLeaf.read(leaf.replacing(text, with: String(other)))
            }
        }
        for junk in [
            "", "{", "{}", "{{}", "{{}}", "{\"a\":{}}", "[[]]", "null", "{\"a\":{", ",\"tsServer\":\"",
            "{\"integrity\":{,\"tsServer\":\"}",
        ] {
            #expect(throws: AuditError.malformed, "\(junk)") { try AuditLeaf.read(Array(junk.utf8)) }
            #expect(throws: AuditError.malformed, "\(junk)") { try AuditLeaf.read(view: Array(junk.utf8)) }
        }
        let view = AuditLeaf.view(leaf, signature: Self.signature, keyId: Self.keyId)
        for (text, other) in [
            (#""signatureKeyId":"0a1b2c3d""#, #""signatureKeyId":"0A1B2C3D""#),
            (#""signatureKeyId":"0a1b2c3d""#, #""signatureKeyId":"""#),
            (#"0a1b2c3d""#, #"0a1b2c3""#), (#"0a1b2c3d""#, #"0a1b2c3d4""#), (#"0a1b2c3d""#, #"0a1b2c3d","a":"b""#),
            (#","signatureKeyId":"0a1b2c3d""#, ""),
            (#""signature":""#, #""signature": ""#), (#""signature":""#, #""signaturE":""#),
        ] {
            #expect(throws: AuditError.malformed, "\(other)") {
                try AuditLeaf.read(view: view.replacing(text, with: other))
            }
        }
    }
}

@Suite struct LedgerEntryTests {
    private static let (device, user, epoch) = (
        TestTrail.device, Identifier(high: 6, low: 6), Identifier(high: 7, low: 7)
    )
    private static let digest = SHA256.digest([3])

    static let entries: [LedgerEntry] = [
        .deviceEnrolled(device: device, user: user, publicKeySha256: digest),
        .deviceRevoked(device: device, user: user),
        .passwordChanged(user: user, policyEpoch: 1 << 20), .passwordChanged(user: user, policyEpoch: 1 << 53 - 1),
        .fork(device: device, epoch: epoch, seq: 0, user: user, bodySha256: digest),
        .rejected(device: device, user: user, bodySha256: digest, code: "CANONICAL"),
        .keyRotated(keyId: "0a1b2c3d", publicKeySha256: digest),
        .restored(formerOrigin: "https://id.example.com/r1/0", size: 70_000, root: digest),
    ]

    @Test(.holds("F-107-10")) func `each entry is as it is written down`() {
        let (hash, time) = (Self.digest.hexadecimal, #""tsServer":"2026-02-14T12:35:00.000Z","#)
        let device = #""deviceId":"0123456789abcdef0123456789abcdef","#
        let end = time + #""userId":"00000000000000060000000000000006","v":1}"#
        let expected = [
            #"{\#(device)"entryType":"DEVICE_ENROLLED","publicKeySha256":"\#(hash)",\#(end)"#,
            #"{\#(device)"entryType":"DEVICE_REVOKED",\#(end)"#,
            #"{"entryType":"PASSWORD_CHANGED","policyEpoch":1048576,\#(end)"#,
            #"{"entryType":"PASSWORD_CHANGED","policyEpoch":9007199254740991,\#(end)"#,
            #"{"bodySha256":"\#(hash)",\#(device)"entryType":"CHAIN_FORK","#
                + #""epoch":"00000000000000070000000000000007","seq":0,\#(end)"#,
            #"{"bodySha256":"\#(hash)","code":"CANONICAL",\#(device)"entryType":"REJECTED",\#(end)"#,
            #"{"entryType":"KEY_ROTATED","keyId":"0a1b2c3d","publicKeySha256":"\#(hash)",\#(time)"v":1}"#,
            #"{"entryType":"LOG_RESTORED","formerOrigin":"https://id.example.com/r1/0","formerRoot":"\#(hash)","#
                + #""formerSize":70000,\#(time)"v":1}"#,
        ]
        #expect(Self.entries.map { $0.leaf(at: TestLog.time).text } == expected)
        #expect(Self.entries.map(\.content.text) == expected.map { $0.replacing(time, with: "") })
    }

    @Test func `each entry is read as it was written, waiting or in the log`() throws {
        for entry in Self.entries {
            #expect(try LedgerEntry(reading: entry.content) == entry)
            let read = try LedgerEntry.read(leaf: entry.leaf(at: TestLog.time))
            #expect(read.entry == entry && read.tsServer == TestLog.time)
            #expect(throws: AuditError.malformed) { try LedgerEntry(reading: entry.leaf(at: TestLog.time)) }
            #expect(throws: AuditError.malformed) { try LedgerEntry.read(leaf: entry.content) }
        }
        let most = LedgerEntry.passwordChanged(user: Self.user, policyEpoch: .max)
        #expect(try LedgerEntry(reading: most.content) == .passwordChanged(user: Self.user, policyEpoch: 1 << 53 - 1))
    }

    @Test(arguments: entries.indices) func `each changed byte is refused, or another entry`(index: Int) throws {
        let entry = Self.entries[index]
        let leaf = entry.leaf(at: TestLog.time)
        for changed in leaf.mutations() where changed != leaf {
            guard let read = try? LedgerEntry.read(leaf: changed) else { continue }
            #expect(
                (read.entry, read.tsServer) != (entry, TestLog.time) && read.entry.leaf(at: read.tsServer) == changed
            )
        }
        for changed in entry.content.mutations() where changed != entry.content {
            guard let read = try? LedgerEntry(reading: changed) else { continue }
            #expect(read != entry && read.content == changed)
        }
    }

    @Test(arguments: [
        (6, #""keyId":"0a1b2c3d""#, #""keyId":"0A1B2C3D""#), (6, #""keyId":"0a1b2c3d""#, #""keyId":"0a1b2c3""#),
        (6, #""entryType":"KEY_ROTATED""#, #""entryType":"KEY_ADDED""#), (6, #""entryType":"KEY_ROTATED","#, ""),
        (5, #""code":"CANONICAL""#, #""code":"a b""#), (5, #""code":"CANONICAL""#, #""code":"""#),
        (5, #""v":1"#, #""v":2"#),
        (7, #""formerOrigin":"https:"#, #""formerOrigin":"ht ps:"#), (7, #""formerSize":70000"#, #""formerSize":-1"#),
        (7, #""formerSize":70000"#, #""formerSize":9007199254740992"#),
        (1, #"{"deviceId""#, #"{"code":"a","deviceId""#),
        (1, #"{"deviceId""#, #"{"deviceId":null,"deviceId""#), (0, #","userId""#, #", "userId""#),
    ])
    func `another form is no entry`(index: Int, text: String, other: String) throws {
        let content = try Self.entries[index].content.replacing(text, with: other)
        #expect(throws: AuditError.malformed) { try LedgerEntry(reading: content) }
    }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        (try? Array(utf8).replacing(text, with: other).text) ?? self
    }
}
