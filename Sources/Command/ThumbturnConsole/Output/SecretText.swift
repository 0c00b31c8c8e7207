package import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// A secret as a JSON string in memory that is wiped: no `String` ever contains it.
package struct SecretText: ~Copyable {
    /// How the string encodes the secret.
    package enum Encoding: String {
        case utf8 = "utf-8"
        case base64
    }

    /// The string's encoding.
    package let encoding: Encoding
    /// The string, with its quotes.
    package let bytes: SecretBytes

    /// Quotes lent bytes: as text if they are UTF-8, else in base 64.
    package init(quoting source: RawSpan) {
        encoding = Self.isUTF8(source) ? .utf8 : .base64
        bytes = encoding == .utf8 ? Self.escaped(source) : Self.base64(source)
    }

    /// Returns whether a terminal would act on the bytes: a control character other than newline and tab, or bytes that
    /// are not text.
    package static func hasControlCharacters(_ bytes: RawSpan) -> Bool {
        if isPlain(bytes) { return false }
        guard isUTF8(bytes) else { return true }
        return (0..<bytes.byteCount).contains { index in
            switch bytes.byte(at: index) {
            case UInt8(ascii: "\n"), UInt8(ascii: "\t"): return false
            case ..<0x20, 0x7F: return true
            default: return highControl(bytes, index) != nil
            }
        }
    }

    /// Returns whether the bytes are text that fits on one line.
    package static func isOneLine(_ bytes: RawSpan) -> Bool {
        if isPlain(bytes) { return true }
        return !hasControlCharacters(bytes) && !(0..<bytes.byteCount).contains { bytes.byte(at: $0) == 0x0A }
    }

    /// Returns whether the bytes are printable ASCII only, as words and digits are.
    private static func isPlain(_ bytes: RawSpan) -> Bool {
        var index = 0
        while index < bytes.byteCount, case 0x20..<0x7F = bytes.byte(at: index) { index += 1 }
        return index == bytes.byteCount
    }

    /// Returns the number of the control character from U+0080 to U+009F at `index`; `nil` if there is none.
    private static func highControl(_ bytes: RawSpan, _ index: Int) -> UInt8? {
        guard index + 1 < bytes.byteCount, bytes.byte(at: index) == 0xC2 else { return nil }
        let number = bytes.byte(at: index + 1)
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

    /// Escapes the characters that RFC 8259 requires, and every other control character.
    private static func escaped(_ source: RawSpan) -> SecretBytes {
        // Count first: short secrets have reserved memory, while six times the length might get none.
        var count = 0
        putEscaped(source) { _ in count += 1 }
        return unsafe SecretBytes(byteCount: count) { buffer in
            var position = 0
            putEscaped(source) { byte in
                unsafe buffer[position] = byte
                position += 1
            }
        }
    }

    private static func putEscaped(_ source: RawSpan, _ put: (UInt8) -> Void) {
        put(UInt8(ascii: "\""))
        var index = 0
        while index < source.byteCount {
            let byte = source.byte(at: index)
            let high = highControl(source, index)
            if let escape = high.map(JSON.numbered) ?? JSON.escape(byte) {
                escape.utf8.forEach(put)
            } else {
                put(byte)
            }
            index += high == nil ? 1 : 2
        }
        put(UInt8(ascii: "\""))
    }

    private static func base64(_ source: RawSpan) -> SecretBytes {
        let count = TextCode.base64.characterCount(of: source.byteCount)
        return unsafe SecretBytes(byteCount: count + 2) { buffer in
            unsafe buffer[0] = UInt8(ascii: "\"")
            // The terminating zero's place is for the closing quote.
            unsafe TextCode.base64.encode(source, into: UnsafeMutableRawBufferPointer(rebasing: buffer[1...]))
            unsafe buffer[count + 1] = UInt8(ascii: "\"")
        }
    }
}
