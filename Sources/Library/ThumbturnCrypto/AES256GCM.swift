/// AES-256-GCM (NIST SP 800-38D) with random 96-bit nonces.
///
/// A box is nonce (12) ‖ ciphertext ‖ tag (16). One key may seal 2^32 boxes; ours seal few, because each is derived for
/// one purpose and salt.
package enum AES256GCM {
    /// The length of a key in bytes.
    package static let keyByteCount = 32
    /// The number of bytes that a box has more than its plaintext.
    package static let overhead = GCMLengths.nonce + GCMLengths.tag

    // OpenSSL counts in `Int32`; our inputs are far smaller.
    private static let maximumByteCount = 1 << 30

    /// Seals `plaintext`, which may be empty, under a fresh nonce.
    ///
    /// - Parameters:
    ///   - plaintext: at most 1 GiB; the caller wipes it.
    ///   - key: 32 bytes.
    ///   - associatedData: authenticated but not stored: `open` needs the same bytes.
    ///   - prefix: copied before the box, so that a large box need not be copied behind its header.
    /// - Throws: `CryptoError.parametersOutOfRange`, or `.backendFailed`.
    package static func seal(
        _ plaintext: RawSpan,
        key: borrowing SecretBytes,
        associatedData: [UInt8],
        prefix: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        let nonce = RandomBytes.make(GCMLengths.nonce)
        return try seal(plaintext, key: key, associatedData: associatedData, nonce: nonce, prefix: prefix)
    }

    /// Seals under a given nonce: for test vectors only, because a nonce used twice reveals the key.
    static func seal(
        _ plaintext: RawSpan,
        key: borrowing SecretBytes,
        associatedData: [UInt8],
        nonce: [UInt8],
        prefix: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        guard key.byteCount == keyByteCount, nonce.count == GCMLengths.nonce,
            plaintext.byteCount <= maximumByteCount, associatedData.count <= maximumByteCount
        else { throw .parametersOutOfRange }
        let keyBytes = unsafe UnsafeRawBufferPointer(key.mutableBytes)
        let box: [UInt8] = unsafe plaintext.withUnsafeBytes { input in
            withCleanStack(.shallow) {
                unsafe [UInt8](unsafeUninitializedCapacity: prefix.count + input.count + overhead) { output, count in
                    _ = unsafe output.update(fromContentsOf: prefix)
                    let box = unsafe UnsafeMutableBufferPointer(rebasing: output[prefix.count...])
                    let sealed = unsafe GCMBackend.seal(
                        input,
                        key: keyBytes,
                        nonce: nonce,
                        associatedData: associatedData,
                        into: box
                    )
                    count = sealed ? output.count : 0
                }
            }
        }
        guard !box.isEmpty else { throw .backendFailed }
        return box
    }

    /// Opens a box straight into a secret, which is returned only after its tag was verified.
    ///
    /// - Throws: `CryptoError.malformed` if `box` is too short to be one, `.parametersOutOfRange` for a key of the wrong
    ///   length or a box above 1 GiB, `.outOfMemory`, or `.authenticationFailed` for a wrong key, other associated data,
    ///   or any change to the box.
    package static func open(
        _ box: [UInt8],
        key: borrowing SecretBytes,
        associatedData: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        try check(box.count, key, associatedData)
        guard let plaintext = SecretBytes(uninitializedByteCount: box.count - overhead) else { throw .outOfMemory }
        let keyBytes = unsafe UnsafeRawBufferPointer(key.mutableBytes)
        let output = unsafe plaintext.mutableBytes
        let isAuthentic = withCleanStack(.shallow) {
            unsafe box.withUnsafeBytes { box in
                unsafe GCMOpening(key: keyBytes)?.open(box, associatedData: associatedData, into: output)
            }
        }
        guard isAuthentic == true else { throw .authenticationFailed }
        return plaintext
    }

    private static func check(
        _ boxByteCount: Int,
        _ key: borrowing SecretBytes,
        _ associatedData: [UInt8]
    ) throws(CryptoError) {
        guard boxByteCount >= overhead else { throw .malformed }
        guard key.byteCount == keyByteCount, boxByteCount <= maximumByteCount, associatedData.count <= maximumByteCount
        else { throw .parametersOutOfRange }
    }

    /// Opens boxes of private but not secret text, such as names, into plain arrays.
    ///
    /// All boxes have the same key. A caller who opens many wipes the stack once, after the last.
    package struct TextOpening: ~Copyable {
        private let opening: GCMOpening

        /// Creates an opener with a key of 32 bytes.
        ///
        /// - Throws: `CryptoError.parametersOutOfRange`, or `.backendFailed`.
        package init(key: borrowing SecretBytes) throws(CryptoError) {
            guard key.byteCount == keyByteCount else { throw .parametersOutOfRange }
            guard let opening = unsafe GCMOpening(key: UnsafeRawBufferPointer(key.mutableBytes)) else {
                throw .backendFailed
            }
            self.opening = opening
        }

        /// Opens a box.
        ///
        /// - Throws: as `AES256GCM.open`, but for `.outOfMemory`.
        package borrowing func open(_ box: RawSpan, associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
            guard box.byteCount >= overhead else { throw .malformed }
            guard box.byteCount <= maximumByteCount, associatedData.count <= maximumByteCount else {
                throw .parametersOutOfRange
            }
            var plaintext = [UInt8](repeating: 0, count: box.byteCount - overhead)
            let isAuthentic = unsafe plaintext.withUnsafeMutableBytes { output in
                unsafe box.withUnsafeBytes { box in
                    unsafe opening.open(box, associatedData: associatedData, into: output)
                }
            }
            guard isAuthentic else { throw .authenticationFailed }
            return plaintext
        }
    }
}
