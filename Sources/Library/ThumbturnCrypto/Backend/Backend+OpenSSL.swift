#if canImport(COpenSSL)
import COpenSSL

/// OpenSSL's algorithms, looked up by name once.
private enum Fetched {
    // Safe to share: OpenSSL's algorithm objects are immutable and counted, and the template is only ever copied from.
    nonisolated(unsafe) static let sha256 = unsafe required(EVP_MD_fetch(nil, "SHA256", nil))
    nonisolated(unsafe) static let aes256GCM = unsafe required(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
    nonisolated(unsafe) static let aes256CBC = unsafe required(EVP_CIPHER_fetch(nil, "AES-256-CBC", nil))
    // Nil on a system restricted to approved algorithms; only old files need it.
    nonisolated(unsafe) static let md5 = unsafe EVP_MD_fetch(nil, "MD5", nil)
    nonisolated(unsafe) static let hmacTemplate: OpaquePointer = {
        let context = unsafe required(EVP_MAC_CTX_new(required(EVP_MAC_fetch(nil, "HMAC", nil))))
        var digest = Array("SHA256".utf8CString)
        // Both names must live until the call: a parameter only points at them.
        let status = unsafe OSSL_MAC_PARAM_DIGEST.withCString { key in
            unsafe digest.withUnsafeMutableBufferPointer { name in
                let parameters = unsafe [
                    OSSL_PARAM_construct_utf8_string(key, name.baseAddress, 0), OSSL_PARAM_construct_end(),
                ]
                return unsafe EVP_MAC_CTX_set_params(context, parameters)
            }
        }
        succeed(status)
        return unsafe context
    }()
}

/// Unwraps a pointer that is nil only in a broken installation or out of memory: nothing here works without SHA-256.
private func required(_ pointer: OpaquePointer?) -> OpaquePointer {
    guard let pointer = unsafe pointer else { preconditionFailure("OpenSSL lacks a primitive or memory") }
    return unsafe pointer
}

private func succeed(_ status: Int32) { precondition(status == 1, "OpenSSL refused a valid operation") }

/// A SHA-256 in progress.
@safe struct SHA256State: ~Copyable {
    private let context: OpaquePointer

    init() {
        unsafe context = required(EVP_MD_CTX_new())
        unsafe succeed(EVP_DigestInit_ex2(context, Fetched.sha256, nil))
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        unsafe succeed(EVP_DigestUpdate(context, start, bytes.count))
    }

    /// Writes 32 bytes and consumes the state.
    mutating func finalize(into digest: UnsafeMutableRawBufferPointer) {
        unsafe succeed(EVP_DigestFinal_ex(context, digest.baseAddress?.assumingMemoryBound(to: UInt8.self), nil))
    }

    /// Restarts the digest: creating a state costs more than a short digest.
    mutating func restart() { unsafe succeed(EVP_DigestInit_ex2(context, nil, nil)) }
}

/// HMAC-SHA256 over the caller's buffers; reusable with another key, because creating a state costs as much as a tag.
@safe struct HMACState: ~Copyable {
    private let context = unsafe required(EVP_MAC_CTX_dup(Fetched.hmacTemplate))

    deinit { unsafe EVP_MAC_CTX_free(context) }  // wipes the copy of the key

    /// Writes the 32-byte tag of the concatenated `parts`.
    mutating func tag(
        _ parts: [UnsafeRawBufferPointer],
        key: UnsafeRawBufferPointer,
        into tag: UnsafeMutableRawBufferPointer
    ) {
        // A null key would mean "keep the key", so an empty one still needs a pointer.
        unsafe withUnsafeBytes(of: UInt8(0)) { nothing in
            unsafe succeed(EVP_MAC_init(context, key.pointer ?? nothing.pointer, key.count, nil))
        }
        for index in unsafe parts.indices where unsafe !parts[index].isEmpty {
            unsafe succeed(EVP_MAC_update(context, parts[index].pointer, parts[index].count))
        }
        var written = 0
        unsafe succeed(
            EVP_MAC_final(context, tag.baseAddress?.assumingMemoryBound(to: UInt8.self), &written, tag.count)
        )
    }
}

/// AES-256-GCM over the caller's buffers; the caller has checked every length.
enum GCMBackend {
    /// Fills `box` with nonce ‖ ciphertext ‖ tag; returns whether that worked.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: UnsafeRawBufferPointer,
        nonce: [UInt8],
        associatedData: [UInt8],
        into box: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        guard let start = box.baseAddress, let context = unsafe EVP_CIPHER_CTX_new() else { return false }
        defer { unsafe EVP_CIPHER_CTX_free(context) }  // wipes the key schedule
        unsafe start.update(from: nonce, count: nonce.count)
        let ciphertext = unsafe start + nonce.count
        let tag = unsafe ciphertext + plaintext.count
        var written: Int32 = 0
        return unsafe EVP_EncryptInit_ex2(context, Fetched.aes256GCM, key.pointer, nonce, nil) == 1
            && (associatedData.isEmpty
                || EVP_EncryptUpdate(context, nil, &written, associatedData, Int32(associatedData.count)) == 1)
            && (plaintext.isEmpty
                || EVP_EncryptUpdate(context, ciphertext, &written, plaintext.pointer, Int32(plaintext.count)) == 1)
            && EVP_EncryptFinal_ex(context, tag, &written) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(GCMLengths.tag), tag) == 1
    }
}

