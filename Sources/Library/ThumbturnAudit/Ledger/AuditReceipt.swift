import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// The answer to an upload: where its records are in the log, and a signed head that the last of them is proved under.
///
/// The chain binds the other records to that one.
package struct AuditReceipt: Equatable, Sendable {
    /// The most bytes of a receipt.
    package static let maximumByteCount = 32_768

    /// The device.
    package let deviceId: Identifier
    /// The chain.
    package let epoch: Identifier
    /// The first record's place in the chain.
    package let firstSeq: UInt64
    /// The last record's place in the chain.
    package let lastSeq: UInt64
    /// The last record's hash, 32 bytes.
    package let headHash: [UInt8]
    /// The first record's place in the log.
    package let firstIndex: UInt64
    /// The last record's place in the log: others may stand between.
    package let lastIndex: UInt64
    /// The service's time of the last record.
    package let tsServer: Milliseconds
    /// The inclusion of the last record's leaf in the tree of the note's size, hashes of 32 bytes.
    package let proof: [[UInt8]]
    /// The signed head.
    package let note: AuditNote
    /// The consistency of that head with the one that the device keeps; nil where it was not asked for.
    package let consistency: [[UInt8]]?

    /// Creates the receipt of an upload.
    package init(
        of upload: AuditUpload,
        firstIndex: UInt64,
        lastIndex: UInt64,
        tsServer: Milliseconds,
        proof: [[UInt8]],
        note: AuditNote,
        consistency: [[UInt8]]?
    ) {
        (deviceId, epoch) = (upload.deviceId, upload.epoch)
        (firstSeq, lastSeq, headHash) = (upload.firstSeq, upload.lastSeq, upload.headHash)
        (self.firstIndex, self.lastIndex, self.tsServer) = (firstIndex, lastIndex, tsServer)
        (self.proof, self.note, self.consistency) = (proof, note, consistency)
    }

    /// The log's name: the note's.
    package var origin: String { note.checkpoint.origin }

    /// The receipt, canonical: {checkpoint[, consistency], deviceId, epoch, firstIndex, firstSeq, headHash, lastIndex,
    /// lastSeq, origin, proof, tsServer, v}.
    package var json: [UInt8] {
        var json = Array("{\"checkpoint\":".utf8)
        json.reserveCapacity(3_072)
        json += JSON.string(String(decoding: note.text, as: UTF8.self)).canonicalTexts()
        // Written in their order, since a service makes one of these for each upload.
        if let consistency { Self.add("consistency", consistency, to: &json) }
        json += ",\"deviceId\":\"\(deviceId.text)\",\"epoch\":\"\(epoch.text)\"".utf8
        json += ",\"firstIndex\":\(firstIndex),\"firstSeq\":\(firstSeq),\"headHash\":\"".utf8
        json += TextCode.hexadecimal.encode(headHash)
        json += "\",\"lastIndex\":\(lastIndex),\"lastSeq\":\(lastSeq),\"origin\":".utf8
        json += JSON.string(origin).canonicalTexts()
        Self.add("proof", proof, to: &json)
        json += ",\"tsServer\":\"\(tsServer.utcText)\",\"v\":\(Self.version)}".utf8
        return json
    }

    private static func add(_ name: String, _ hashes: [[UInt8]], to json: inout [UInt8]) {
        json += ",\"\(name)\":[".utf8
        for (place, hash) in hashes.enumerated() {
            json += (place > 0 ? ",\"" : "\"").utf8
            json += TextCode.hexadecimal.encode(hash)
            json.append(UInt8(ascii: "\""))
        }
        json.append(UInt8(ascii: "]"))
    }

    /// Reads a receipt strictly: it is accepted if writing what was read gives the same bytes.
    ///
    /// - Throws: `.malformed`.
    package init(reading bytes: [UInt8]) throws(AuditError) {
        guard bytes.count <= Self.maximumByteCount else { throw .malformed }
        let json = try JSON(strictly: bytes, depthLimit: 2)
        deviceId = try json.identifier("deviceId")
        epoch = try json.identifier("epoch")
        (firstSeq, lastSeq) = (try json.number("firstSeq"), try json.number("lastSeq"))
        headHash = try json.digest("headHash")
        (firstIndex, lastIndex) = (try json.number("firstIndex"), try json.number("lastIndex"))
        tsServer = try json.time("tsServer")
        proof = try json.digests("proof")
        note = try AuditNote(reading: Array(try json.text("checkpoint").utf8))
        consistency = try json.optional("consistency") { (json, name) throws(AuditError) in try json.digests(name) }
        // Other leaves may stand between the first and the last record, but not in one.
        guard firstSeq <= lastSeq, firstIndex <= lastIndex, lastIndex - firstIndex >= lastSeq - firstSeq,
            firstSeq < lastSeq || firstIndex == lastIndex, self.json == bytes
        else { throw .malformed }
    }

    private static let version: UInt64 = 1
}

extension JSON {
    fileprivate func digests(_ name: String) throws(AuditError) -> [[UInt8]] {
        guard case .array(let values) = self[name] else { throw .malformed }
        return try values.map { value throws(AuditError) in
            guard case .string(let text) = value, let digest = TextCode.hexadecimal.decode(Array(text.utf8)),
                digest.count == SHA256.byteCount
            else { throw .malformed }
            return digest
        }
    }
}
