extension JSON {
    /// Writes the value on one line, members in their order.
    ///
    /// - Parameter escape: returns how a byte below 0x80 is written in a string; nil if it is written as it is.
    package func text(escaping escape: (UInt8) -> String?) -> String {
        var bytes: [UInt8] = []
        write(to: &bytes, Escapes(escape))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value on one line, members in their order, with the shortest escapes.
    package var wireText: String {
        var bytes: [UInt8] = []
        write(to: &bytes, Self.shortest)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the value in the form of RFC 8785 for integers: every writer produces the same bytes, which can be
    /// signed.
    ///
    /// - Throws: `.outOfRange` for a number that not every reader represents exactly, and `.duplicateName`.
    package func canonical() throws(JSONError.Kind) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1_024)
        try (isSorted ? self : sorted()).write(to: &bytes, Self.shortest)
        return bytes
    }

    private static let shortest = Escapes(shortestEscape)

    /// Returns the shortest escape (RFC 8785 §3.2.2.2) of a byte that must be escaped (RFC 8259 §7).
    package static func shortestEscape(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0C: "\\f"
        case 0x0D: "\\r"
        case ..<0x20: numbered(byte)
        default: nil
        }
    }

    /// Returns the numeric escape of a character up to U+00FF.
    package static func numbered(_ number: UInt8) -> String {
        "\\u00" + (number < 0x10 ? "0" : "") + String(number, radix: 16)
    }

    private func write(to bytes: inout [UInt8], _ escapes: borrowing Escapes) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .string(let value): Self.quote(value, to: &bytes, escapes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes, escapes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.quote(member.0, to: &bytes, escapes)
                bytes.append(UInt8(ascii: ":"))
                member.1.write(to: &bytes, escapes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func quote(_ text: String, to bytes: inout [UInt8], _ escapes: borrowing Escapes) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes += text.utf8
        if escapes.areNeeded(in: bytes[start...]) {
            bytes.removeSubrange(start...)
            for byte in text.utf8 {
                if let escape = escapes[byte] { bytes += escape.utf8 } else { bytes.append(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether the value is canonical but for its escapes, as most values that this project writes are: to sort copies
    /// all of it.
    private var isSorted: Bool {
        switch self {
        case .null, .bool, .string: true
        case .integer(let value): Self.wholeNumbers.contains(value)
        case .array(let values): values.allSatisfy(\.isSorted)
        case .object(let members):
            members.indices.allSatisfy { index in
                (index == 0 || Self.precedes(members[index - 1], members[index])) && members[index].1.isSorted
            }
        }
    }

    private static func precedes(_ member: (String, JSON), _ other: (String, JSON)) -> Bool {
        member.0.utf16.lexicographicallyPrecedes(other.0.utf16)
    }

    /// Sorts the members of each object by the UTF-16 units of their names (RFC 8785 §3.2.3).
    private func sorted() throws(JSONError.Kind) -> JSON {
        switch self {
        case .null, .bool, .string: return self
        case .integer(let value):
            guard Self.wholeNumbers.contains(value) else { throw .outOfRange }
            return self
        case .array(let values): return .array(try values.map { value throws(JSONError.Kind) in try value.sorted() })
        case .object(let members):
            let sorted = members.sorted(by: Self.precedes)
            for (member, following) in zip(sorted, sorted.dropFirst()) {
                guard !member.0.utf16.elementsEqual(following.0.utf16) else { throw .duplicateName }
            }
            return .object(try sorted.map { member throws(JSONError.Kind) in (member.0, try member.1.sorted()) })
        }
    }
}

/// How each byte below 0x80 is written in a string.
private struct Escapes {
    private let texts: [String?]
    /// One bit for each of those bytes that is escaped.
    private var marks: (UInt64, UInt64) = (0, 0)

    init(_ escape: (UInt8) -> String?) {
        texts = (0..<0x80).map(escape)
        for byte in 0..<0x40 {
            if texts[byte] != nil { marks.0 |= 1 << UInt64(byte) }
            if texts[byte + 0x40] != nil { marks.1 |= 1 << UInt64(byte) }
        }
    }

    subscript(byte: UInt8) -> String? { byte < 0x80 ? texts[Int(byte)] : nil }

    func areNeeded(in text: ArraySlice<UInt8>) -> Bool {
        text.contains { byte in
            (byte < 0x40 ? marks.0 >> byte : byte < 0x80 ? marks.1 >> (byte - 0x40) : 0) & 1 != 0
        }
    }
}
