#if canImport(CryptoKit) && !canImport(COpenSSL)
import CryptoKit

/// A public key that CryptoKit found on the curve.
struct P256PublicKey {
    private let key: CryptoKit.P256.Signing.PublicKey

    /// Takes SubjectPublicKeyInfo whose form was checked; nil when its point is not on the curve.
    init?(subjectPublicKeyInfo bytes: [UInt8]) {
        // Its last 65 bytes are the point as X9.63 writes it.
        guard let key = try? CryptoKit.P256.Signing.PublicKey(x963Representation: Array(bytes.suffix(65))) else {
            return nil
        }
        self.key = key
    }

    /// Whether a signature in DER is this key's over the SHA-256 of `message`.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let signature = try? CryptoKit.P256.Signing.ECDSASignature(derRepresentation: signature) else {
            return false
        }
        return key.isValidSignature(signature, for: message)
    }
}
#endif
