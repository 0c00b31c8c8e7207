import ThumbturnCrypto
import ThumbturnJSON

/// What makes a later key of a log believable: a line in the first note of both, by which the former key names the later.
///
/// Two signatures under one text don't: who has a note of the former key can sign the same text with a key of his own and
/// add his line. The line has a key id of its own (C2SP signed-note, type 0xFF), so other readers of notes ignore it.
package enum AuditSuccession {
    private static let label = "thumbturn.audit.key.v1"

    /// What the former key signs: `thumbturn.audit.key.v1\n` ‖ JCS{origin, publicKeySha256}, the latter of the later key.
    ///
    /// No note is taken for it: what follows an origin there is a number.
    ///
    /// - Parameter publicKey: the later key's, SubjectPublicKeyInfo in DER.
    package static func message(origin: String, later publicKey: [UInt8]) -> [UInt8] {
        let members: JSON = [
            "origin": .string(origin), "publicKeySha256": .hexadecimal(SHA256.digest(publicKey)),
        ]
        return Array("\(label)\n".utf8) + members.canonicalTexts()
    }

    /// The line of the note.
    ///
    /// - Parameters:
    ///   - former: the key that signed `message`.
    ///   - signature: in DER.
    /// - Throws: `.malformed` for an origin that none may have, and for no signature.
    package static func line(
        origin: String,
        former: AuditKey,
        signature: [UInt8]
    ) throws(AuditError) -> AuditNote.Signature {
        try AuditNote.Signature(name: origin, keyId: keyId(origin: origin, former: former), bytes: signature)
    }

    /// Verifies that a former key named a later one in a note of both.
    ///
    /// - Throws: `.unsigned` if one of the three lines is missing or wrong.
    package static func check(_ note: AuditNote, former: AuditKey, later: AuditKey) throws(AuditError) {
        try note.verify(by: former)
        try note.verify(by: later)
        let origin = note.checkpoint.origin
        let keyId = keyId(origin: origin, former: former)
        guard let line = note.signatures.first(where: { $0.isOf(name: origin, keyId: keyId) }) else { throw .unsigned }
        let message = message(origin: origin, later: later.publicKey)
        do throws(CryptoError) {
            try P256.verify(signature: line.bytes, of: message, publicKey: former.publicKey)
        } catch { throw .unsigned }
    }

    /// SHA-256(origin ‖ `\n` ‖ 0xFF ‖ label ‖ `\n` ‖ SPKI)[:4].
    private static func keyId(origin: String, former: AuditKey) -> [UInt8] {
        let digest = SHA256.digest(Array("\(origin)\n".utf8), [0xFF], Array("\(label)\n".utf8), former.publicKey)
        return Array(digest.prefix(AuditNote.keyIdByteCount))
    }
}