/// Opens AES-256-GCM boxes sealed under one key, which is expanded once; the caller has checked every length.
@safe struct GCMOpening: ~Copyable {
    private let context: OpaquePointer

    /// Expands the key; nil if there is no memory for it.
    init?(key: UnsafeRawBufferPointer) {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        guard unsafe EVP_DecryptInit_ex2(context, Fetched.aes256GCM, key.pointer, nil, nil) == 1 else {
            unsafe EVP_CIPHER_CTX_free(context)
            return nil
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }  // wipes the key schedule

    /// Fills `plaintext` and returns whether the tag verified; if not, the caller discards the buffer unread.
    borrowing func open(
        _ box: UnsafeRawBufferPointer,
        associatedData: [UInt8],
        into plaintext: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let nonce = unsafe box.pointer else { return false }
        let ciphertext = unsafe nonce + GCMLengths.nonce
        let tag = unsafe UnsafeMutableRawPointer(mutating: ciphertext + plaintext.count)
        let output = unsafe plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var written: Int32 = 0
        return unsafe EVP_DecryptInit_ex2(context, nil, nil, nonce, nil) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(GCMLengths.tag), tag) == 1
            && (associatedData.isEmpty
                || EVP_DecryptUpdate(context, nil, &written, associatedData, Int32(associatedData.count)) == 1)
            && (plaintext.isEmpty
                || EVP_DecryptUpdate(context, output, &written, ciphertext, Int32(plaintext.count)) == 1)
            && EVP_DecryptFinal_ex(context, output.map { unsafe $0 + plaintext.count }, &written) == 1
    }
}

/// AES-256-CBC over the caller's buffers; only opens, and does not check the padding.
enum CBCBackend {
    /// Fills `plaintext`, as long as `ciphertext`, and returns whether that worked; the caller has checked every
    /// length.
    static func open(
        _ ciphertext: UnsafeBufferPointer<UInt8>,
        key: UnsafeRawBufferPointer,
        initializationVector: UnsafeRawBufferPointer,
        into plaintext: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return false }
        defer { unsafe EVP_CIPHER_CTX_free(context) }  // wipes the key schedule
        let output = unsafe plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let count = Int32(ciphertext.count)
        var written: Int32 = 0
        var rest: Int32 = 0
        return unsafe EVP_DecryptInit_ex2(context, Fetched.aes256CBC, key.pointer, initializationVector.pointer, nil)
            == 1
            && EVP_CIPHER_CTX_set_padding(context, 0) == 1
            && EVP_DecryptUpdate(context, output, &written, ciphertext.baseAddress, count) == 1
            && EVP_DecryptFinal_ex(context, output.map { unsafe $0 + Int(written) }, &rest) == 1
            && written + rest == count
    }
}

/// MD5 over the caller's buffers; reusable.
@safe struct MD5State: ~Copyable {
    private let context: OpaquePointer

    /// Creates a state; nil if the system has no MD5.
    init?() {
        guard let md5 = unsafe Fetched.md5, let context = unsafe EVP_MD_CTX_new() else { return nil }
        guard unsafe EVP_DigestInit_ex2(context, md5, nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            return nil
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }  // wipes its contents

    /// Writes the 16-byte digest of the concatenated `parts`; returns whether that worked.
    borrowing func digest(_ parts: [UnsafeRawBufferPointer], into digest: UnsafeMutableRawBufferPointer) -> Bool {
        guard unsafe EVP_DigestInit_ex2(context, nil, nil) == 1 else { return false }
        for index in unsafe parts.indices where unsafe !parts[index].isEmpty {
            guard unsafe EVP_DigestUpdate(context, parts[index].baseAddress, parts[index].count) == 1 else {
                return false
            }
        }
        return unsafe EVP_DigestFinal_ex(context, digest.baseAddress?.assumingMemoryBound(to: UInt8.self), nil) == 1
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var pointer: UnsafePointer<UInt8>? { unsafe baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
#endif
