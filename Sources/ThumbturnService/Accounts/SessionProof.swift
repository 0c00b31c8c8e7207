import ThumbturnCrypto

/// What shows that who changes an account knows K of the login that gave the token, and that who answers does: a token alone may
/// be stolen, or pass through a relay that shows a wrong certificate.
enum SessionProof {
    /// What is proved; each has a key of its own.
    enum Purpose: String {
        case passwordChange = "thumbturn.v1.password-change"
        case envelopeChange = "thumbturn.v1.envelope-change"
        case answer = "thumbturn.v1.answer"
    }

    /// Proves an answer to who knows K.
    ///
    /// - Parameter message: of `AnswerProof.message`.
    static func make(of message: [UInt8], sessionKey: borrowing SecretBytes) throws(Problem) -> [UInt8] {
        do throws(CryptoError) {
            return HMACSHA256.tag(message, key: try key(for: .answer, from: sessionKey))
        } catch {
            throw Problem(.broken)
        }
    }

    /// Checks a proof in constant time.
    ///
    /// - Parameters:
    ///   - proof: 32 bytes.
    ///   - body: the body without it, in its canonical form.
    ///   - sessionKey: K.
    static func check(
        _ proof: [UInt8],
        of body: [UInt8],
        for purpose: Purpose,
        sessionKey: borrowing SecretBytes
    ) throws(Problem) {
        do throws(CryptoError) {
            try HMACSHA256.verify(proof, of: body, key: key(for: purpose, from: sessionKey))
        } catch {
            throw Problem(.proof)
        }
    }

    private static func key(
        for purpose: Purpose,
        from sessionKey: borrowing SecretBytes
    ) throws(CryptoError) -> SecretBytes {
        try HKDFSHA256.derive(from: sessionKey, salt: [], info: Array(purpose.rawValue.utf8))
    }
}
