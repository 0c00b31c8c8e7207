import ThumbturnCrypto
package import ThumbturnJSON

/// A key of a log: ECDSA on P-256, which signs a note's text with SHA-256.
package struct AuditKey: Equatable, Sendable {
    /// The algorithms of a log's keys.
    package enum Algorithm: String, Sendable {
        /// A signature is ECDSA-Sig-Value (RFC 3279 §2.2.3) in DER.
        ///
        /// Devices and records ask for this one alone: the line for witnesses is no log's key to them.
        case p256 = "ecdsa-p256-sha256"
    }

    /// SubjectPublicKeyInfo in DER, 91 bytes.
    package let publicKey: [UInt8]
    /// The first 4 bytes of its SHA-256 (C2SP signed-note, of ECDSA keys).
    package let keyId: [UInt8]
    /// The size of the first checkpoint of this key that covers a leaf; 0 while there is none.
    package let from: UInt64
    /// Of a later key, the first note that it and a former key signed; nil for the log's first.
    package let checkpoint: [UInt8]?

    /// Creates a key.
    ///
    /// - Throws: `.malformed` for a public key of another form, or that is not on the curve, and for a checkpoint that is
    ///   no note.
    package init(publicKey: [UInt8], from: UInt64, checkpoint: [UInt8]? = nil) throws(AuditError) {
        do throws(CryptoError) { try P256.check(publicKey: publicKey) } catch { throw .malformed }
        if let checkpoint { _ = try AuditNote(reading: checkpoint) }
        (self.publicKey, self.from, self.checkpoint) = (publicKey, from, checkpoint)
        keyId = Array(SHA256.digest(publicKey).prefix(AuditNote.keyIdByteCount))
    }

    /// The id in 8 lower-case hexadecimal digits: `id` of a key, and `signatureKeyId` of a record.
    package var id: String { String(decoding: TextCode.hexadecimal.encode(keyId), as: UTF8.self) }

    /// Whether a text has the form of an id.
    static func accepts(id: String) -> Bool {
        id.utf8.count == 2 * AuditNote.keyIdByteCount
            && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// `{algorithm[, checkpoint], from, id, publicKey}`.
    package var json: JSON {
        var members: [(String, JSON)] = [("algorithm", .string(Algorithm.p256.rawValue))]
        if let checkpoint { members.append(("checkpoint", .string(String(decoding: checkpoint, as: UTF8.self)))) }
        members.append(("from", .number(from)))
        members.append(("id", .string(id)))
        members.append(("publicKey", .base64(publicKey)))
        return .object(members)
    }

    /// Reads a key strictly: it is accepted if it is written with the same members and values, in any order.
    ///
    /// - Throws: `.malformed`.
    package init(reading json: JSON) throws(AuditError) {
        try self.init(
            publicKey: try json.bytes("publicKey"),
            from: try json.number("from"),
            checkpoint: try json.optional("checkpoint") { (json, name) throws(AuditError) in
                Array(try json.text(name).utf8)
            }
        )
        guard try self.json.canonicalBytes() == json.canonicalBytes() else { throw .malformed }
    }

    /// The id of the Ed25519 key that signs the optional line for witnesses (C2SP signed-note, type 1): the first 4 bytes of
    /// SHA-256(`name` ‖ `\n` ‖ 0x01 ‖ `publicKey`).
    ///
    /// - Parameters:
    ///   - name: the log's origin.
    ///   - publicKey: 32 bytes.
    package static func witnessKeyId(name: String, publicKey: [UInt8]) -> [UInt8] {
        Array(SHA256.digest(Array(name.utf8), [0x0A, 0x01], publicKey).prefix(AuditNote.keyIdByteCount))
    }
}
