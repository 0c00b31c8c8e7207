/// A JSON value to be written; its members keep the order in which they were given.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    indirect case array([JSON])
    indirect case object([(String, JSON)])

    /// A string, or null.
    package init(_ text: String?) {
        self = text.map(JSON.string) ?? .null
    }

    /// A whole number.
    package init(_ number: Int) {
        self = .integer(Int64(number))
    }

    /// The value on one line.
    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .string(let value): Self.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if let escape = UInt8(exactly: scalar.value).flatMap(escape) {
                quoted += escape
            } else {
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// How a byte below 0x80 is written where it may not stand for itself: as RFC 8259 says, or because a terminal acts on it.
    static func escape(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "\""): return "\\\""
        case UInt8(ascii: "\\"): return "\\\\"
        case 0..<0x20, 0x7F: return hexadecimal(byte)
        default: return nil
        }
    }

    /// A character up to U+00FF by its number.
    static func hexadecimal(_ number: UInt8) -> String {
        let digits = String(number, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
    /// An object.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements)
    }

    /// A string.
    package init(stringLiteral value: String) {
        self = .string(value)
    }
}
