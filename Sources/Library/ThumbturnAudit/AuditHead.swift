import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// The end of a device's export: its last record, which the device signs.
package struct AuditHead: Equatable, Sendable {
    /// The length of `nonce`.
    package static let nonceByteCount = 16

    /// The device.
    package let deviceId: Identifier
    /// The chain.
    package let epoch: Identifier
    /// The last record's place.
    package let seq: UInt64
    /// The last record's hash, 32 bytes.
    package let hash: [UInt8]
    /// When it was exported, by the device's clock.
    package let at: Milliseconds
    /// 16 random bytes.
    package let nonce: [UInt8]

    /// What the device signs: `thumbturn.audit.export.v1\n` ‖ JCS{head, header}, the head without its signature.
    ///
    /// - Throws: `.malformed` for a `seq` above 2^53 − 2.
    package func message() throws(AuditError) -> [UInt8] {
        let both: JSON = ["head": json(signature: nil), "header": AuditHeader.json(count: seq + 1)]
        return Array("thumbturn.audit.export.v1\n".utf8) + (try both.canonicalBytes())
    }

    func json(signature: [UInt8]?) -> JSON {
        var members: [(String, JSON)] = [
            ("at", .string(at.utcText)), ("deviceId", .string(deviceId.text)), ("epoch", .string(epoch.text)),
            ("headHash", .hexadecimal(hash)), ("nonce", .base64(nonce)), ("seq", .number(seq)),
        ]
        if let signature { members.append(("signature", .base64(signature))) }
        return .object(members)
    }

    /// Reads the content of a head's line strictly.
    static func read(_ content: [UInt8]) throws(AuditError) -> (AuditHead, signature: [UInt8]) {
        let json = try JSON(strictly: content, depthLimit: 1)
        let head = AuditHead(
            deviceId: try json.identifier("deviceId"),
            epoch: try json.identifier("epoch"),
            seq: try json.number("seq"),
            hash: try json.digest("headHash"),
            at: try json.time("at"),
            nonce: try json.bytes("nonce")
        )
        let signature = try json.bytes("signature")
        guard head.nonce.count == nonceByteCount, try head.json(signature: signature).canonicalBytes() == content else {
            throw .malformed
        }
        return (head, signature)
    }
}
