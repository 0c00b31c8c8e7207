/// A service's response to a login: a token, and K to prove changes with.
///
/// None exists until the service has proved itself (INV-107-04): the initialiser needs a login that only a verified M2
/// creates, is hidden behind `@_spi(VerifiedServer)`, and is used in one file of `ThumbturnAccount`. A local unlock
/// never gets one.
public struct ServerSession: ~Copyable, Sendable {
    /// The bearer token: 64 lower-case hexadecimal digits, as sent.
    package let token: SecretBytes
    let login: SRPClientSession

    /// Stores the token that came with the server's proof.
    @_spi(VerifiedServer) public init(_ login: consuming SRPClientSession, token: consuming SecretBytes) {
        self.login = login
        self.token = token
    }

    /// Proves that a change comes from the client that logged in, not from a thief of the token: HMAC-SHA256 under HKDF
    /// of K, 32 bytes.
    ///
    /// - Parameters:
    ///   - body: the data to authenticate.
    ///   - purpose: the kind of change; each has its own key.
    package borrowing func proof(of body: [UInt8], for purpose: SessionPurpose) -> [UInt8] {
        HMACSHA256.tag(body, key: purpose.key(from: login.key))
    }

    /// Returns the key of the service's proofs to this device's contacts, valid until the device's next login.
    package borrowing func contactKey() -> SecretBytes { SessionPurpose.contact.key(from: login.key) }

    /// Checks in constant time that an answer is the service's own.
    ///
    /// - Parameter message: from `AnswerProof.message`.
    /// - Throws: `CryptoError.authenticationFailed`.
    package borrowing func verify(_ proof: [UInt8], of message: [UInt8]) throws(CryptoError) {
        try HMACSHA256.verify(proof, of: message, key: SessionPurpose.answer.key(from: login.key))
    }
}

/// The purpose of a proof under a session's key, on both sides; `info` of its key is `thumbturn.v1.` and this.
package enum SessionPurpose: String, Sendable {
    case passwordChange = "password-change"
    case envelopeChange = "envelope-change"
    /// The service's proofs of its answers.
    case answer
    /// The service's proofs of its answers to a device's contacts after the login.
    case contact

    /// Derives the purpose's key from K.
    package func key(from sessionKey: borrowing SecretBytes) -> SecretBytes {
        let input = unsafe UnsafeRawBufferPointer(sessionKey.mutableBytes)
        return unsafe HKDFSHA256.key(purpose: rawValue, salt: [], from: [input])
    }
}
