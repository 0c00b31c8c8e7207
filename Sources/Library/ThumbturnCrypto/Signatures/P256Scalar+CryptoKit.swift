#if canImport(CryptoKit) && !canImport(COpenSSL)
import CryptoKit

/// Computations with a private key in CryptoKit; the scalar is in range.
enum P256Scalar {
    /// Returns the public point in X9.63 form, 65 bytes.
    static func point(of scalar: borrowing SecretBytes) -> [UInt8]? {
        key(scalar).map { Array($0.publicKey.x963Representation) }
    }

    /// Returns a DER signature of the SHA-256 of `message`.
    static func signature(of message: [UInt8], by scalar: borrowing SecretBytes) -> [UInt8]? {
        guard let signature = try? key(scalar)?.signature(for: message) else { return nil }
        return Array(signature.derRepresentation)
    }

    private static func key(_ scalar: borrowing SecretBytes) -> CryptoKit.P256.Signing.PrivateKey? {
        unsafe try? CryptoKit.P256.Signing.PrivateKey(rawRepresentation: UnsafeRawBufferPointer(scalar.mutableBytes))
    }
}
#endif
