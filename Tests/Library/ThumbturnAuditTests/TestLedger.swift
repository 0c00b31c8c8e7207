import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// A service's log and its export, written line by line as the page says, apart from `LedgerExport`.
///
/// What is asked of it may make no sense: then the export is one that must be refused, signed as it stands.
struct TestLedger {
    static let origin = "ledger.example"
    /// The private keys of the log.
    static let key = TestTrail.scalar(11)
    static let nextKey = TestTrail.scalar(12)
    static let user = Identifier(high: 0xA, low: 0xB)

    let origin: String
    /// The time of what comes next.
    var time = TestTrail.start + .hours(1)
    /// The tree of all leaves, whatever their lines say.
    private(set) var tree = MerkleEdge()
    /// The lines behind the keys.
    private(set) var lines: [[UInt8]] = []
    /// The keys that signed a checkpoint, and the size of their first one.
    private(set) var signers: [(scalar: [UInt8], from: UInt64)] = []
    /// The last checkpoint.
    private(set) var note: AuditNote?
    /// What the lines since the last checkpoint are made of, once its signature is known.
    private var pending: [(_ signature: String, _ keyId: String) -> String] = []

    init(origin: String = Self.origin) { self.origin = origin }

    var size: UInt64 { tree.size }

    static func publicKey(of scalar: [UInt8]) throws -> [UInt8] {
        try P256PrivateKey(scalar: SecretBytes(of: scalar)).publicKey
    }

    static func auditKey(_ scalar: [UInt8], from: UInt64 = 0) throws -> AuditKey {
        try AuditKey(publicKey: publicKey(of: scalar), from: from)
    }

    // What a log takes.

    mutating func enter(_ entry: LedgerEntry) {
        let (leaf, index) = (text(entry.leaf(at: time)), size)
        add(Array(leaf.utf8)) { _, _ in "{\"entry\":\(leaf),\"index\":\(index)}" }
    }

    /// Enters that the log has one more key.
    mutating func rotate(to scalar: [UInt8]) throws {
        let key = try Self.auditKey(scalar)
        enter(.keyRotated(keyId: key.id, publicKeySha256: SHA256.digest(key.publicKey)))
    }

    mutating func device(_ trail: TestTrail, epoch: Identifier? = nil) throws {
        let key = text(TextCode.base64.encode(try trail.publicKey))
        let line = """
            {"device":{"algorithm":"ecdsa-p256-sha256","deviceId":"\(trail.device.text)",\
            "epoch":"\((epoch ?? trail.epoch).text)","publicKey":"\(key)"}}
            """
        put(line)
    }

    mutating func record(_ record: AuditRecord) {
        let (leaf, index) = (AuditLeaf.record(record, at: time), size)
        let parts = text(leaf).split(separator: "},\"payload\"", maxSplits: 1).map(String.init)
        add(leaf) { signature, keyId in
            let signed = ",\"signature\":\"\(signature)\",\"signatureKeyId\":\"\(keyId)\"},\"payload\""
            return "{\"index\":\(index),\"record\":\(parts[0])\(signed)\(parts[1])}"
        }
    }

    /// - Parameters:
    ///   - records: those of the upload, of which the log may have known the first.
    ///   - scalar: signs; nil for the device's own.
    mutating func upload(
        _ trail: TestTrail,
        _ records: ClosedRange<Int>,
        origin: String? = nil,
        by scalar: [UInt8]? = nil,
        head: [UInt8]? = nil
    ) throws {
        let head = head ?? trail.records[records.upperBound].hash
        let members = (
            """
            "deviceId":"\(trail.device.text)","epoch":"\(trail.epoch.text)","firstSeq":\(records.lowerBound),\
            "headHash":"\(head.hexadecimal)","lastSeq":\(records.upperBound),"nonce":"paWlpaWlpaWlpaWlpaWlpQ==",
            """,
            "\"sentAt\":\"\(time.utcText)\""
        )
        let message = "thumbturn.audit.upload.v1\n{\(members.0)\"origin\":\"\(origin ?? self.origin)\",\(members.1)}"
        let key = try P256PrivateKey(scalar: SecretBytes(of: scalar ?? trail.scalar))
        let signature = text(TextCode.base64.encode(try key.sign(Array(message.utf8))))
        put("{\"upload\":{\(members.0)\(members.1),\"signature\":\"\(signature)\"}}")
    }

    /// Takes records of a device in: its line if they begin their chain, they and their upload.
    mutating func deliver(_ trail: TestTrail, _ seqs: ClosedRange<Int>, knowing known: Int? = nil) throws {
        if seqs.lowerBound == 0 { try device(trail) }
        for seq in seqs { record(trail.records[seq]) }
        try upload(trail, (known ?? seqs.lowerBound)...seqs.upperBound)
    }

    /// Signs the head.
    ///
    /// - Parameters:
    ///   - scalars: of the keys, the one whose signature the records carry first.
    ///   - others: lines of other keys.
    mutating func sign(
        _ scalars: [[UInt8]] = [Self.key],
        size: UInt64? = nil,
        root: [UInt8]? = nil,
        origin: String? = nil,
        before others: [AuditNote.Signature] = []
    ) throws {
        let origin = origin ?? self.origin
        let head = try AuditCheckpoint(origin: origin, size: size ?? self.size, root: root ?? tree.root)
        let signatures = try scalars.map { scalar in
            let key = try P256PrivateKey(scalar: SecretBytes(of: scalar))
            return try AuditNote.Signature(
                name: origin,
                keyId: Array(SHA256.digest(key.publicKey).prefix(4)),
                bytes: key.sign(head.text)
            )
        }
        for scalar in scalars where !signers.contains(where: { $0.scalar == scalar }) {
            signers.append((scalar, self.size))
        }
        end(with: try AuditNote(head, signatures: others + signatures), signedBy: signatures.first)
    }

