import ThumbturnCrypto

/// What shows that who changes an account knows K of the login that gave the token: a token alone may be stolen, or pass
/// through a relay that shows a wrong certificate.
enum SessionProof {
    /// What is changed; each has a key of its own.
    enum Purpose: String {
        case passwordChange = "thumbturn.v1.password-change"
        case envelopeChange = "thumbturn.v1.envelope-change"
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
            let key = try HKDFSHA256.derive(from: sessionKey, salt: [], info: Array(purpose.rawValue.utf8))
            try HMACSHA256.verify(proof, of: body, key: key)
        } catch {
            throw Problem(.proof)
        }
    }
}
