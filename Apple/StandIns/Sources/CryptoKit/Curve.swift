import COpenSSL
import Foundation

/// P-256 on OpenSSL: private keys in DER, public keys as uncompressed points (65 bytes).
enum Curve {
    /// Makes a key pair.
    static func makePrivateKey() throws -> Data {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw failed() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe setGroup(context) == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
        else { throw failed() }
        defer { unsafe EVP_PKEY_free(key) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PrivateKey(key, &bytes)
        guard count > 0, let start = unsafe bytes else { throw failed() }
        defer { unsafe CRYPTO_clear_free(start, Int(count), nil, 0) }
        return unsafe Data(bytes: start, count: Int(count))
    }

    /// The public half of a private key.
    static func publicKey(of privateKey: Data) throws -> Data {
        let key = try unsafe open(privateKey)
        defer { unsafe EVP_PKEY_free(key) }
        var point = [UInt8](repeating: 0, count: 65)
        var count = 0
        let status = unsafe point.withUnsafeMutableBufferPointer { buffer in
            unsafe EVP_PKEY_get_octet_string_param(key, "encoded-pub-key", buffer.baseAddress, buffer.count, &count)
        }
        guard status == 1, count == 65 else { throw failed() }
        return Data(point)
    }

    /// Refuses what is no point of the curve.
    static func check(point: Data) throws {
        let key = try unsafe openPoint(point)
        unsafe EVP_PKEY_free(key)
    }

    /// The x coordinate of the product, 32 bytes.
    static func agree(_ privateKey: Data, with point: Data) throws -> Data {
        let mine = try unsafe open(privateKey)
        defer { unsafe EVP_PKEY_free(mine) }
        let theirs = try unsafe openPoint(point)
        defer { unsafe EVP_PKEY_free(theirs) }
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, mine, nil) else { throw failed() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var shared = [UInt8](repeating: 0, count: 32)
        var count = 32
        guard unsafe EVP_PKEY_derive_init(context) == 1, unsafe EVP_PKEY_derive_set_peer(context, theirs) == 1,
            unsafe EVP_PKEY_derive(context, &shared, &count) == 1, count == 32
        else { throw failed() }
        return Data(shared)
    }

    /// Signs the SHA-256 of a message, in DER.
    static func sign(_ message: Data, by privateKey: Data) throws -> Data {
        let key = try unsafe open(privateKey)
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else { throw failed() }
        defer { unsafe EVP_MD_CTX_free(context) }
        let message = [UInt8](message)
        var (signature, count) = ([UInt8](repeating: 0, count: 72), 72)
        guard unsafe EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw failed() }
        return Data(signature.prefix(count))
    }

    private static func open(_ privateKey: Data) throws -> OpaquePointer {
        let key = unsafe privateKey.withUnsafeBytes { bytes in
            var start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
            return unsafe d2i_PrivateKey(EVP_PKEY_EC, nil, &start, bytes.count)
        }
        guard let key = unsafe key else { throw failed() }
        return unsafe key
    }

    private static func openPoint(_ point: Data) throws -> OpaquePointer {
        guard point.count == 65, point.first == 4 else { throw CryptoKitError.incorrectParameterSize }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw failed() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var bytes = [UInt8](point)
        var key: OpaquePointer?
        let status = unsafe withGroup { group in
            unsafe bytes.withUnsafeMutableBytes { bytes in
                var parameters = unsafe [
                    group,
                    OSSL_PARAM_construct_octet_string(name(Self.point), bytes.baseAddress, bytes.count),
                    OSSL_PARAM_construct_end(),
                ]
                guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { return Int32(0) }
                return unsafe EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, &parameters)
            }
        }
        guard status == 1, let key = unsafe key else { throw failed() }
        return unsafe key
    }

    private static func setGroup(_ context: OpaquePointer) -> Int32 {
        unsafe withGroup { group in
            let parameters = unsafe [group, OSSL_PARAM_construct_end()]
            return unsafe EVP_PKEY_CTX_set_params(context, parameters)
        }
    }

    private static func withGroup(_ body: (OSSL_PARAM) -> Int32) -> Int32 {
        var name = Array("P-256".utf8CString)
        return unsafe name.withUnsafeMutableBufferPointer { name in
            unsafe body(OSSL_PARAM_construct_utf8_string(Self.name(group), name.baseAddress, 0))
        }
    }

    // OpenSSL keeps the pointer to a parameter's name, so the name must live for ever.
    private static let group: StaticString = "group"
    private static let point: StaticString = "pub"

    private static func name(_ text: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    private static func failed() -> CryptoKitError {
        .underlyingCoreCryptoError(error: -1)
    }
}

private let EVP_PKEY_EC = Int32(408)
private let EVP_PKEY_PUBLIC_KEY = Int32(0x86)
