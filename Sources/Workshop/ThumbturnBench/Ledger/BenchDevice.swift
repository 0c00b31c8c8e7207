import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// A request that brings records of a device, as its app sends it, with what the bare sequence needs of it.
struct SignedUpload: Sendable {
    /// The whole request.
    let request: [UInt8]
    let upload: AuditUpload
    /// The records, a line each.
    let lines: [[UInt8]]
    /// What the device signed.
    let message: [UInt8]
    let signature: [UInt8]
    /// The device's place among those of its load.
    let device: Int
}

/// A device with a key and a chain, whose uploads are signed long before they are sent.
final class BenchDevice {
    let id = Identifier.make()
    let user = Identifier.make()
    private let place: Int
    private let key: P256PrivateKey
    private var chain: AuditChain

    /// SubjectPublicKeyInfo in DER.
    var publicKey: [UInt8] { key.publicKey }
    var epoch: Identifier { chain.epoch }

    init(_ place: Int) throws {
        self.place = place
        key = try P256PrivateKey.make()
        chain = AuditChain(deviceId: id, epoch: .make(), publicKey: key.publicKey)
    }

    /// Writes so many records, and signs their upload.
    ///
    /// - Parameter origin: the log's name.
    func upload(records count: Int, to origin: String, at time: Milliseconds) throws -> SignedUpload {
        let first = chain.next
        let lines = try (0..<count).map { _ in try write(at: time) }
        let upload = try AuditUpload(
            deviceId: id,
            epoch: chain.epoch,
            firstSeq: first,
            lastSeq: chain.next - 1,
            headHash: chain.head,
            sentAt: time,
            nonce: RandomBytes.make(AuditUpload.nonceByteCount)
        )
        let message = upload.message(origin: origin)
        let signature = try key.sign(message)
        return SignedUpload(
            request: request(upload, signature, lines),
            upload: upload,
            lines: lines,
            message: message,
            signature: signature,
            device: place
        )
    }

    private func write(at time: Milliseconds) throws -> [UInt8] {
        let record = try AuditRecord(
            eventId: Identifier(uuid7At: time, random: .make()),
            kind: .biometricSuccess,
            userId: user.text,
            deviceId: id,
            at: time,
            epoch: chain.epoch,
            seq: chain.next,
            payload: AuditPayload(biometryType: .touchID, unlockDuration: Milliseconds(420)),
            previous: chain.head
        )
        try chain.take(record)
        return record.line
    }

    private func request(_ upload: AuditUpload, _ signature: [UInt8], _ lines: [[UInt8]]) -> [UInt8] {
        let body = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
        let fields = [
            ("Host", Array("a".utf8)), ("Content-Type", Array("application/x-ndjson".utf8)),
            ("Content-Length", Array("\(body.count)".utf8)),
            ("Idempotency-Key", TextCode.hexadecimal.encode(SHA256.digest(body))),
            ("Thumbturn-Upload", TextCode.base64.encode(upload.header)),
            ("Thumbturn-Signature", TextCode.base64.encode(signature)),
        ]
        let head = fields.flatMap { name, value in Array("\(name): ".utf8) + value + Array("\r\n".utf8) }
        return Array("POST /v1/audit/\(id.text)/events HTTP/1.1\r\n".utf8) + head + Array("\r\n".utf8) + body
    }
}
