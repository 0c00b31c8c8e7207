#if canImport(CryptoKit) && !canImport(COpenSSL)
import CryptoKit

/// A public key that CryptoKit checked to be on the curve.
struct P256PublicKey {
    private let key: CryptoKit.P256.Signing.PublicKey

    /// Creates a key from SubjectPublicKeyInfo of checked form; nil when its point is not on the curve.
    init?(subjectPublicKeyInfo bytes: [UInt8]) {
        // Its last 65 bytes are the point in X9.63 form.
        guard let key = try? CryptoKit.P256.Signing.PublicKey(x963Representation: Array(bytes.suffix(65))) else {
            return nil
        }
        self.key = key
    }

    /// Whether a DER signature is this key's over the SHA-256 of `message`.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let signature = try? CryptoKit.P256.Signing.ECDSASignature(derRepresentation: signature) else {
            return false
        }
        return key.isValidSignature(signature, for: message)
    }
}
#endif
