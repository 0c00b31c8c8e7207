#if canImport(COpenSSL)
import COpenSSL

/// A public key that OpenSSL checked to be on the curve.
@safe struct P256PublicKey: ~Copyable {
    private let key: OpaquePointer

    /// Creates a key from SubjectPublicKeyInfo of checked form; nil when its point is not on the curve.
    init?(subjectPublicKeyInfo bytes: [UInt8]) {
        let key = unsafe bytes.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let key = unsafe key else { return nil }
        unsafe self.key = unsafe key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Whether a DER signature is this key's over the SHA-256 of `message`.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe EVP_DigestVerifyInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
#endif
