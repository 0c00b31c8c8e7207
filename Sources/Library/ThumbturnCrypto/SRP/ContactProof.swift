/// A service's proof of its answer to a device's contact, including the refusal of a revoked device.
///
/// The header field `Thumbturn-Contact` contains, in base64, HMAC-SHA256, under `SessionPurpose.contact`'s key of the
/// device's last login, of `thumbturn.contact.answer.v1`, the contact's nonce in base64 and the status, each with a
/// line end, and the answer's body.
package enum ContactProof {
    /// The header field's name.
    package static let field = "Thumbturn-Contact"

    /// Computes a proof.
    ///
    /// - Parameters:
    ///   - nonce: the contact's, 16 bytes.
    ///   - body: the answer's.
    package static func make(nonce: [UInt8], status: Int, body: [UInt8], key: borrowing SecretBytes) -> [UInt8] {
        HMACSHA256.tag(message(nonce, status, body), key: key)
    }

    /// Checks a proof in constant time.
    ///
    /// - Throws: `CryptoError.authenticationFailed`.
    package static func check(
        _ proof: [UInt8],
        nonce: [UInt8],
        status: Int,
        body: [UInt8],
        key: borrowing SecretBytes
    ) throws(CryptoError) {
        try HMACSHA256.verify(proof, of: message(nonce, status, body), key: key)
    }

    private static func message(_ nonce: [UInt8], _ status: Int, _ body: [UInt8]) -> [UInt8] {
        Array("thumbturn.contact.answer.v1\n".utf8) + TextCode.base64.encode(nonce) + Array("\n\(status)\n".utf8) + body
    }
}
