#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// HKDF-SHA256 (RFC 5869): extract, then expand.
///
/// Implemented here over HMAC, because OpenSSL's own refuses a long `info` and both of our back ends provide HMAC.
package enum HKDFSHA256 {
    /// The longest output, in bytes: RFC 5869 §2.3 allows 255 blocks.
    package static let maximumByteCount = 255 * SHA256.byteCount

    /// Derives a secret from one that already has full entropy.
    ///
    /// - Parameters:
    ///   - ikm: the input key material, of any length.
    ///   - salt: may be empty; not secret.
    ///   - info: names the purpose; not secret.
    ///   - byteCount: 1 to 8160.
    /// - Throws: `CryptoError.parametersOutOfRange` for another `byteCount`, and nothing else.
    package static func derive(
        from ikm: borrowing SecretBytes,
        salt: [UInt8],
        info: [UInt8],
        byteCount: Int = 32
    ) throws(CryptoError) -> SecretBytes {
        guard (1...maximumByteCount).contains(byteCount) else { throw .parametersOutOfRange }
        let input = unsafe UnsafeRawBufferPointer(ikm.mutableBytes)
        return unsafe SecretBytes(byteCount: byteCount) { output in
            unsafe fill(output, salt: salt, info: info, from: [input])
        }
    }

    /// Derives the key of one purpose; the input key material is the concatenated `inputs`.
    ///
    /// `info` = `thumbturn.v1.` ‖ `purpose`, and if there is a context: ‖ 0x00 ‖ `context`. The zero byte, which no
    /// purpose contains, separates purpose and context.
    static func key(
        purpose: String,
        context: [UInt8] = [],
        salt: [UInt8],
        from inputs: [UnsafeRawBufferPointer],
        byteCount: Int = SHA256.byteCount
    ) -> SecretBytes {
        precondition((1...maximumByteCount).contains(byteCount), "HKDF gives no such length")
        precondition(!purpose.utf8.contains(0), "a purpose is a plain name")
        var info = Array("thumbturn.v1.".utf8)
        info.reserveCapacity(info.count + purpose.utf8.count + 1 + context.count)
        info += purpose.utf8
        if !context.isEmpty {
            info.append(0)
            info += context
        }
        return unsafe SecretBytes(byteCount: byteCount) { [info] output in
            unsafe fill(output, salt: salt, info: info, from: inputs)
        }
    }

    private static func fill(
        _ output: UnsafeMutableRawBufferPointer,
        salt: [UInt8],
        info: [UInt8],
        from inputs: [UnsafeRawBufferPointer]
    ) {
        withCleanStack(.shallow) {
            unsafe withUnsafeTemporaryAllocation(byteCount: 2 * SHA256.byteCount, alignment: 8) { scratch in
                defer { unsafe sodium_memzero(scratch.baseAddress, scratch.count) }
                let pseudorandomKey = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[..<SHA256.byteCount])
                let block = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[SHA256.byteCount...])
                var hmac = HMACState()
                unsafe salt.withUnsafeBytes { salt in
                    unsafe hmac.tag(inputs, key: salt, into: pseudorandomKey)
                }
                unsafe info.withUnsafeBytes { info in
                    unsafe expand(pseudorandomKey, by: &hmac, info: info, block: block, into: output)
                }
            }
        }
    }

    private static func expand(
        _ pseudorandomKey: UnsafeMutableRawBufferPointer,
        by hmac: inout HMACState,
        info: UnsafeRawBufferPointer,
        block: UnsafeMutableRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        var counter: UInt8 = 0
        for offset in stride(from: 0, to: output.count, by: SHA256.byteCount) {
            counter += 1
            let previous = unsafe UnsafeRawBufferPointer(rebasing: block[..<(offset == 0 ? 0 : block.count)])
            unsafe withUnsafeBytes(of: counter) { counter in
                unsafe hmac.tag([previous, info, counter], key: UnsafeRawBufferPointer(pseudorandomKey), into: block)
            }
            let wanted = min(SHA256.byteCount, output.count - offset)
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[offset...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<wanted]))
        }
    }
}