    /// Ends the section with a note, whose signature of a key the records carry.
    mutating func end(with note: AuditNote, signedBy first: AuditNote.Signature?) {
        let (signature, keyId) = (text(TextCode.base64.encode(first?.bytes ?? [])), first?.keyId.hexadecimal ?? "")
        lines += pending.map { Array(($0(signature, keyId) + "\n").utf8) }
        pending = []
        self.note = note
        lines.append(Self.line(of: note))
    }

    static func line(of note: AuditNote) -> [UInt8] {
        let text = String(decoding: note.text, as: UTF8.self).replacing("\\", with: "\\\\")
            .replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return Array("{\"checkpoint\":\"\(text)\"}\n".utf8)
    }

    /// Writes a line as it is.
    mutating func put(_ line: String) { pending.append { _, _ in line } }

    /// Takes a leaf and writes its line, whatever they are.
    mutating func add(_ leaf: [UInt8], line: @escaping (String, String) -> String) {
        tree.append(MerkleTree.leaf(leaf))
        pending.append(line)
        time = time + .seconds(1)
    }

    // The export.

    func header(to count: UInt64? = nil) -> [UInt8] {
        let origin = origin.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let header = """
            {"header":{"format":"thumbturn.audit.export","from":0,"origin":"\(origin)","to":\(count ?? size),"version":1}}

            """
        return Array(header.utf8)
    }

    static func line(ofKey scalar: [UInt8], from: UInt64) throws -> [UInt8] {
        let key = try auditKey(scalar)
        let code = String(decoding: TextCode.base64.encode(key.publicKey), as: UTF8.self)
        let line = """
            {"key":{"algorithm":"ecdsa-p256-sha256","from":\(from),"id":"\(key.id)","publicKey":"\(code)"}}

            """
        return Array(line.utf8)
    }

    /// The export's lines, each with its newline.
    func export() throws -> [[UInt8]] {
        let keys = try signers.map { try (key: Self.auditKey($0.scalar), signer: $0) }
            .sorted { ($0.signer.from, $0.key.id) < ($1.signer.from, $1.key.id) }
        return [header()] + (try keys.map { try Self.line(ofKey: $0.signer.scalar, from: $0.signer.from) }) + lines
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension TestLedger {
    static let phone = TestTrail.device
    static let tablet = Identifier(high: 0x1111, low: 0x2222)

    /// The trail of a tablet, a few of whose records are there.
    static func tabletTrail() throws -> TestTrail {
        try TestTrail(count: 3, epoch: 9, scalar: TestTrail.scalar(2), device: tablet, former: nil)
    }

    /// A log with a line of every sort: two devices, two keys, each entry but one of a restored log, each kind of upload.
    static func everything() throws -> TestLedger {
        let phone = try TestTrail(count: 6, former: nil)
        let tablet = try tabletTrail()
        var ledger = TestLedger()
        ledger.enter(
            .deviceEnrolled(device: phone.device, user: user, publicKeySha256: SHA256.digest(try phone.publicKey))
        )
        try ledger.sign()
        try ledger.deliver(phone, 0...2)
        try ledger.sign()
        ledger.enter(.passwordChanged(user: user, policyEpoch: 1))
        try ledger.deliver(tablet, 0...1)
        try ledger.deliver(phone, 3...3, knowing: 2)
        try ledger.sign()
        try ledger.rotate(to: nextKey)
        try ledger.deliver(phone, 4...4)
        try ledger.sign([nextKey, key])
        ledger.enter(.deviceRevoked(device: tablet.device, user: user))
        try ledger.deliver(tablet, 2...2)
        try ledger.sign([nextKey])
        ledger.enter(
            .fork(device: tablet.device, epoch: tablet.epoch, seq: 3, user: user, bodySha256: SHA256.digest([1]))
        )
        ledger.enter(
            .rejected(device: phone.device, user: user, bodySha256: SHA256.digest([2]), code: "MALFORMED")
        )
        try ledger.deliver(phone, 5...5)
        try ledger.sign([nextKey])
        return ledger
    }
}

/// What the verifier of both kinds says of a file that comes in pieces of one size.
func exportVerdict(
    on file: [UInt8],
    pinned: [[UInt8]]? = nil,
    known: AuditCheckpoint? = nil,
    inPiecesOf size: Int = 1 << 16
) -> Result<ExportVerifier.Summary, ExportVerifier.Finding> {
    var start = 0
    return ExportVerifier.verify(pinned: pinned, known: known) { () -> [UInt8]? in
        guard start < file.count else { return nil }
        defer { start += size }
        return Array(file[start..<Swift.min(file.count, start + size)])
    }
}

/// What is found wrong with a service's export; nil if it verifies.
func ledgerFinding(
    in lines: some Sequence<[UInt8]>,
    pinned: [[UInt8]]? = nil,
    known: AuditCheckpoint? = nil
) -> LedgerFinding? {
    switch exportVerdict(on: Array(lines.joined()), pinned: pinned, known: known) {
    case .success: nil
    case .failure(.ledger(let finding)): finding
    case .failure(.device): .noExport
    }
}

/// What a service's export tells.
func ledgerSummary(
    of ledger: TestLedger,
    pinned: [[UInt8]]? = nil,
    known: AuditCheckpoint? = nil
) throws -> LedgerSummary {
    let file = try Array(ledger.export().joined())
    guard case .ledger(let summary) = try exportVerdict(on: file, pinned: pinned, known: known).get() else {
        throw AbsentText(text: "a service's export")
    }
    return summary
}
