// Private keys in the text that programs exchange.

extension P256PrivateKey {
    /// Reads a key in PKCS#8 as PEM.
    ///
    /// - Throws: `.malformed`, `.otherKind`.
    package static func reading(pem: RawSpan) throws(PKCS8.Fault) -> P256PrivateKey {
        let content = try PKCS8.content(.p256, in: pem)
        let key: P256PrivateKey
        do throws(CryptoError) { key = try P256PrivateKey(scalar: content.secret.copy()) } catch { throw .malformed }
        if let point = content.publicKey {
            guard point == Array(key.publicKey.suffix(point.count)) else { throw .malformed }
        }
        return key
    }

    /// Writes the key in PKCS#8 as PEM.
    package borrowing func pem() -> SecretBytes {
        let publicKey = publicKey
        return withScalar { PKCS8.text(.p256, secret: $0, publicKey: publicKey) }
    }
}

extension Ed25519PrivateKey {
    /// Reads a key in PKCS#8 as PEM.
    ///
    /// - Throws: `.malformed`, `.otherKind`.
    package static func reading(pem: RawSpan) throws(PKCS8.Fault) -> Ed25519PrivateKey {
        let content = try PKCS8.content(.ed25519, in: pem)
        let key: Ed25519PrivateKey
        do throws(CryptoError) { key = try Ed25519PrivateKey(seed: content.secret.copy()) } catch { throw .malformed }
        if let known = content.publicKey { guard known == key.publicKey else { throw .malformed } }
        return key
    }

    /// Writes the key in PKCS#8 as PEM.
    package borrowing func pem() -> SecretBytes {
        withSeed { PKCS8.text(.ed25519, secret: $0, publicKey: []) }
    }
}
