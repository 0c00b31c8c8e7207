#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// Ed25519 (RFC 8032 §5.1): the line of a log that the public network of witnesses asks for.
package enum Ed25519 {
    /// The length of a public key.
    package static let publicKeyByteCount = 32
    /// The length of a signature.
    package static let signatureByteCount = 64

    /// Verifies a signature.
    ///
    /// - Throws: `CryptoError.malformed` for a key or a signature of another length; `.authenticationFailed` for a signature
    ///   that is not this key's over this message, or not in its one form, and for a key of small order.
    package static func verify(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) throws(CryptoError) {
        guard publicKey.count == publicKeyByteCount, signature.count == signatureByteCount else { throw .malformed }
        Sodium.prepare()
        let status = unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey)
        guard status == 0 else { throw .authenticationFailed }
    }
}
