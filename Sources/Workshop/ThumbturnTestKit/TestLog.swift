import Foundation
package import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// A log as an account's service keeps one, in memory: the answers of `POST /v1/audit/{deviceId}/events`, made of
/// `ThumbturnAudit`'s own tree and P-256 keys.
package final class TestLog: @unchecked Sendable {
    // Safe to share: `lock` guards the state.
    private let lock = NSLock()
    private var state: State

    /// What a request is answered.
    package struct Reply: Sendable {
        package let status: Int
        package let body: [UInt8]

        fileprivate static func problem(_ status: Int, _ code: String, _ members: [(String, JSON)] = []) -> Reply {
            let json = JSON.object([("code", .string(code))] + members)
            return Reply(status: status, body: (try? json.canonical()) ?? [])
        }
    }

    /// A key; a class since a private key can't be copied.
    ///
    /// It signs a text once, so that plays which go the same way leave the same bytes.
    fileprivate final class Signer: @unchecked Sendable {
        // Safe to share: `lock` guards what was signed.
        let key: P256PrivateKey
        private let lock = NSLock()
        private var signed: [[UInt8]: [UInt8]] = [:]

        init() throws { key = try .make() }

        func sign(_ text: [UInt8]) throws -> [UInt8] {
            try lock.withLock {
                let signature = try signed[text] ?? key.sign(text)
                signed[text] = signature
                return signature
            }
        }
    }

    /// A key of the log, and what makes it count.
    fileprivate struct Key {
        let signer: Signer
        var from: UInt64 = 0
        var succession: [UInt8]?

        var audit: AuditKey {
            get throws { try AuditKey(publicKey: signer.key.publicKey, from: from, checkpoint: succession) }
        }

        func line(of head: AuditCheckpoint) throws -> AuditNote.Signature {
            try AuditNote.Signature(name: head.origin, keyId: audit.keyId, bytes: signer.sign(head.text))
        }
    }

    /// A chain, as far as it came.
    fileprivate struct Chain {
        var hashes: [[UInt8]] = []
        var indexes: [UInt64] = []
        var times: [Milliseconds] = []
        var head: [UInt8]
    }

    /// All that the service knows; one that was kept is a backup of it.
    package struct State {
        package let origin: String
        fileprivate var keys: [Key]
        fileprivate var edge = MerkleEdge()
        /// The records in the order of the log.
        package fileprivate(set) var records: [AuditRecord] = []
        fileprivate var chains: [Identifier: Chain] = [:]
        fileprivate var devices: [Identifier: [UInt8]] = [:]
        fileprivate var nonces: Set<[UInt8]> = []
        fileprivate var now = Milliseconds(1_700_000_000_000)
    }

    package init(_ origin: String = "https://accounts.example") throws {
        state = State(origin: origin, keys: [Key(signer: try Signer())])
    }

    /// A copy of everything, and the way to put it back.
    package var kept: State {
        get { lock.withLock { state } }
        set { lock.withLock { state = newValue } }
    }

    /// Ends the log and begins another with another name and other keys, as a restored service does.
    package func restore(as origin: String) throws {
        var next = State(origin: origin, keys: [Key(signer: try Signer())])
        next.devices = kept.devices
        kept = next
    }

    /// The list that comes with a proved answer to a login.
    package var audit: AuditKeys {
        get throws { AuditKeys(origin: kept.origin, keys: try kept.keys.map { try $0.audit }) }
    }

    package func enrol(_ device: Identifier, _ publicKey: [UInt8]) {
        lock.withLock { state.devices[device] = publicKey }
    }

    /// Forgets every device, as after the account was closed.
    package func close() { lock.withLock { state.devices = [:] } }

    /// Signs with a new key from now on, which the former one named, or nothing did.
    package func rotate(named: Bool = true) throws {
        try lock.withLock {
            guard let former = state.keys.last else { return }
            var key = Key(signer: try Signer())
            let (head, later) = (state.edge.head(state.origin), try key.audit)
            var lines = [try former.line(of: head), try key.line(of: head)]
            if named {
                let message = AuditSuccession.message(origin: state.origin, later: later.publicKey)
                lines.append(
                    try AuditSuccession.line(
                        origin: state.origin,
                        former: former.audit,
                        signature: former.signer.key.sign(message)
                    )
                )
            }
            (key.from, key.succession) = (head.size, try AuditNote(head, signatures: lines).text)
            state.keys.append(key)
        }
    }

    /// Makes another tree of the log's leaves, and signs what follows from that.
    ///
    /// - Parameters:
    ///   - exchangingFirst: whether another leaf is the first.
    ///   - dropped: how many of the last leaves are left out.
    package func rebuild(exchangingFirst: Bool = false, dropping dropped: UInt64 = 0) {
        lock.withLock {
            let former = state.edge
            state.edge = MerkleEdge()
            for index in 0..<former.size - dropped {
                let leaf = index == 0 && exchangingFirst ? nil : former.node(MerkleNode(level: 0, index: index))
                state.edge.append(leaf ?? MerkleTree.leaf([]))
            }
        }
    }

    /// Signs with a key that nothing tells of.
    package func exchangeKeys() throws {
        try lock.withLock { state.keys = [Key(signer: try Signer())] }
    }

    /// Adds another device's leaves.
    package func grow(by count: Int) {
        lock.withLock { for number in 0..<count { state.edge.append(MerkleTree.leaf([UInt8(number & 255), 1])) } }
    }
}

