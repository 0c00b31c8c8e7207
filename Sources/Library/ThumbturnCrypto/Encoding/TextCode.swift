#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif
import ThumbturnRules

/// Encodings of bytes as text, by libsodium; the time does not depend on the bytes, which may be secret.
package enum TextCode {
    /// RFC 4648 §4: with `+` and `/`, padded with `=`.
    case base64
    /// Two digits for each byte, lower case in output and either case in input.
    case hexadecimal

    /// Returns the number of characters for a number of bytes.
    package func characterCount(of byteCount: Int) -> Int {
        switch self {
        case .base64: (byteCount + 2) / 3 * 4
        case .hexadecimal: 2 * byteCount
        }
    }

    /// Writes bytes as text.
    ///
    /// - Parameter text: a buffer for the characters and a terminating zero.
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

    /// Decodes text strictly: every character must be valid and significant, and no bit may be lost.
    ///
    /// - Parameter bytes: the output buffer.
    /// - Returns: the number of bytes; nil for text that is invalid, or does not fit.
    package func decode(_ text: RawSpan, into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return text.byteCount == 0 ? 0 : nil
        }
        guard Self.isASCII(text) else { return nil }
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

    /// Whether no byte is above 0x7F: libsodium takes each of those for some character of base64.
    private static func isASCII(_ text: RawSpan) -> Bool {
        var bits: UInt8 = 0
        for index in 0..<text.byteCount { bits |= text.byte(at: index) }
        return bits < 0x80
    }
}

extension TextCode {
    /// Encodes a secret as text.
    package func encode(_ bytes: RawSpan) -> SecretBytes {
        let count = characterCount(of: bytes.byteCount)
        return unsafe SecretBytes(byteCount: count + 1) { unsafe encode(bytes, into: $0) }.prefix(count)
    }

    /// Encodes bytes that are not secret as text.
    package func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text = [UInt8](repeating: 0, count: characterCount(of: bytes.count) + 1)
        unsafe text.withUnsafeMutableBytes { text in
            unsafe bytes.withUnsafeBytes { unsafe encode($0.bytes, into: text) }
        }
        text.removeLast()
        return text
    }

    /// Decodes bytes that are not secret; nil for invalid text.
    package func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: text.count)
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe text.withUnsafeBytes { unsafe decode($0.bytes, into: bytes) }
        }
        return count.map { Array(bytes.prefix($0)) }
    }
}
