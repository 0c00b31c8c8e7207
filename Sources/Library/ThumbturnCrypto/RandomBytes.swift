#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// Random bytes that are not secret: nonces, salts, identifiers.
package enum RandomBytes {
    /// Generates `count` bytes with the system's generator.
    ///
    /// For a secret use `SecretBytes.random(byteCount:)`, because an array is never wiped.
    package static func make(_ count: Int) -> [UInt8] {
        Sodium.prepare()
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            if let start = buffer.baseAddress {
                unsafe randombytes_buf(start, count)
            }
            initializedCount = count
        }
    }
}
