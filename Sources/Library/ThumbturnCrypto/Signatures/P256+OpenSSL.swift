#if canImport(COpenSSL)
import COpenSSL

/// A public key that OpenSSL checked to be on the curve.
@safe struct P256PublicKey: ~Copyable {
    private let key: OpaquePointer

    /// A key without a point, which each key is a copy of: OpenSSL's reader of DER takes longer than to verify.
    // Safe to share: nothing changes it once it is made.
    private nonisolated(unsafe) static let blank: OpaquePointer? = {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        var curve = Array("P-256".utf8CString)
        let isMade = unsafe OSSL_PKEY_PARAM_GROUP_NAME.withCString { group in
            unsafe curve.withUnsafeMutableBufferPointer { curve in
                var parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string(group, curve.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                // EVP_PKEY_KEY_PARAMETERS, a macro that Swift can't import.
                let selection = OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
                return unsafe EVP_PKEY_fromdata_init(context) == 1
                    && EVP_PKEY_fromdata(context, &key, selection, &parameters) == 1
            }
        }
        return isMade ? unsafe key : nil
    }()

    /// Creates a key from SubjectPublicKeyInfo of checked form; nil when its point is not on the curve.
    init?(subjectPublicKeyInfo bytes: [UInt8]) {
        guard let blank = unsafe Self.blank, let key = unsafe EVP_PKEY_dup(blank) else { return nil }
        // Its last 65 bytes are the point.
        let point = Array(bytes.suffix(65))
        guard unsafe EVP_PKEY_set1_encoded_public_key(key, point, point.count) == 1 else {
            unsafe EVP_PKEY_free(key)
            return nil
        }
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
