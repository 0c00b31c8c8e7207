/// The character classes of RFC 9110 §5.6.2 and RFC 3986 §2.
enum Characters {
    /// Whether the byte may be part of a token, such as a method or the name of a header field.
    static func isToken(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || contains("!#$%&'*+-.^_`|~", byte) }

    /// Whether the byte may be in a path or query, apart from percent-encoded bytes.
    static func isOfTarget(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || contains("-._~!$&'()*+,;=:@/?", byte) }

    /// Whether the byte may be in the host and port of a URL, including an IPv6 address in brackets.
    static func isOfHost(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || contains("-._~!$&'()*+,;=:[]%", byte) }

    /// Whether the byte may be in a header's value: visible characters, spaces, tabs, and bytes that are not ASCII.
    static func isOfValue(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The value of a hexadecimal digit.
    static func hexValue(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x46: Int(byte) - 0x41 + 10
        case 0x61...0x66: Int(byte) - 0x61 + 10
        default: nil
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func contains(_ characters: StaticString, _ byte: UInt8) -> Bool {
        characters.withUTF8Buffer { unsafe $0.contains(byte) }
    }
}
