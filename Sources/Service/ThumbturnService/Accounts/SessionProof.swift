import ThumbturnCrypto

/// Proves that both sides of a call know K of the login that issued the token: a token alone may be stolen, or pass
/// through a relay with a wrong certificate.
enum SessionProof {
    /// Proves an answer to a client that knows K.
    ///
    /// - Parameter message: the result of `AnswerProof.message`.
    static func make(of message: [UInt8], sessionKey: borrowing SecretBytes) -> [UInt8] {
        HMACSHA256.tag(message, key: SessionPurpose.answer.key(from: sessionKey))
    }

    /// Checks a proof in constant time.
    ///
    /// - Parameters:
    ///   - proof: 32 bytes.
    ///   - body: the body without the proof, in canonical form.
    ///   - sessionKey: K.
    static func check(
        _ proof: [UInt8],
        of body: [UInt8],
        for purpose: SessionPurpose,
        sessionKey: borrowing SecretBytes
    ) throws(Problem) {
        do throws(CryptoError) {
            try HMACSHA256.verify(proof, of: body, key: purpose.key(from: sessionKey))
        } catch {
            throw Problem(.proof)
        }
    }
}
