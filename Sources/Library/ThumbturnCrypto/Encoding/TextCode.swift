#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// How bytes are written as text, by libsodium: its time tells nothing of the bytes, which may be a secret.
package enum TextCode {
    /// RFC 4648 §4: with `+` and `/`, and filled up with `=`.
    case base64
    /// Two digits for each byte, written in lower case and read in either.
    case hexadecimal

    /// How many characters so many bytes become.
    package func characterCount(of byteCount: Int) -> Int {
        switch self {
        case .base64: (byteCount + 2) / 3 * 4
        case .hexadecimal: 2 * byteCount
        }
    }

    /// Writes bytes as text.
    ///
    /// - Parameter text: room for the characters, and for a zero behind them.
    package func encode(_ bytes: RawSpan, into text: UnsafeMutableRawBufferPointer) {
        precondition(text.count > characterCount(of: bytes.byteCount), "no room for the zero at the end")
        guard let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
        unsafe bytes.withUnsafeBytes { source in
            let bytes = unsafe source.baseAddress?.assumingMemoryBound(to: UInt8.self)
            switch self {
            case .base64:
                _ = unsafe sodium_bin2base64(start, text.count, bytes, source.count, sodium_base64_VARIANT_ORIGINAL)
            case .hexadecimal: _ = unsafe sodium_bin2hex(start, text.count, bytes, source.count)
            }
        }
    }

    /// Reads text of which every character must be right: none is left out, and no bit is lost.
    ///
    /// - Parameter bytes: where they go.
    /// - Returns: how many there are; nil for text that is none, or that has no room there.
    package func decode(_ text: RawSpan, into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return text.byteCount == 0 ? 0 : nil
        }
        var count = 0
        let status = unsafe text.withUnsafeBytes { source in
            let text = unsafe source.baseAddress?.assumingMemoryBound(to: CChar.self)
            return switch self {
            case .base64:
                unsafe sodium_base642bin(
                    start,
                    bytes.count,
                    text,
                    source.count,
                    nil,
                    &count,
                    nil,
                    sodium_base64_VARIANT_ORIGINAL
                )
            case .hexadecimal: unsafe sodium_hex2bin(start, bytes.count, text, source.count, nil, &count, nil)
            }
        }
        return status == 0 ? count : nil
    }
}

extension TextCode {
    /// Writes a secret as text.
    package func encode(_ bytes: RawSpan) -> SecretBytes {
        let count = characterCount(of: bytes.byteCount)
        return unsafe SecretBytes(byteCount: count + 1) { unsafe encode(bytes, into: $0) }.prefix(count)
    }

    /// Writes bytes that are not secret as text.
    package func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: characterCount(of: bytes.count) + 1)
        unsafe text.withUnsafeMutableBytes { text in
            unsafe bytes.withUnsafeBytes { unsafe encode($0.bytes, into: text) }
        }
        return text.dropLast()
    }

    /// Reads bytes that are not secret; nil where the text is none.
    package func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: text.count)
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe text.withUnsafeBytes { unsafe decode($0.bytes, into: bytes) }
        }
        return count.map { Array(bytes.prefix($0)) }
    }
}
