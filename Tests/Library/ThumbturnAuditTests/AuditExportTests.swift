import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

@Suite struct AuditExportTests {
    @Test(.holds("A42")) func `an export tells who wrote what, and when, in pieces of any size`() throws {
        let trail = try TestTrail(count: 11)
        let file = try Array(trail.lines().joined())
        let summary = try verdict(on: file, pinned: [trail.publicKey]).get()
        #expect(summary.deviceId == TestTrail.device && summary.epoch == trail.epoch && summary.count == 11)
        #expect(summary.first == TestTrail.start && summary.last == TestTrail.start + .minutes(10))
        #expect(summary.exportedAt == TestTrail.start + .days(1))
        #expect(try summary.fingerprint == SHA256.digest(trail.publicKey).hexadecimal)
        for size in [1, 7, 64, file.count] {
            #expect(try verdict(on: file, pinned: [trail.publicKey], inPiecesOf: size).get() == summary)
        }
    }

    @Test(.holds("A46")) func `a run of failures counts as many as it stands for`() throws {
        let tally = try verdict(on: Array(TestTrail(count: 11).lines().joined())).get().tally
        #expect(
            tally == [
                .trailBegun: 1, .biometricSuccess: 2, .passwordFailure: 2, .biometricDisabled: 2, .systemFailure: 24,
                .walletExported: 2,
            ]
        )
    }

    @Test func `a key that nobody named is called so, and one that isn't among those named is refused`() throws {
        let (trail, other) = (try TestTrail(count: 2), try TestTrail(count: 1, scalar: TestTrail.scalar(2)))
        let file = try Array(trail.lines().joined())
        #expect(try !verdict(on: file).get().isPinned)
        #expect(try verdict(on: file, pinned: [other.publicKey, trail.publicKey]).get().isPinned)
        let fingerprint = try SHA256.digest(trail.publicKey).hexadecimal
        #expect(try finding(in: file, pinned: [other.publicKey]) == .deviceUnknown(fingerprint: fingerprint))
        #expect(finding(in: file, pinned: []) == .deviceUnknown(fingerprint: fingerprint))
    }

    @Test func `an export has at least one record, a key of one form, and as many records as it announces`() throws {
        let trail = try TestTrail(count: 3)
        let key = try trail.publicKey
        func begin(_ count: UInt64, _ key: [UInt8]) throws -> AuditExport {
            try AuditExport(deviceId: TestTrail.device, epoch: trail.epoch, publicKey: key, count: count)
        }
        #expect(throws: AuditError.malformed) { try begin(0, key) }
        #expect(throws: AuditError.malformed) { try begin(1 << 53, key) }
        #expect(throws: AuditError.malformed) { try begin(1, Array(key.dropLast())) }
        var export = try begin(2, key)
        let nonce = RandomBytes.make(16)
        #expect(throws: AuditError.malformed) { try export.head(at: .zero, nonce: nonce) }
        #expect(throws: AuditFinding.recordsMissing(from: 0, through: 0)) { try export.line(of: trail.records[1]) }
        _ = try export.line(of: trail.records[0])
        #expect(throws: AuditFinding.recordRepeated(0, before: 1)) { try export.line(of: trail.records[0]) }
        #expect(throws: AuditError.malformed) { try export.head(at: .zero, nonce: nonce) }
        _ = try export.line(of: trail.records[1])
        #expect(throws: AuditFinding.recordUncounted(2)) { try export.line(of: trail.records[2]) }
        #expect(throws: AuditError.malformed) { try export.head(at: .zero, nonce: RandomBytes.make(15)) }
        #expect(try export.head(at: .zero, nonce: nonce).seq == 1)
    }

    @Test func `the signed bytes are those of the page`() throws {
        let trail = try TestTrail(count: 1)
        var export = try AuditExport(
            deviceId: TestTrail.device,
            epoch: trail.epoch,
            publicKey: trail.publicKey,
            count: 1
        )
        _ = try export.line(of: trail.records[0])
        let message = try export.head(at: .zero, nonce: [UInt8](repeating: 0, count: 16)).message()
        let expected = """
            thumbturn.audit.export.v1
            {"head":{"at":"1970-01-01T00:00:00.000Z","deviceId":"0123456789abcdef0123456789abcdef",\
            "epoch":"00000000000000070000000000000007","headHash":"\(trail.head.hexadecimal)",\
            "nonce":"AAAAAAAAAAAAAAAAAAAAAA==","seq":0},\
            "header":{"format":"thumbturn.audit.export","from":0,"origin":"device","to":1,"version":1}}
            """
        #expect(String(decoding: message, as: UTF8.self) == expected)
    }
}
