import ThumbturnAudit
import ThumbturnRules

/// An upload whose form, device and signature were checked, for the log of its account.
struct IncomingUpload: Sendable {
    let upload: AuditUpload
    let signature: [UInt8]
    /// 1 to 256, each continuing the one before it.
    let records: [AuditRecord]
    let user: Identifier
    /// The device's, SubjectPublicKeyInfo in DER.
    let publicKey: [UInt8]
    /// The size of the signed head that the device keeps; nil where it asks for no proof from there.
    let since: UInt64?

    var chain: Chain.Name { Chain.Name(device: upload.deviceId, epoch: upload.epoch) }

    /// What the rule needs of it.
    var judged: IngestRule.Upload {
        IngestRule.Upload(first: upload.firstSeq, link: records[0].previous, hashes: records.map(\.hash))
    }

    /// The content as it came.
    var body: [UInt8] { records.flatMap { $0.line + [UInt8(ascii: "\n")] } }

    /// About what it takes in memory.
    var byteCount: Int { records.reduce(512) { $0 + 3 * $1.line.count } }
}

// Reading what a device sends.
extension IncomingUpload {
    /// Why a content is refused.
    enum Refusal: Error {
        /// There are none, more than 256, or one of more than 4 KiB.
        case tooLarge
        /// This line is no record, or not in its one form.
        case malformed(line: Int)
        /// This line is a record of another device, chain or account.
        case foreign(line: Int)
        /// This line doesn't continue the one before it, or the first record of a chain its genesis.
        case unchained(line: Int)
        /// The records are not those that the header names.
        case otherThanSigned
    }

    /// Reads the records of an upload, which have to be those that its header names.
    static func records(
        _ body: [UInt8],
        of upload: AuditUpload,
        user: Identifier,
        publicKey: [UInt8]
    ) throws(Refusal) -> [AuditRecord] {
        guard body.last == UInt8(ascii: "\n") else { throw .malformed(line: 0) }
        var chain: AuditChain?
        var records: [AuditRecord] = []
        let (userId, newline) = (user.text, UInt8(ascii: "\n"))
        var rest = body[...]
        guard body.count(where: { $0 == newline }) <= AuditUpload.maximumRecords else { throw .tooLarge }
        while let end = rest.firstIndex(of: newline) {
            let (number, line) = (records.count, rest[..<end])
            rest = rest[(end + 1)...]
            guard line.count <= AuditRecord.maximumByteCount else { throw .tooLarge }
            guard let record = try? AuditRecord(reading: Array(line)) else { throw .malformed(line: number) }
            guard record.deviceId == upload.deviceId, record.epoch == upload.epoch, record.userId == userId else {
                throw .foreign(line: number)
            }
            if number == 0 {
                guard record.seq == upload.firstSeq else { throw .otherThanSigned }
                chain = AuditChain(
                    deviceId: upload.deviceId,
                    epoch: upload.epoch,
                    next: record.seq,
                    head: record.seq > 0
                        ? record.previous
                        : AuditChain.genesis(device: upload.deviceId, epoch: upload.epoch, publicKey: publicKey)
                )
            }
            do throws(AuditFinding) { try chain?.take(record) } catch { throw .unchained(line: number) }
            records.append(record)
        }
        guard let last = records.last, last.seq == upload.lastSeq, last.hash == upload.headHash else {
            throw .otherThanSigned
        }
        return records
    }
}
