import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// An export as far as it was read and holds: its device, and the records up to `chain`.
struct AuditTrail: Sendable {
    private(set) var chain: AuditChain
    private let count: UInt64
    private let publicKey: [UInt8]
    private let fingerprint: String
    private let isPinned: Bool
    private var first = Milliseconds.zero
    private var last = Milliseconds.zero
    private var tally: [AuditEventKind: UInt64] = [:]

    /// Reads the line of the device.
    ///
    /// - Parameter count: what the header counts.
    init(readingDevice line: [UInt8], count: UInt64, pinned: [[UInt8]]?) throws(AuditFinding) {
        guard let content = AuditLine.device.content(of: line), let device = try? AuditDevice.read(content) else {
            throw .deviceMalformed
        }
        let digest = TextCode.hexadecimal.encode(SHA256.digest(device.publicKey))
        fingerprint = String(decoding: digest, as: UTF8.self)
        isPinned = pinned?.contains(device.publicKey) ?? false
        guard isPinned || pinned == nil else { throw .deviceUnknown(fingerprint: fingerprint) }
        (self.count, publicKey) = (count, device.publicKey)
        chain = AuditChain(deviceId: device.deviceId, epoch: device.epoch, publicKey: device.publicKey)
    }

    /// What a line is called that is none of those that may stand here.
    var malformed: AuditFinding { chain.next < count ? .recordMalformed(chain.next) : .headMalformed }

    /// Reads the line of a record.
    mutating func take(_ line: [UInt8]) throws(AuditFinding) {
        guard let content = AuditLine.record.content(of: line) else { throw malformed }
        guard chain.next < count else { throw .recordUncounted(chain.next) }
        let record: AuditRecord
        do throws(AuditError) { record = try AuditRecord(reading: content) } catch {
            throw error == .changed ? .recordChanged(chain.next) : .recordMalformed(chain.next)
        }
        let isFirst = chain.next == 0
        try chain.take(record)
        if isFirst { first = record.at }
        last = record.at
        tally[record.kind, default: 0] += UInt64(record.payload.run?.count ?? 1)
    }

    /// Reads the line of the head, which ends the export.
    func end(_ line: [UInt8]) throws(AuditFinding) -> AuditSummary {
        guard let content = AuditLine.head.content(of: line),
            let (head, signature) = try? AuditHead.read(content)
        else { throw .headMalformed }
        guard head.deviceId == chain.deviceId, head.epoch == chain.epoch else { throw .headForeign }
        guard head.seq < chain.next else { throw .endMissing(from: chain.next, through: head.seq) }
        guard head.seq == chain.next - 1, head.hash == chain.head else { throw .headElsewhere(last: chain.next - 1) }
        guard count == chain.next else { throw .countWrong(header: count, found: chain.next) }
        guard let message = try? head.message(),
            (try? P256.verify(signature: signature, of: message, publicKey: publicKey)) != nil
        else { throw .signatureWrong }
        return AuditSummary(
            deviceId: chain.deviceId,
            epoch: chain.epoch,
            count: count,
            first: first,
            last: last,
            exportedAt: head.at,
            fingerprint: fingerprint,
            isPinned: isPinned,
            tally: tally
        )
    }
}
