/// The output of Argon2id for a PIN or a password: 32 bytes.
///
/// Its only initialisers run Argon2id, so the type proves that the slow derivation happened.
package struct StretchedSecret: ~Copyable, Sendable {
    let bytes: SecretBytes

    /// Runs Argon2id, about 100 ms at the default cost.
    ///
    /// - Parameters:
    ///   - secret: the input that the person typed, UTF-8, any length.
    ///   - salt: 16 bytes.
    ///   - parameters: as stored with the envelope, hence untrusted.
    ///   - limits: the costs that may be run; checked before anything is allocated.
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

    /// Derives the authorisation for a device secret in hardware that counts attempts: 32 bytes by HKDF.
    ///
    /// - Parameter salt: stored with the slot.
    package func authorisation(salt: [UInt8]) -> SecretBytes { key("pin-authorisation", salt) }

    /// Derives the password for SRP in place of an account's password.
    ///
    /// It is 64 lower-case hexadecimal digits of HKDF output, so that every SRP library accepts it as a password.
    ///
    /// - Parameter salt: the account's, which was Argon2id's salt too.
    package borrowing func srpPassword(salt: [UInt8]) -> SecretBytes {
        key("srp-auth", salt).withBytes { TextCode.hexadecimal.encode($0) }
    }

    /// Derives the key of the account's envelope: 32 bytes.
    ///
    /// It and the SRP password do not reveal each other.
    ///
    /// - Parameter salt: the account's.
    package borrowing func accountEnvelopeKey(salt: [UInt8]) -> SecretBytes { key("vault-kek", salt) }

    private borrowing func key(_ purpose: String, _ salt: [UInt8]) -> SecretBytes {
        let input = unsafe UnsafeRawBufferPointer(bytes.mutableBytes)
        return unsafe HKDFSHA256.key(purpose: purpose, salt: salt, from: [input])
    }

    /// Does the same with a given derivation, so that tests can count its calls.
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
