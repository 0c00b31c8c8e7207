import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

@testable import ThumbturnService

/// A device's chain, of which records are put into a log as uploads.
final class TestChain {
    /// A device with a key of its own.
    final class Device: Sendable {
        let id = Identifier.make()
        let user: Identifier
        fileprivate let key: P256PrivateKey

        init(of user: Identifier = .make()) throws {
            self.user = user
            key = try P256PrivateKey.make()
        }
    }

    let device: Device
    let epoch = Identifier.make()
    private(set) var records: [AuditRecord] = []
    private let former: AuditPayload.Former?

    init(_ device: Device, after former: AuditPayload.Former? = nil) { (self.device, self.former) = (device, former) }

    /// Where it ends, as the next chain says it.
    var end: AuditPayload.Former {
        AuditPayload.Former(epoch: epoch, last: records.last.map { .init(seq: $0.seq, hash: $0.hash) })
    }

    /// Writes a record.
    func write(at time: Milliseconds) throws -> AuditRecord {
        let seq = UInt64(records.count)
        let record = try AuditRecord(
            eventId: Identifier(uuid7At: time, random: .make()),
            kind: seq == 0 ? .trailBegun : .passwordFallback,
            userId: device.user.text,
            deviceId: device.id,
            at: time,
            epoch: epoch,
            seq: seq,
            payload: AuditPayload(former: seq == 0 ? former : nil),
            previous: records.last?.hash
                ?? AuditChain.genesis(device: device.id, epoch: epoch, publicKey: device.key.publicKey)
        )
        records.append(record)
        return record
    }

    /// Puts so many new records into a log, as one upload.
    func deliver(_ count: Int, to log: TestLog) throws {
        let new = try (0..<count).map { _ in try write(at: log.time) }
        let upload = try AuditUpload(
            deviceId: device.id,
            epoch: epoch,
            firstSeq: new[0].seq,
            lastSeq: new[count - 1].seq,
            headHash: new[count - 1].hash,
            sentAt: log.time,
            nonce: Identifier.make().bytes
        )
        let signature = try device.key.sign(upload.message(origin: log.origin))
        let (number, first, key, time) = (log.number, log.size, device.key.publicKey, log.time)
        let name = Chain.Name(device: device.id, epoch: epoch)
        var chain = Chain(name, of: device.user, publicKey: key)
        (chain.next, chain.head) = (upload.lastSeq + 1, upload.headHash)
        try log.add(new.map { AuditLeaf.record($0, at: time) }) { transaction throws(StoreError) in
            try transaction.run(
                """
                INSERT INTO uploads (log, first_idx, device_id, epoch, first_seq, record_count, header, signature, ts)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                """,
                .integer(number),
                .count(first),
                .blob(name.device.bytes),
                .blob(name.epoch.bytes),
                .count(upload.firstSeq),
                .integer(Int64(count)),
                .blob(upload.header),
                .blob(signature),
                .integer(time.count)
            )
            if upload.firstSeq == 0 {
                try chain.insert(number, name, transaction)
            } else {
                try chain.update(number, name, transaction)
            }
        }
    }
}
