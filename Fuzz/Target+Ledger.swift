import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

// What a service reads of devices and stores, and what devices and auditors read of a service.
extension Target {
    static var ledger: [Target] {
        [
            Target(name: "ledger-upload") { _ in
                let upload = try upload(of: records(3, seed: 1))
                return ([upload.header], read)
            },
            Target(name: "ledger-note") { _ in
                let (key, note) = (try auditKey(), try note(over: edge(of: records(5, seed: 1).map(recordLeaf))))
                return (
                    [note.text],
                    { bytes in
                        let read = try AuditNote(reading: bytes)
                        try read.verify(by: key)
                        guard read.checkpoint == note.checkpoint else {
                            return reportBug("a head that was never signed")
                        }
                    }
                )
            },
            Target(name: "ledger-receipt") { _ in
                (
                    [try receipt().json],
                    { bytes in
                        guard try AuditReceipt(reading: bytes).json == bytes else {
                            return reportBug("a receipt with two forms")
                        }
                    }
                )
            },
            Target(name: "ledger-leaf") { _ in
                let records = try records(8, seed: 2).map(recordLeaf)
                return (records + entries.map { $0.leaf(at: start) }, leaf)
            },
            Target(name: "ledger-path") { _ in
                (
                    ["0/x001/067", "7/000.p/255", "entries/x001/x234/067.p/8"].map { Array($0.utf8) },
                    path
                )
            },
            Target(name: "ledger-tile") { _ in
                let hashes = (0..<UInt8(200)).flatMap { SHA256.digest([$0]) }
                return ([hashes, hashes + hashes], tile)
            },
            Target(name: "ledger-export") { _ in
                let samples = try [1, 3, 8].map { try export(of: records($0, seed: UInt64($0))) }
                return (
                    samples,
                    { bytes in
                        let whole = verdict(on: bytes, inPiecesOf: bytes.count)
                        guard whole == verdict(on: bytes, inPiecesOf: 7), whole == verdict(on: bytes, inPiecesOf: 64)
                        else {
                            return reportBug("an export that is another when it comes in other pieces")
                        }
                        _ = try whole.get()
                        guard samples.contains(bytes) else { return reportBug("an export that was never signed") }
                    }
                )
            },
        ]
    }

    private static let origin = "ledger.example"
    private static let start = Milliseconds(1_771_072_600_000)

    /// Reads an upload's header: what was read has one form, and what is signed names the log.
    private static func read(_ header: [UInt8]) throws {
        let upload = try AuditUpload(reading: header)
        let again = try AuditUpload(
            deviceId: upload.deviceId,
            epoch: upload.epoch,
            firstSeq: upload.firstSeq,
            lastSeq: upload.lastSeq,
            headHash: upload.headHash,
            sentAt: upload.sentAt,
            nonce: upload.nonce
        )
        guard again.header == header else { return reportBug("an upload with two forms") }
        let message = String(decoding: upload.message(origin: origin), as: UTF8.self)
        guard message.contains("\"origin\":\"\(origin)\"") else { return reportBug("an upload for any log") }
    }

    private static func leaf(_ bytes: [UInt8]) throws {
        let (content, time) = try AuditLeaf.read(bytes)
        let again =
            switch content {
            case .record(let record): AuditLeaf.record(record, at: time)
            case .entry(let entry): entry.leaf(at: time)
            }
        guard again == bytes else { return reportBug("a leaf with two forms") }
    }

    private static func path(_ bytes: [UInt8]) throws {
        let path = String(decoding: bytes, as: UTF8.self)
        if let (tile, width) = MerkleTile.read(path: path) {
            let again = MerkleTile.path(level: tile.level, number: tile.number, width: width)
            if again != path { reportBug("a tile with two paths") }
        } else if let (number, width) = MerkleTile.read(entriesPath: path) {
            if MerkleTile.entriesPath(number: number, width: width) != path { reportBug("a bundle with two paths") }
        } else {
            throw AuditError.malformed
        }
    }

