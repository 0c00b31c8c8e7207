#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// HMAC-SHA256 (RFC 2104).
package enum HMACSHA256 {
    /// Computes the 32-byte tag of `message` under `key`, which may have any length.
    package static func tag(_ message: [UInt8], key: borrowing SecretBytes) -> [UInt8] {
        let keyBytes = unsafe UnsafeRawBufferPointer(key.mutableBytes)
        return withCleanStack(.shallow) {
            unsafe [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { tag, count in
                unsafe message.withUnsafeBytes { message in
                    var hmac = HMACState()
                    unsafe hmac.tag([message], key: keyBytes, into: UnsafeMutableRawBufferPointer(tag))
                }
                count = SHA256.byteCount
            }
        }
    }

    /// Computes the tag of `message` as a secret of 32 bytes, for a tag that is itself a key.
    package static func secret(of message: [UInt8], key: borrowing SecretBytes) -> SecretBytes {
        let keyBytes = unsafe UnsafeRawBufferPointer(key.mutableBytes)
        return withCleanStack(.shallow) {
            unsafe SecretBytes(byteCount: SHA256.byteCount) { tag in
                unsafe message.withUnsafeBytes { message in
                    var hmac = HMACState()
                    unsafe hmac.tag([message], key: keyBytes, into: tag)
                }
            }
        }
    }

    /// Checks a tag in constant time.
    ///
    /// - Throws: `CryptoError.authenticationFailed` unless `tag` is the complete, correct tag.
    package static func verify(_ tag: [UInt8], of message: [UInt8], key: borrowing SecretBytes) throws(CryptoError) {
        let expected = self.tag(message, key: key)
        guard tag.count == expected.count, unsafe sodium_memcmp(tag, expected, expected.count) == 0 else {
            throw .authenticationFailed
        }
    }
}
