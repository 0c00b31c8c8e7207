#if canImport(CryptoKit) && !canImport(COpenSSL)
import CommonCrypto
import CryptoKit

/// A SHA-256 in progress.
struct SHA256State: ~Copyable {
    private var hash = CryptoKit.SHA256()

    mutating func update(_ bytes: UnsafeRawBufferPointer) { unsafe hash.update(bufferPointer: bytes) }

    /// Writes 32 bytes and consumes the state.
    mutating func finalize(into digest: UnsafeMutableRawBufferPointer) {
        unsafe hash.finalize().withUnsafeBytes { unsafe digest.copyMemory(from: $0) }
    }

    mutating func restart() { hash = CryptoKit.SHA256() }
}

/// HMAC-SHA256 over the caller's buffers; reusable with another key.
struct HMACState: ~Copyable {
    /// Writes the 32-byte tag of the concatenated `parts`.
    mutating func tag(
        _ parts: [UnsafeRawBufferPointer],
        key: UnsafeRawBufferPointer,
        into tag: UnsafeMutableRawBufferPointer
    ) {
        var mac = unsafe HMAC<CryptoKit.SHA256>(key: SymmetricKey(data: key))
        for index in unsafe parts.indices {
            unsafe mac.update(data: parts[index])
        }
        unsafe mac.finalize().withUnsafeBytes { unsafe tag.copyMemory(from: $0) }
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
        guard
            let sealed = try? unsafe AES.GCM.seal(
                plaintext,
                using: SymmetricKey(data: key),
                nonce: AES.GCM.Nonce(data: nonce),
                authenticating: associatedData
            ),
            let combined = sealed.combined, combined.count == box.count
        else { return false }
        unsafe UnsafeMutableRawBufferPointer(box).copyBytes(from: combined)
        return true
    }
}

/// Opens AES-256-GCM boxes sealed under one key; the caller has checked every length.
struct GCMOpening: ~Copyable {
    private let key: SymmetricKey

    init?(key: UnsafeRawBufferPointer) { self.key = unsafe SymmetricKey(data: key) }

    /// Fills `plaintext` and returns whether the tag verified; if not, the caller discards the buffer unread.
    borrowing func open(
        _ box: UnsafeRawBufferPointer,
        associatedData: [UInt8],
        into plaintext: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard
            let sealed = try? unsafe AES.GCM.SealedBox(combined: box),
            var opened = try? AES.GCM.open(sealed, using: key, authenticating: associatedData),
            opened.count == plaintext.count
        else { return false }
        unsafe plaintext.copyBytes(from: opened)
        // CryptoKit returns the plaintext on the ordinary heap; we are its only owner, so this clears it in place.
        wipe(&opened)
        return true
    }

    private func wipe<Bytes: MutableCollection>(_ bytes: inout Bytes) where Bytes.Element == UInt8 {
        for index in bytes.indices {
            bytes[index] = 0
        }
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
        var written = 0
        let status = unsafe CCCrypt(
            CCOperation(kCCDecrypt),
            CCAlgorithm(kCCAlgorithmAES),
            0,
            key.baseAddress,
            key.count,
            initializationVector.baseAddress,
            ciphertext.baseAddress,
            ciphertext.count,
            plaintext.baseAddress,
            plaintext.count,
            &written
        )
        return status == CCCryptorStatus(kCCSuccess) && written == plaintext.count
    }
}

/// MD5 over the caller's buffers; reusable.
struct MD5State: ~Copyable {
    /// Creates a state; nil if the system has no MD5, which never happens here.
    init?() {}

    /// Writes the 16-byte digest of the concatenated `parts`; returns whether that worked.
    borrowing func digest(_ parts: [UnsafeRawBufferPointer], into digest: UnsafeMutableRawBufferPointer) -> Bool {
        var hash = Insecure.MD5()
        for index in unsafe parts.indices {
            unsafe hash.update(bufferPointer: parts[index])
        }
        unsafe hash.finalize().withUnsafeBytes { unsafe digest.copyMemory(from: $0) }
        return true
    }
}
#endif
