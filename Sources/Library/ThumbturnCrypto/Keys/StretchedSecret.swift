/// What Argon2id made of a PIN or a password: 32 bytes.
///
/// Its only initialisers run Argon2id, so the type proves that the slow derivation happened.
package struct StretchedSecret: ~Copyable, Sendable {
    let bytes: SecretBytes

    /// Runs Argon2id, about 100 ms at the default cost.
    ///
    /// - Parameters:
    ///   - secret: what the person typed, UTF-8, any length.
    ///   - salt: 16 bytes.
    ///   - parameters: as stored with the envelope, hence untrusted.
    ///   - limits: what we are willing to run; checked before anything is allocated.
    /// - Throws: `CryptoError.parametersOutOfRange`, `.outOfMemory`, or `.backendFailed`.
    package init(
        stretching secret: borrowing SecretBytes,
        salt: [UInt8],
        parameters: Argon2Parameters,
        limits: Argon2Limits
    ) throws(CryptoError) {
        try self.init(
            stretching: secret,
            salt: salt,
            parameters: parameters,
            limits: limits
        ) { (secret, salt, parameters) throws(CryptoError) in
            try Argon2id.derive(from: secret, salt: salt, parameters: parameters)
        }
    }

    /// What hardware that counts for itself asks for before it uses a device secret: 32 bytes, HKDF of these.
    ///
    /// - Parameter salt: stored with the slot.
    package func authorisation(salt: [UInt8]) -> SecretBytes { key("pin-authorisation", salt) }

    /// What enters SRP in an account's password's place: 64 lower-case hexadecimal digits of HKDF of these bytes, so that every
    /// SRP library takes it for a password.
    ///
    /// - Parameter salt: the account's, which Argon2id had too.
    package borrowing func srpPassword(salt: [UInt8]) -> SecretBytes {
        key("srp-auth", salt).withBytes { TextCode.hexadecimal.encode($0) }
    }

    /// The key of the account's envelope: 32 bytes, from which the SRP password does not follow, nor it from that.
    ///
    /// - Parameter salt: the account's.
    package borrowing func accountEnvelopeKey(salt: [UInt8]) -> SecretBytes { key("vault-kek", salt) }

    private borrowing func key(_ purpose: String, _ salt: [UInt8]) -> SecretBytes {
        let input = unsafe UnsafeRawBufferPointer(bytes.mutableBytes)
        return unsafe HKDFSHA256.key(purpose: purpose, salt: salt, from: [input])
    }

    /// The same with a given derivation, so that tests can count its calls.
    init(
        stretching secret: borrowing SecretBytes,
        salt: [UInt8],
        parameters: Argon2Parameters,
        limits: Argon2Limits,
        derive: (borrowing SecretBytes, [UInt8], Argon2Parameters) throws(CryptoError) -> SecretBytes
    ) throws(CryptoError) {
        try limits.validate(parameters)
        guard salt.count == Argon2id.saltByteCount else { throw .parametersOutOfRange }
        self.bytes = try derive(secret, salt, parameters)
    }
}
