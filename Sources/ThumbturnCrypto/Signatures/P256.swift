/// ECDSA on P-256 with SHA-256 (FIPS 186-5): the signatures of devices, only to verify.
package enum P256 {
    /// Verifies a signature.
    ///
    /// - Parameters:
    ///   - signature: ECDSA-Sig-Value (RFC 3279 §2.2.3) in DER, and nothing that is merely BER.
    ///   - message: what was signed; it is hashed here.
    ///   - publicKey: SubjectPublicKeyInfo in DER, 91 bytes.
    /// - Throws: `CryptoError.malformed` for a key or a signature of another form, and for a point that is not on the curve;
    ///   `.authenticationFailed` for a signature that is not this key's over this message.
    package static func verify(
        signature: [UInt8],
        of message: [UInt8],
        publicKey: [UInt8]
    ) throws(CryptoError) {
        throw .backendFailed
    }
}
