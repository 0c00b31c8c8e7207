#if canImport(CryptoKit) && !canImport(COpenSSL)
import CryptoKit

/// What CryptoKit computes with a private key, whose scalar is in range.
enum P256Scalar {
    /// The public point as X9.63 writes it, 65 bytes.
    static func point(of scalar: borrowing SecretBytes) -> [UInt8]? {
        key(scalar).map { Array($0.publicKey.x963Representation) }
    }

    /// Signs the SHA-256 of `message`, in DER.
    static func signature(of message: [UInt8], by scalar: borrowing SecretBytes) -> [UInt8]? {
        guard let signature = try? key(scalar)?.signature(for: message) else { return nil }
        return Array(signature.derRepresentation)
    }

    private static func key(_ scalar: borrowing SecretBytes) -> CryptoKit.P256.Signing.PrivateKey? {
        unsafe try? CryptoKit.P256.Signing.PrivateKey(rawRepresentation: UnsafeRawBufferPointer(scalar.mutableBytes))
    }
}
#endif