// The call.
extension TestLog {
    /// Answers an upload as it comes over the wire.
    ///
    /// - Parameters:
    ///   - path: `/v1/audit/{deviceId}/events`, with or without `?since=`.
    ///   - fields: the header fields.
    package func receive(_ path: String, _ fields: [String: String], _ body: [UInt8]) -> Reply {
        func decoded(_ name: String) -> [UInt8]? {
            fields[name].flatMap { TextCode.base64.decode(Array($0.utf8)) }
        }
        let words = path.split { "/?=".contains($0) }
        let digest = String(decoding: TextCode.hexadecimal.encode(SHA256.digest(body)), as: UTF8.self)
        guard fields["Idempotency-Key"] == digest, let header = decoded("Thumbturn-Upload"),
            let signature = decoded("Thumbturn-Signature"), words.count >= 3,
            let device = Identifier(text: String(words[2]))
        else { return .problem(422, "FORM") }
        let since = words.last.flatMap { UInt64($0) }
        return receive(header, signature: signature, body: body, from: device, since: since)
    }

    /// Answers an upload.
    ///
    /// - Parameters:
    ///   - header: `Thumbturn-Upload`, out of its base64.
    ///   - signature: `Thumbturn-Signature`, out of its base64.
    ///   - since: the query's number; nil without one.
    package func receive(
        _ header: [UInt8],
        signature: [UInt8],
        body: [UInt8],
        from device: Identifier,
        since: UInt64?
    ) -> Reply {
        lock.withLock { state.receive(header, signature, body, device, since) }
    }
}

extension TestLog.State {
    fileprivate mutating func receive(
        _ header: [UInt8],
        _ signature: [UInt8],
        _ body: [UInt8],
        _ device: Identifier,
        _ since: UInt64?
    ) -> TestLog.Reply {
        guard let upload = try? AuditUpload(reading: header) else { return .problem(422, "FORM") }
        guard upload.deviceId == device, let publicKey = devices[device] else {
            return .problem(401, "DEVICE_UNKNOWN")
        }
        let message = upload.message(origin: origin)
        guard (try? P256.verify(signature: signature, of: message, publicKey: publicKey)) != nil else {
            // For which other log it was signed is not asked.
            return .problem(409, "ORIGIN")
        }
        guard nonces.insert(upload.nonce).inserted else { return .problem(409, "NONCE") }
        let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let records = lines.dropLast().compactMap { try? AuditRecord(reading: Array($0)) }
        guard lines.last == [], records.count == lines.count - 1 else { return .problem(400, "NOT_CANONICAL") }
        guard records.first?.seq == upload.firstSeq, records.last?.seq == upload.lastSeq,
            records.last?.hash == upload.headHash, (1...AuditUpload.maximumRecords).contains(records.count),
            records.allSatisfy({ $0.deviceId == device && $0.epoch == upload.epoch && $0.userId != nil })
        else { return .problem(422, "UPLOAD") }
        let genesis = AuditChain.genesis(device: device, epoch: upload.epoch, publicKey: publicKey)
        return take(records, upload, chains[upload.epoch] ?? TestLog.Chain(head: genesis), since)
    }

    private mutating func take(
        _ records: [AuditRecord],
        _ upload: AuditUpload,
        _ former: TestLog.Chain,
        _ since: UInt64?
    ) -> TestLog.Reply {
        var chain = former
        guard upload.firstSeq <= UInt64(chain.hashes.count) else {
            return .problem(
                409,
                "GAP",
                [
                    ("expectedSeq", .integer(Int64(chain.hashes.count))),
                    ("headHash", .string(String(decoding: TextCode.hexadecimal.encode(chain.head), as: UTF8.self))),
                ]
            )
        }
        now = now + Milliseconds(1)
        var added: [AuditRecord] = []
        for record in records {
            if record.seq < UInt64(chain.hashes.count) {
                guard chain.hashes[Int(record.seq)] == record.hash else { return .problem(409, "FORK") }
                continue
            }
            guard record.previous == chain.head else { return .problem(409, "FORK") }
            chain.hashes.append(record.hash)
            chain.indexes.append(edge.size + UInt64(added.count))
            chain.times.append(now)
            chain.head = record.hash
            added.append(record)
        }
        for record in added { edge.append(MerkleTree.leaf(AuditLeaf.record(record, at: now))) }
        self.records += added
        chains[upload.epoch] = chain
        guard let receipt = try? receipt(of: upload, chain, since) else { return .problem(500, "INTERNAL") }
        return TestLog.Reply(status: 200, body: receipt.json)
    }

    private func receipt(
        of upload: AuditUpload,
        _ chain: TestLog.Chain,
        _ since: UInt64?
    ) throws -> AuditReceipt {
        let (first, last) = (Int(upload.firstSeq), Int(upload.lastSeq))
        let prover = MerkleProver(size: edge.size) { (node) throws(AuditError) -> [UInt8] in
            guard let hash = edge.node(node) else { throw .malformed }
            return hash
        }
        let head = edge.head(origin)
        let known = since.flatMap { $0 <= edge.size ? $0 : nil }
        return AuditReceipt(
            of: upload,
            firstIndex: chain.indexes[first],
            lastIndex: chain.indexes[last],
            tsServer: chain.times[last],
            proof: try prover.inclusion(of: chain.indexes[last]),
            note: try AuditNote(head, signatures: keys.suffix(1).map { try $0.line(of: head) }),
            consistency: try known.map { try prover.consistency(from: $0) }
        )
    }
}

extension MerkleEdge {
    fileprivate func head(_ origin: String) -> AuditCheckpoint {
        guard let head = try? AuditCheckpoint(origin: origin, size: size, root: root) else {
            preconditionFailure("a name that no log may have")
        }
        return head
    }
}