    /// Computes a stored tile's nodes: each is made of the two below it, and a hash that is not there makes none.
    private static func tile(_ bytes: [UInt8]) throws {
        let nodes = MerkleTileNodes(hashes: bytes)
        let tile = MerkleTile(level: 0, number: 0)
        for level in UInt8(1)..<8 {
            for index in 0..<UInt64(MerkleTile.width >> Int(level)) {
                let below = [2 * index, 2 * index + 1].map { nodes.node(MerkleNode(level: level - 1, index: $0)) }
                let expected = below[0].flatMap { left in below[1].map { MerkleTree.node(left, $0) } }
                guard nodes.node(MerkleNode(level: level, index: index)) == expected else {
                    return reportBug("a node of \(tile) that its children don't make")
                }
            }
        }
        guard nodes.count > 0 else { throw AuditError.malformed }
    }

    // Samples.

    /// - Parameter size: of the first head that it signed.
    private static func auditKey(from size: Int = 0) throws -> AuditKey {
        try AuditKey(publicKey: key().publicKey, from: UInt64(size))
    }

    private static func recordLeaf(_ record: AuditRecord) -> [UInt8] { AuditLeaf.record(record, at: start) }

    private static var entries: [LedgerEntry] {
        let (device, user) = (Identifier(high: 1, low: 2), Identifier(high: 3, low: 4))
        let digest = SHA256.digest([1])
        return [
            .deviceEnrolled(device: device, user: user, publicKeySha256: digest),
            .deviceRevoked(device: device, user: user),
            .passwordChanged(user: user, policyEpoch: 7),
            .fork(device: device, epoch: user, seq: 9, user: user, bodySha256: digest),
            .rejected(device: device, user: user, bodySha256: digest, code: "MALFORMED"),
            .keyRotated(keyId: "01234567", publicKeySha256: digest),
            .restored(formerOrigin: "former.example", size: 12, root: digest),
        ]
    }

    private static func edge(of leaves: [[UInt8]]) -> MerkleEdge {
        var edge = MerkleEdge()
        for leaf in leaves { edge.append(MerkleTree.leaf(leaf)) }
        return edge
    }

    private static func note(over edge: MerkleEdge) throws -> AuditNote {
        let key = try key()
        let checkpoint = try AuditCheckpoint(origin: origin, size: edge.size, root: edge.root)
        let line = try AuditNote.Signature(
            name: origin,
            keyId: Array(SHA256.digest(key.publicKey).prefix(AuditNote.keyIdByteCount)),
            bytes: key.sign(checkpoint.text)
        )
        return try AuditNote(checkpoint, signatures: [line])
    }

    private static func upload(of records: [AuditRecord]) throws -> AuditUpload {
        let last = records[records.count - 1]
        return try AuditUpload(
            deviceId: last.deviceId,
            epoch: last.epoch,
            firstSeq: records[0].seq,
            lastSeq: last.seq,
            headHash: last.hash,
            sentAt: start,
            nonce: [UInt8](repeating: 9, count: AuditUpload.nonceByteCount)
        )
    }

    private static func receipt() throws -> AuditReceipt {
        let records = try records(4, seed: 1)
        return AuditReceipt(
            of: try upload(of: records),
            firstIndex: 0,
            lastIndex: 3,
            tsServer: start,
            proof: [SHA256.digest([1]), SHA256.digest([2])],
            note: try note(over: edge(of: records.map(recordLeaf))),
            consistency: [SHA256.digest([3])]
        )
    }

    private static func export(of records: [AuditRecord]) throws -> [UInt8] {
        let leaves = records.map(recordLeaf)
        var export = try LedgerExport(origin: origin, count: UInt64(leaves.count), keys: [auditKey(from: leaves.count)])
        var bytes = export.beginning
        try export.begin(note(over: edge(of: leaves)))
        bytes += try export.device(records[0].deviceId, epoch: records[0].epoch, publicKey: key().publicKey)
        for leaf in leaves { bytes += try export.leaf(leaf) }
        let upload = try upload(of: records)
        bytes += try export.upload(upload, signature: key().sign(upload.message(origin: origin)))
        return bytes + (try export.checkpoint())
    }

    private static func verdict(
        on bytes: [UInt8],
        inPiecesOf size: Int
    ) -> Result<ExportVerifier.Summary, ExportVerifier.Finding> {
        var start = 0
        return ExportVerifier.verify { () -> [UInt8]? in
            guard start < bytes.count else { return nil }
            defer { start += size }
            return Array(bytes[start...].prefix(size))
        }
    }
}
