import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

/// A device with a chain of records of every sort, the same on every run but for signatures.
struct TestTrail {
    static let device = Identifier(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF)
    static let start = Milliseconds(1_771_072_496_123)  // 2026-02-14T12:34:56.123Z
    /// What each chain says of the one before it.
    static let former = AuditPayload.Former(
        epoch: Identifier(high: 5, low: 5),
        last: AuditPayload.Former.Last(seq: 9_999, hash: SHA256.digest([5]))
    )

    let device: Identifier
    let epoch: Identifier
    let scalar: [UInt8]
    let records: [AuditRecord]

    /// The last record's hash.
    var head: [UInt8] { records.last?.hash ?? [] }

    init(
        count: Int,
        epoch: UInt64 = 7,
        scalar: [UInt8] = Self.scalar(1),
        device: Identifier = Self.device,
        former: AuditPayload.Former? = Self.former
    ) throws {
        self.device = device
        self.epoch = Identifier(high: epoch, low: epoch)
        self.scalar = scalar
        let publicKey = try P256PrivateKey(scalar: SecretBytes(of: scalar)).publicKey
        var chain = AuditChain(deviceId: device, epoch: self.epoch, publicKey: publicKey)
        var records: [AuditRecord] = []
        for number in 0..<count {
            let record = try Self.record(number, in: chain, former: former)
            try chain.take(record)
            records.append(record)
        }
        self.records = records
    }

    static func scalar(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    var publicKey: [UInt8] {
        get throws { try P256PrivateKey(scalar: SecretBytes(of: scalar)).publicKey }
    }

    var genesis: [UInt8] {
        get throws { try AuditChain.genesis(device: device, epoch: epoch, publicKey: publicKey) }
    }

    private static func record(
        _ number: Int,
        in chain: AuditChain,
        former: AuditPayload.Former?
    ) throws -> AuditRecord {
        let at = start + .minutes(Int64(number))
        let payloads: [(AuditEventKind, AuditPayload)] = [
            (.biometricSuccess, AuditPayload(biometryType: .touchID, unlockDuration: Milliseconds(420))),
            (.passwordFailure, AuditPayload(attemptCount: 2)),
            (.biometricDisabled, AuditPayload(biometryType: .faceID, reason: "owner")),
            (
                .systemFailure,
                AuditPayload(attemptCount: 3, run: AuditPayload.Run(count: 12, until: at + .minutes(9)))
            ),
            (.walletExported, AuditPayload(biometryType: BiometricCapability.BiometryType.none)),
        ]
        let begun = (AuditEventKind.trailBegun, AuditPayload(reason: TrailReason.full.name, former: former))
        let (kind, payload) = number == 0 ? begun : payloads[number % payloads.count]
        return try AuditRecord(
            eventId: Identifier(uuid7At: at, random: Identifier(high: UInt64(number), low: UInt64(number))),
            kind: kind,
            userId: number % 2 == 0 ? nil : "user-\(number)",
            deviceId: chain.deviceId,
            at: at,
            epoch: chain.epoch,
            seq: chain.next,
            payload: payload,
            previous: chain.head
        )
    }

    /// The export's lines, each with its newline.
    func lines() throws -> [[UInt8]] {
        let key = try P256PrivateKey(scalar: SecretBytes(of: scalar))
        var export = try AuditExport(
            deviceId: device,
            epoch: epoch,
            publicKey: key.publicKey,
            count: UInt64(records.count)
        )
        var lines = try export.beginning().lines
        for record in records { lines.append(try export.line(of: record)) }
        let head = try export.head(at: Self.start + .days(1), nonce: [UInt8](repeating: 0xA5, count: 16))
        lines.append(try export.end(head, signature: key.sign(head.message())))
        return lines
    }
}

extension SecretBytes {
    init(of bytes: [UInt8]) {
        unsafe self.init(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }
}

extension [UInt8] {
    /// The parts up to each newline, which they keep.
    var lines: [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in self {
            if lines.last?.last ?? 0x0A == 0x0A { lines.append([]) }
            lines[lines.count - 1].append(byte)
        }
        return lines
    }

    var hexadecimal: String { String(decoding: TextCode.hexadecimal.encode(self), as: UTF8.self) }

    /// Replaces the first occurrence of a text; an absent one fails the test that calls.
    func replacing(_ text: String, with other: String) throws -> [UInt8] {
        let (wanted, found) = (Array(text.utf8), indices.first { self[$0...].starts(with: text.utf8) })
        guard let found else { throw AbsentText(text: text) }
        return self[..<found] + Array(other.utf8) + self[(found + wanted.count)...]
    }
}

struct AbsentText: Error {
    let text: String
}

/// What the verifier says of a file that comes in pieces of one size.
func verdict(
    on file: [UInt8],
    pinned: [[UInt8]]? = nil,
    inPiecesOf size: Int = 1 << 16
) -> Result<AuditSummary, AuditFinding> {
    var start = 0
    return AuditVerifier.verify(pinned: pinned) { () -> [UInt8]? in
        guard start < file.count else { return nil }
        defer { start += size }
        return Array(file[start..<Swift.min(file.count, start + size)])
    }
}

/// What is found wrong with a file; nil if it verifies.
func finding(in file: [UInt8], pinned: [[UInt8]]? = nil) -> AuditFinding? {
    if case .failure(let finding) = verdict(on: file, pinned: pinned) { finding } else { nil }
}
