package import ThumbturnCrypto
import ThumbturnRules

/// The results of one run of Argon2id on an account's password: the input of SRP, and the key of the account's
/// envelope.
///
/// Neither follows from the other, so the service, which receives a verifier of the first, learns nothing about the
/// second.
package struct AccountPassword: ~Copyable, Sendable {
    /// The key of the account's envelope.
    package let envelopeKey: EnvelopeKey
    /// The password as SRP uses it, 64 bytes of text.
    let srpText: SecretBytes

    /// Runs Argon2id, which takes about 100 ms at the default cost.
    ///
    /// - Parameters:
    ///   - password: UTF-8, as it was typed: nothing is normalised or trimmed.
    ///   - salt: 16 bytes, from the service or new.
    ///   - kdf: the cost, checked against the bounds before anything is allocated.
    /// - Throws: `.passwordMalformed`, or `.crypto`: `.parametersOutOfRange` for a cost or salt out of bounds.
    package init(_ password: borrowing SecretBytes, salt: [UInt8], kdf: Argon2Parameters) throws(AccountFailure) {
        guard Self.isWellFormed(password) else { throw .passwordMalformed }
        let stretched = try computing { () throws(CryptoError) in
            try StretchedSecret(stretching: password, salt: salt, parameters: kdf, limits: .standard)
        }
        srpText = stretched.srpPassword(salt: salt)
        envelopeKey = EnvelopeKey(stretched.accountEnvelopeKey(salt: salt), salt: salt, kdf: kdf)
    }

    /// Runs Argon2id for a new password, with a new salt.
    package static func make(
        _ password: borrowing SecretBytes,
        kdf: Argon2Parameters
    ) throws(AccountFailure) -> AccountPassword {
        try AccountPassword(password, salt: drawSalt(), kdf: kdf)
    }

    /// Draws 16 bytes, the first of them not zero, because some libraries read a salt as a number.
    static func drawSalt() -> [UInt8] {
        var salt = RandomBytes.make(16)
        while salt[0] == 0 { salt = RandomBytes.make(16) }
        return salt
    }

    /// Returns whether this is a valid password: 1 to 1,024 bytes without control characters.
    package static func isWellFormed(_ password: borrowing SecretBytes) -> Bool {
        password.byteCount > 0 && password.withBytes(LocalSecretRules.isWellFormed)
    }

    /// Returns whether the password is ASCII.
    ///
    /// Another one could be typed in several forms that look alike, so the user is warned at registration.
    package static func isASCII(_ password: borrowing SecretBytes) -> Bool {
        password.withBytes { bytes in (0..<bytes.byteCount).allSatisfy { bytes.byte(at: $0) < 0x80 } }
    }

    consuming func takeEnvelopeKey() -> EnvelopeKey { envelopeKey }
}

/// The key of an account's envelope, and the parameters for deriving it from the password again.
package struct EnvelopeKey: ~Copyable, Sendable {
    /// 16 bytes, the first of them not zero.
    package let salt: [UInt8]
    /// The cost of Argon2id.
    package let kdf: Argon2Parameters
    let bytes: SecretBytes

    fileprivate init(_ bytes: consuming SecretBytes, salt: [UInt8], kdf: Argon2Parameters) {
        (self.salt, self.kdf) = (salt, kdf)
        self.bytes = bytes
    }
}
