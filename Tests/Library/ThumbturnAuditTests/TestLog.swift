import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAudit

/// A service's log, in memory: leaves, tree, and the key that signs its heads.
struct TestLog {
    static let origin = "https://id.example.com/3"
    static let time = Milliseconds(1_771_072_500_000)  // 2026-02-14T12:35:00.000Z

    let key: TestLogKey
    private(set) var edge = MerkleEdge()
    private(set) var leaves: [[UInt8]] = []

    init(scalar: UInt8 = 0x51) { key = TestLogKey(scalar: scalar) }

    mutating func append(_ leaf: [UInt8]) {
        leaves.append(leaf)
        edge.append(MerkleTree.leaf(leaf))
    }

    /// Fills the log up to a size with entries.
    mutating func fill(to size: Int) {
        for number in leaves.count..<size {
            let entry = LedgerEntry.passwordChanged(user: Identifier(high: 6, low: 6), policyEpoch: UInt64(number))
            append(entry.leaf(at: Self.time))
        }
    }

    func prover(size: UInt64) -> MerkleProver<NoNode> {
        MerkleProver(size: size) { [edge] node throws(NoNode) in
            guard let hash = edge.node(node) else { throw NoNode() }
            return hash
        }
    }

    func checkpoint(size: UInt64? = nil, origin: String = Self.origin) throws -> AuditCheckpoint {
        let size = size ?? edge.size
        return try AuditCheckpoint(origin: origin, size: size, root: prover(size: size).root())
    }

    /// The head as the log's key, and others, sign it.
    func note(size: UInt64? = nil, _ more: TestLogKey...) throws -> AuditNote {
        let checkpoint = try checkpoint(size: size)
        return try AuditNote(checkpoint, signatures: ([key] + more).map { try $0.line(over: checkpoint) })
    }

    /// What the service answers to an upload whose last record is the last leaf.
    func receipt(of upload: AuditUpload, since former: UInt64? = nil) throws -> AuditReceipt {
        let (last, prover) = (edge.size - 1, prover(size: edge.size))
        return AuditReceipt(
            of: upload,
            firstIndex: last - (upload.lastSeq - upload.firstSeq),
            lastIndex: last,
            tsServer: Self.time,
            proof: try prover.inclusion(of: last),
            note: try note(),
            consistency: try former.map { try prover.consistency(from: $0) }
        )
    }
}

/// A key of a log.
struct TestLogKey {
    let scalar: UInt8

    var key: AuditKey {
        get throws { try key() }
    }

    func key(from: UInt64 = 1, checkpoint: AuditNote? = nil) throws -> AuditKey {
        try AuditKey(publicKey: publicKey, from: from, checkpoint: checkpoint?.text)
    }

    var publicKey: [UInt8] {
        get throws { try P256PrivateKey(scalar: SecretBytes(of: TestTrail.scalar(scalar))).publicKey }
    }

    func sign(_ message: [UInt8]) throws -> [UInt8] {
        try P256PrivateKey(scalar: SecretBytes(of: TestTrail.scalar(scalar))).sign(message)
    }

    func line(over checkpoint: AuditCheckpoint) throws -> AuditNote.Signature {
        try AuditNote.Signature(name: checkpoint.origin, keyId: key.keyId, bytes: sign(checkpoint.text))
    }

    /// The line by which this key names a later one.
    func line(naming later: TestLogKey, origin: String = TestLog.origin) throws -> AuditNote.Signature {
        let message = try AuditSuccession.message(origin: origin, later: later.publicKey)
        return try AuditSuccession.line(origin: origin, former: key, signature: sign(message))
    }
}

extension TestTrail {
    /// The upload of some of the records.
    func upload(_ seqs: ClosedRange<Int>) throws -> AuditUpload {
        try AuditUpload(
            deviceId: Self.device,
            epoch: epoch,
            firstSeq: UInt64(seqs.lowerBound),
            lastSeq: UInt64(seqs.upperBound),
            headHash: records[seqs.upperBound].hash,
            sentAt: Self.start + .hours(1),
            nonce: [UInt8](repeating: 0x5A, count: 16)
        )
    }
}

extension [UInt8] {
    /// The bytes with one of them changed, taken out or written twice: all such that the rest stays.
    ///
    /// - Parameter bits: what is flipped in each byte.
    func mutations(flipping bits: [UInt8] = (0..<8).map { 1 << $0 }) -> some Sequence<[UInt8]> {
        indices.lazy.flatMap { index -> [[UInt8]] in
            var changed = bits.map { bit in
                var changed = self
                changed[index] ^= bit
                return changed
            }
            var (short, long) = (self, self)
            short.remove(at: index)
            long.insert(self[index], at: index)
            changed += [short, long]
            return changed
        }
    }

    var text: String { String(decoding: self, as: UTF8.self) }
}
