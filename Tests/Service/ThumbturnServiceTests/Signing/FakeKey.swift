import COpenSSL
import CPKCS11
import Testing
import ThumbturnCrypto

/// A key pair as a token keeps one: its private half signs digests, and gives r and s.
@safe final class FakeKey: @unchecked Sendable {
    // Safe to share: OpenSSL only reads a key that was made.
    private let key: OpaquePointer?
    /// SubjectPublicKeyInfo.
    let publicKey: [UInt8]

    static let curve: [UInt8] = [0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7]

    init() {
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        unsafe EVP_PKEY_keygen_init(context)
        unsafe EVP_PKEY_CTX_set_group_name(context, "P-256")
        unsafe EVP_PKEY_generate(context, &key)
        unsafe self.key = unsafe key
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PUBKEY(key, &bytes)
        publicKey = unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(max(0, count))))
        unsafe CRYPTO_free(bytes, "", 0)
    }

    deinit { unsafe EVP_PKEY_free(key) }

    var point: [UInt8] { Array(publicKey.suffix(65)) }

    /// Signs a digest; returns 64 bytes.
    func sign(_ digest: [UInt8]) -> [UInt8] {
        let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var (signature, count) = ([UInt8](repeating: 0, count: 72), 72)
        unsafe EVP_PKEY_sign_init(context)
        unsafe EVP_PKEY_sign(context, &signature, &count, digest, digest.count)
        let r = Array(signature[4..<4 + Int(signature[3])])
        let s = Array(signature[6 + r.count..<6 + r.count + Int(signature[5 + r.count])])
        return [r, s].flatMap { number in
            [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number.suffix(32)
        }
    }

    /// The attributes of both halves: the private one, then the public one.
    func pair(label: String, id: [UInt8]) -> [[CK_ATTRIBUTE_TYPE: [UInt8]]] {
        let both: [CK_ATTRIBUTE_TYPE: [UInt8]] = [
            CKA_LABEL: Array(label.utf8), CKA_ID: id, CKA_KEY_TYPE: Self.number(CKK_EC), CKA_EC_PARAMS: Self.curve,
        ]
        return [
            both.merging([CKA_CLASS: Self.number(CKO_PRIVATE_KEY), CKA_SIGN: [1]]) { $1 },
            both.merging([CKA_CLASS: Self.number(CKO_PUBLIC_KEY), CKA_EC_POINT: [0x04, 65] + point]) { $1 },
        ]
    }

    static func number(_ value: CK_ULONG) -> [UInt8] { unsafe withUnsafeBytes(of: value) { unsafe Array($0) } }
}
