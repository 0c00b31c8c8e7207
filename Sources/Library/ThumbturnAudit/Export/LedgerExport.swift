package import ThumbturnRules

/// Writes a service's export line by line (design section 9): the header and the keys, then section by section the leaves
/// that a checkpoint is the first to cover, each with what belongs to it, and the checkpoint.
///
/// All is returned as bytes with their newline, so an export of any length takes the memory of a line. Each line is
/// verified as it is written, signatures too: nothing is exported that fails. Where a call throws, the export is spent.
package struct LedgerExport: Sendable {
    private let heading: [UInt8]
    private var trail: LedgerTrail
    private var keys: [AuditKey]
    /// The next checkpoint, and what its records carry.
    private var section: (note: AuditNote, signature: [UInt8], keyId: String)?
    private var summary: LedgerSummary?

    /// Begins an export.
    ///
    /// - Parameters:
    ///   - origin: the log's name.
    ///   - count: the size of the last signed head: so many leaves will follow.
    ///   - keys: the log's, in any order; those that have not signed such a head yet are left out.
    /// - Throws: a finding for a name that no log has, and for keys that don't belong together.
    package init(origin: String, count: UInt64, keys: [AuditKey]) throws(LedgerFinding) {
        guard let header = try? AuditHeader.json(origin: origin, count: count).canonicalBytes(),
            case let header = AuditLine.header.bytes(header),
            let trail = LedgerTrail(readingHeader: header.dropLast(), pinned: nil, known: nil)
        else { throw .noExport }
        self.trail = trail
        self.keys = keys.filter { count == 0 ? $0.from == 0 : (1...count).contains($0.from) }
            .sorted { $0.precedes($1) }
        var heading = header
        for key in self.keys {
            // Which head a later key came with, its reader finds among the checkpoints.
            guard let key = try? AuditKey(publicKey: key.publicKey, from: key.from) else { throw .keyMalformed }
            let line = AuditLine.key.bytes(key.json.canonicalTexts())
            _ = try self.trail.take(line.dropLast())
            heading += line
        }
        self.heading = heading
    }

    /// The lines before the leaves.
    package var beginning: [UInt8] { heading }

    /// Names the next checkpoint: the leaves follow that no former one covers, and then its own line.
    ///
    /// - Throws: `.checkpointUnsigned` if none of the keys has a line in it.
    package mutating func begin(_ note: AuditNote) throws(LedgerFinding) {
        guard let (key, signature) = note.signature(ofFirst: keys) else { throw .checkpointUnsigned(from: trail.next) }
        section = (note, signature, key.id)
    }

    /// The line of a device, right before the first record of a chain.
    ///
    /// - Parameter publicKey: the device's, SubjectPublicKeyInfo in DER.
    package mutating func device(
        _ deviceId: Identifier,
        epoch: Identifier,
        publicKey: [UInt8]
    ) throws(LedgerFinding) -> [UInt8] {
        let device = AuditDevice(deviceId: deviceId, epoch: epoch, publicKey: publicKey)
        return try verified(AuditLine.device.bytes(device.json.canonicalTexts()))
    }

    /// The line of the next leaf, a record or an entry.
    package mutating func leaf(_ leaf: [UInt8]) throws(LedgerFinding) -> [UInt8] {
        guard let section else { throw .checkpointUnsigned(from: trail.next) }
        let view = AuditLeaf.view(leaf, signature: section.signature, keyId: section.keyId)
        return try verified(LedgerLine.bytes(view, isRecord: view.count > leaf.count, at: trail.next))
    }

    /// The line of an upload, right behind the records that it brought.
    ///
    /// - Parameter signature: the device's over its message, in DER.
    package mutating func upload(_ upload: AuditUpload, signature: [UInt8]) throws(LedgerFinding) -> [UInt8] {
        try verified(AuditLine.upload.bytes(AuditUpload.signed(upload, signature)))
    }

    /// The line of the checkpoint that was named.
    package mutating func checkpoint() throws(LedgerFinding) -> [UInt8] {
        guard let section else { throw .checkpointUnsigned(from: trail.next) }
        self.section = nil
        return try verified(LedgerLine.bytes(section.note))
    }

    /// What the export tells once its last checkpoint was written.
    ///
    /// - Throws: `.cutOff` before.
    package func finish() throws(LedgerFinding) -> LedgerSummary {
        guard let summary else { throw .cutOff(at: trail.next) }
        return summary
    }

    private mutating func verified(_ line: [UInt8]) throws(LedgerFinding) -> [UInt8] {
        guard summary == nil else { throw .trailing }
        guard line.count <= LedgerLine.maximumByteCount + 1 else { throw trail.malformed }
        summary = try trail.take(line.dropLast())
        return line
    }
}
