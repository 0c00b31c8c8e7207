/// What a service gave to a login: a token, and K to prove changes by.
///
/// There is none until the service has proved itself (INV-107-04): the initialiser takes what only a verified M2 makes, hides
/// behind `@_spi(VerifiedServer)`, and one file of `ThumbturnAccount` uses it. A local unlock never gets one.
public struct ServerSession: ~Copyable, Sendable {
    /// The bearer token: 64 lower-case hexadecimal digits, as they are sent.
    package let token: SecretBytes
    let login: SRPClientSession

    /// Takes the token that came with the server's proof.
    @_spi(VerifiedServer) public init(_ login: consuming SRPClientSession, token: consuming SecretBytes) {
        self.login = login
        self.token = token
    }

    /// Proves that who changes the account is who logged in, and no thief of the token: HMAC-SHA256 under HKDF of K, 32 bytes.
    ///
    /// - Parameters:
    ///   - body: what is to be proved.
    ///   - purpose: what is changed; each has a key of its own.
    package borrowing func proof(of body: [UInt8], for purpose: SessionPurpose) -> [UInt8] {
        HMACSHA256.tag(body, key: purpose.key(from: login.key))
    }

    /// What the service proves its answers to this device's contacts by, until the device's next login.
    package borrowing func contactKey() -> SecretBytes { SessionPurpose.contact.key(from: login.key) }

    /// Checks in constant time that an answer is the service's own.
    ///
    /// - Parameter message: of `AnswerProof.message`.
    /// - Throws: `CryptoError.authenticationFailed`.
    package borrowing func verify(_ proof: [UInt8], of message: [UInt8]) throws(CryptoError) {
        try HMACSHA256.verify(proof, of: message, key: SessionPurpose.answer.key(from: login.key))
    }
}

/// What a proof under a session's key is for, on both sides; `info` of its key is `thumbturn.v1.` and this.
package enum SessionPurpose: String, Sendable {
    case passwordChange = "password-change"
    case envelopeChange = "envelope-change"
    /// The service's, of its answers.
    case answer
    /// The service's, of what it answers to a device's contacts after the login.
    case contact

    /// The key of its proofs, of K.
    package func key(from sessionKey: borrowing SecretBytes) -> SecretBytes {
        let input = unsafe UnsafeRawBufferPointer(sessionKey.mutableBytes)
        return unsafe HKDFSHA256.key(purpose: rawValue, salt: [], from: [input])
    }
}
