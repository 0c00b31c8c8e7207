package import ThumbturnCrypto

/// A secret as a JSON string in memory that is wiped: written from buffer to buffer, no `String` ever holds it.
package struct SecretText: ~Copyable {
    /// How the secret stands in the string.
    package enum Encoding: String {
        case utf8 = "utf-8"
        case base64
    }

    /// How it stands there.
    package let encoding: Encoding
    /// The string, with its quotes.
    package let bytes: SecretBytes

    /// Quotes lent bytes: as text where they are UTF-8, else in base 64.
    package init(quoting source: RawSpan) {
        encoding = Self.isUTF8(source) ? .utf8 : .base64
        bytes = encoding == .utf8 ? Self.escaped(source) : Self.base64(source)
    }

    /// Whether there is what a terminal acts on: a control character that neither ends a line nor is a tab, or no text at all.
    package static func hasControlCharacters(_ bytes: RawSpan) -> Bool {
        guard isUTF8(bytes) else { return true }
        return (0..<bytes.byteCount).contains { index in
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\t"): return false
            case ..<0x20, 0x7F: return true
            default: return highControl(bytes, index) != nil
            }
        }
    }

    /// Whether it is text that fits on a line.
    package static func isOneLine(_ bytes: RawSpan) -> Bool {
        !hasControlCharacters(bytes)
            && !(0..<bytes.byteCount).contains { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) == 0x0A }
    }

    /// The number of the control character from U+0080 to U+009F that begins here.
    private static func highControl(_ bytes: RawSpan, _ index: Int) -> UInt8? {
        guard index + 1 < bytes.byteCount, unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self) == 0xC2
        else { return nil }
        let number = unsafe bytes.unsafeLoad(fromByteOffset: index + 1, as: UInt8.self)
        return number < 0xA0 ? number : nil
    }

    private static func isUTF8(_ bytes: RawSpan) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            var parser = Unicode.UTF8.ForwardParser()
            var iterator = unsafe buffer.makeIterator()
            while true {
                switch unsafe parser.parseScalar(from: &iterator) {
                case .valid: continue
                case .emptyInput: return true
                case .error: return false
                }
            }
        }
    }

    /// Escapes what RFC 8259 wants escaped, and every other control character; at most six bytes come of one.
    private static func escaped(_ source: RawSpan) -> SecretBytes {
        var count = 0
        let buffer = unsafe SecretBytes(byteCount: 6 * source.byteCount + 2) { buffer in
            func append(_ byte: UInt8) {
                unsafe buffer[count] = byte
                count += 1
            }
            append(UInt8(ascii: "\""))
            var index = 0
            while index < source.byteCount {
                let byte = unsafe source.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                let high = highControl(source, index)
                if let escape = high.map(JSON.hexadecimal) ?? JSON.escape(byte) {
                    escape.utf8.forEach(append)
                } else {
                    append(byte)
                }
                index += high == nil ? 1 : 2
            }
            append(UInt8(ascii: "\""))
        }
        return buffer.prefix(count)
    }

    /// RFC 4648 §4, with padding.
    private static func base64(_ source: RawSpan) -> SecretBytes {
        let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        return unsafe SecretBytes(byteCount: (source.byteCount + 2) / 3 * 4 + 2) { buffer in
            var position = 1
            unsafe buffer[0] = UInt8(ascii: "\"")
            unsafe buffer[buffer.count - 1] = UInt8(ascii: "\"")
            for start in stride(from: 0, to: source.byteCount, by: 3) {
                let present = min(3, source.byteCount - start)
                var group: UInt32 = 0
                for offset in 0..<3 {
                    let byte: UInt8 =
                        offset < present ? unsafe source.unsafeLoad(fromByteOffset: start + offset, as: UInt8.self) : 0
                    group = group << 8 | UInt32(byte)
                }
                for digit in 0..<4 {
                    unsafe buffer[position] =
                        digit > present
                        ? UInt8(ascii: "=") : digits.utf8Start[Int(group >> (18 - 6 * UInt32(digit)) & 0x3F)]
                    position += 1
                }
            }
        }
    }
}
