import COpenSSL
import CSodium
import ThumbturnConsole

/// OpenSSL's AES-256-GCM and HKDF, with keys that protect nothing.
@safe final class RawEVP {
    private let cipher = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    private let derivation = unsafe EVP_KDF_fetch(nil, "HKDF", nil)
    private let key = [UInt8](repeating: 1, count: 32)
    private let nonceByteCount = 12
    private let tagByteCount = 16

    deinit {
        unsafe EVP_CIPHER_free(cipher)
        unsafe EVP_KDF_free(derivation)
    }

    /// Seals under a random nonce, into new memory, as every box needs.
    ///
    /// - Returns: nonce ‖ ciphertext ‖ tag.
    func seal(_ plaintext: [UInt8], associatedData: [UInt8]) throws -> [UInt8] {
        let byteCount = nonceByteCount + plaintext.count + tagByteCount
        return try unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { box, count in
            guard let start = box.baseAddress else { return }
            let context = unsafe EVP_CIPHER_CTX_new()
            defer { unsafe EVP_CIPHER_CTX_free(context) }
            unsafe randombytes_buf(start, nonceByteCount)
            let output = unsafe start + nonceByteCount
            let tag = unsafe output + plaintext.count
            var written: Int32 = 0
            let worked =
                unsafe EVP_EncryptInit_ex2(context, cipher, key, start, nil) == 1
                && EVP_EncryptUpdate(context, nil, &written, associatedData, Int32(associatedData.count)) == 1
                && EVP_EncryptUpdate(context, output, &written, plaintext, Int32(plaintext.count)) == 1
                && EVP_EncryptFinal_ex(context, tag, &written) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), tag) == 1
            guard worked else { throw BenchError(what: "AES-GCM refused to seal") }
            count = byteCount
        }
    }

    func open(_ box: [UInt8], associatedData: [UInt8]) throws {
        var plaintext = [UInt8](repeating: 0, count: box.count - nonceByteCount - tagByteCount)
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var tag = Array(box.suffix(tagByteCount))
        var written: Int32 = 0
        let ciphertext = Array(box.dropFirst(nonceByteCount).dropLast(tagByteCount))
        let worked =
            unsafe EVP_DecryptInit_ex2(context, cipher, key, box, nil) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount), &tag) == 1
            && EVP_DecryptUpdate(context, nil, &written, associatedData, Int32(associatedData.count)) == 1
            && EVP_DecryptUpdate(context, &plaintext, &written, ciphertext, Int32(ciphertext.count)) == 1
            && EVP_DecryptFinal_ex(context, nil, &written) == 1
        guard worked else { throw BenchError(what: "AES-GCM refused to open") }
    }

    /// Derives 32 bytes from 32.
    func derive() throws {
        let context = unsafe EVP_KDF_CTX_new(derivation)
        defer { unsafe EVP_KDF_CTX_free(context) }
        var digest = Array("SHA256".utf8CString)
        var input = key
        var salt = [UInt8](repeating: 2, count: 16)
        var info = Array("thumbturn.v1.bio-slot".utf8)
        var output = [UInt8](repeating: 0, count: 32)
        let parameters = unsafe [
            OSSL_PARAM_construct_utf8_string("digest", &digest, 0),
            OSSL_PARAM_construct_octet_string("key", &input, input.count),
            OSSL_PARAM_construct_octet_string("salt", &salt, salt.count),
            OSSL_PARAM_construct_octet_string("info", &info, info.count),
            OSSL_PARAM_construct_end(),
        ]
        guard unsafe EVP_KDF_derive(context, &output, output.count, parameters) == 1 else {
            throw BenchError(what: "HKDF refused")
        }
    }
}
