import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// A service's export as far as it was read and holds, line by line behind the header.
struct LedgerTrail: Sendable {
    private let origin: String
    /// The number of leaves that the header counts.
    private let count: UInt64
    /// A head of this log that the caller knows.
    private let known: AuditCheckpoint?
    private var keyring: LedgerKeyring
    private var chains = LedgerChains()
    private var section = LedgerSection()
    private var tree = MerkleEdge()
    private var isBehindKeys = false
    private var checkpoints: UInt64 = 0
    private var tally: [AuditEventKind: UInt64] = [:]
    private var entries: [String: UInt64] = [:]
    private var restored: LedgerRemark?
    /// Whether the tree is that of the known head, at its size.
    private var isKnown: Bool?

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - pinned: the public keys that are trusted, SubjectPublicKeyInfo in DER; nil trusts any.
    ///   - known: a head that this log signed before; one of another log is ignored.
    /// - Returns: nil for a line that is no header of a service's export.
    init?(readingHeader line: [UInt8], pinned: [[UInt8]]?, known: AuditCheckpoint?) {
        guard let content = AuditLine.header.content(of: line),
            let json = try? JSON(strictly: content, depthLimit: 1),
            let origin = try? json.text("origin"), let count = try? json.number("to"),
            origin != AuditHeader.device, AuditCheckpoint.accepts(origin: origin),
            (try? AuditHeader.json(origin: origin, count: count).canonicalBytes()) == content
        else { return nil }
        (self.origin, self.count) = (origin, count)
        self.known = known.flatMap { $0.origin == origin ? $0 : nil }
        if let known = self.known, known.size == 0 { isKnown = known.root == MerkleTree.emptyRoot }
        keyring = LedgerKeyring(pinned: pinned)
    }

    /// The next leaf's place.
    var next: UInt64 { tree.size }

    /// What a line is called that is none of those that may stand here.
    var malformed: LedgerFinding { isBehindKeys ? .leafMalformed(next) : .keyMalformed }

    /// Reads a line.
    ///
    /// - Returns: what there is to tell, once the last line was read.
    mutating func take(_ line: [UInt8]) throws(LedgerFinding) -> LedgerSummary? {
        if !isBehindKeys {
            guard !AuditLine.key.begins(line) else {
                try keyring.take(line)
                return nil
            }
            try keyring.end()
            isBehindKeys = true
        }
        if LedgerLine.isRecord(line) {
            try takeRecord(line)
        } else if AuditLine.upload.begins(line) {
            try chains.end(line, origin: origin, at: next)
        } else if AuditLine.checkpoint.begins(line) {
            try chains.checkNothingWaits(at: next)
            return try takeCheckpoint(line)
        } else if AuditLine.device.begins(line) {
            try chains.checkNothingWaits(at: next)
            guard next < count else { throw .leafUncounted(next) }
            try chains.begin(line, at: next)
        } else if LedgerLine.isEntry(line) {
            try chains.checkNothingWaits(at: next)
            try takeEntry(line)
        } else {
            throw malformed
        }
        return nil
    }

    private mutating func takeRecord(_ line: [UInt8]) throws(LedgerFinding) {
        guard next < count else { throw .leafUncounted(next) }
        let (index, leaf, claim, record, time) = try readRecord(line)
        guard index == next else { throw .leafElsewhere(next, found: index) }
        try chains.take(record, at: index)
        section.take(claim, at: index)
        tally[record.kind, default: 0] += UInt64(record.payload.run?.count ?? 1)
        add(leaf, at: time)
    }

    private func readRecord(
        _ line: [UInt8]
    ) throws(LedgerFinding) -> (UInt64, leaf: [UInt8], LedgerKeyring.Claim, AuditRecord, Milliseconds) {
        do throws(AuditError) {
            let (index, view) = try LedgerLine.record(line)
            let (leaf, signature, keyId) = try AuditLeaf.read(view: view)
            guard case (.record(let record), let time) = try AuditLeaf.read(leaf) else { throw .malformed }
            return (index, leaf, LedgerKeyring.Claim(signature: signature, keyId: keyId), record, time)
        } catch {
            throw error == .changed ? .recordChanged(next) : .leafMalformed(next)
        }
    }

    private mutating func takeEntry(_ line: [UInt8]) throws(LedgerFinding) {
        guard next < count else { throw .leafUncounted(next) }
        guard let (index, leaf) = try? LedgerLine.entry(line), let (entry, time) = try? LedgerEntry.read(leaf: leaf)
        else { throw .leafMalformed(next) }
        guard index == next else { throw .leafElsewhere(next, found: index) }
        chains.take(entry, at: index)
        switch entry {
        case .keyRotated(let keyId, let digest): keyring.tell(of: keyId, digest)
        case .restored(let formerOrigin, let size, root: _):
            restored = .restored(formerOrigin: formerOrigin, size: size)
        case .deviceEnrolled, .deviceRevoked, .passwordChanged, .fork, .rejected: break
        }
        entries[entry.type, default: 0] += 1
        add(leaf, at: time)
    }

    private mutating func add(_ leaf: [UInt8], at time: Milliseconds) {
        section.take(time, at: next)
        tree.append(MerkleTree.leaf(leaf))
        // Nothing is stored or proved, so no tile is kept longer than it grows.
        if tree.size % UInt64(MerkleTile.width) == 0 { tree.settle(keeping: tree.size) }
        if let known, tree.size == known.size { isKnown = tree.root == known.root }
    }

    private mutating func takeCheckpoint(_ line: [UInt8]) throws(LedgerFinding) -> LedgerSummary? {
        let start = section.start
        guard let note = try? LedgerLine.checkpoint(line), note.checkpoint.origin == origin else {
            throw .checkpointMalformed(from: start)
        }
        let (size, root) = (note.checkpoint.size, tree.root)
        guard size <= next else { throw .leavesMissing(from: next, through: size - 1) }
        guard size == next, size > start || count == 0 else { throw .checkpointElsewhere(from: start, size: size) }
        let claim = try keyring.verify(note, from: start)
        guard note.checkpoint.root == root else { throw .leavesChanged(from: start, through: max(size, 1) - 1) }
        try section.end(claim, at: next)
        guard isKnown != false else { throw .otherFace(size: known?.size ?? size) }
        keyring.settle()
        checkpoints += 1
        guard size == count else { return nil }
        try keyring.finish()
        return summary(root: root)
    }

    private func summary(root: [UInt8]) -> LedgerSummary {
        var remarks = [restored].compactMap(\.self) + chains.remarks
        if let known, known.size > count { remarks.append(.older(size: known.size)) }
        return LedgerSummary(
            origin: origin,
            size: count,
            root: root,
            keys: keyring.summary,
            times: section.times.map { min($0.first, $0.last)...$0.last },
            chains: chains.count,
            uploads: chains.uploads,
            checkpoints: checkpoints,
            tally: tally,
            entries: entries,
            isCompared: known.map { $0.size <= count } ?? false,
            remarks: remarks
        )
    }
}
