import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// Reads the one form of a line from left to right: what comes next is known, but for its values.
///
/// Nothing is made of the bytes but the values themselves, so that a long export is read several times faster than by a
/// reader of any JSON. Each value has one text, which holds no escape.
struct AuditScanner {
    private let bytes: [UInt8]
    /// What was read.
    private(set) var position: Int

    init(_ bytes: [UInt8], from position: Int = 0) { (self.bytes, self.position) = (bytes, position) }

    var isAtEnd: Bool { position == bytes.count }

    /// Skips a text, if it comes next.
    mutating func take(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        for offset in 0..<count {
            guard unsafe bytes[position + offset] == text.utf8Start[offset] else { return false }
        }
        position += count
        return true
    }

    /// Skips a text that has to come next.
    mutating func skip(_ text: StaticString) throws(AuditError) {
        guard take(text) else { throw .malformed }
    }

    /// Skips so many bytes, and returns them.
    private mutating func bytes(_ count: Int) throws(AuditError) -> ArraySlice<UInt8> {
        guard bytes.count - position >= count else { throw .malformed }
        position += count
        return bytes[position - count..<position]
    }

    /// The text up to a quotation mark, which is not read; it is at most so long.
    private mutating func text(upTo count: Int) throws(AuditError) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard position - start < count else { throw .malformed }
            position += 1
        }
        return bytes[start..<position]
    }
}

// Values, without the quotation marks around them.
extension AuditScanner {
    private mutating func hexadecimal(_ count: Int) throws(AuditError) -> UInt64 {
        guard bytes.count - position >= count else { throw .malformed }
        var number: UInt64 = 0
        for place in position..<position + count {
            switch bytes[place] {
            case let digit where digit &- UInt8(ascii: "0") < 10:
                number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case let digit where digit &- UInt8(ascii: "a") < 6:
                number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: throw .malformed
            }
        }
        position += count
        return number
    }

    mutating func identifier() throws(AuditError) -> Identifier {
        Identifier(high: try hexadecimal(16), low: try hexadecimal(16))
    }

    /// A UUID of version 7.
    mutating func uuid() throws(AuditError) -> Identifier {
        var high = try hexadecimal(8)
        for _ in 0..<2 {
            try skip("-")
            high = high << 16 | (try hexadecimal(4))
        }
        try skip("-")
        var low = try hexadecimal(4)
        try skip("-")
        low = low << 48 | (try hexadecimal(12))
        let uuid = Identifier(high: high, low: low)
        guard uuid.isUUID7 else { throw .malformed }
        return uuid
    }

    /// A SHA-256, 32 bytes.
    mutating func digest() throws(AuditError) -> [UInt8] {
        var digest: [UInt8] = []
        digest.reserveCapacity(SHA256.byteCount)
        for _ in 0..<SHA256.byteCount / 8 {
            let word = try hexadecimal(16)
            for shift in stride(from: 56, through: 0, by: -8) {
                digest.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return digest
    }

    /// A number from 0 to 2^53 − 1.
    mutating func number() throws(AuditError) -> UInt64 {
        let start = position
        var number: UInt64 = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
            number = 10 * number + UInt64(digit)
            guard number <= JSON.wholeNumbers.upperBound else { throw .malformed }
            position += 1
        }
        guard position > start, bytes[start] != UInt8(ascii: "0") || position == start + 1 else { throw .malformed }
        return number
    }

    mutating func time() throws(AuditError) -> Milliseconds {
        guard let time = Milliseconds(utcBytes: Array(try bytes(24))) else { throw .malformed }
        return time
    }

    /// A text that `AuditReason` accepts.
    mutating func word() throws(AuditError) -> String {
        let word = String(decoding: try text(upTo: AuditReason.maximumCount), as: UTF8.self)
        guard AuditReason.accepts(word) else { throw .malformed }
        return word
    }

    /// Bytes in base64, at most so many characters.
    mutating func base64(upTo count: Int) throws(AuditError) -> [UInt8] {
        guard let bytes = TextCode.base64.decode(Array(try text(upTo: count))) else { throw .malformed }
        return bytes
    }

    /// So many hexadecimal digits, at most 16.
    mutating func digits(_ count: Int) throws(AuditError) -> String {
        let start = position
        _ = try hexadecimal(count)
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    mutating func kind() throws(AuditError) -> AuditEventKind {
        guard let kind = Self.kinds[Array(try text(upTo: 64))] else { throw .malformed }
        return kind
    }

    /// By bytes, since texts of other bytes may be equal (U+212A is a K).
    private static let kinds = Dictionary(
        uniqueKeysWithValues: AuditEventKind.allCases.map { (Array($0.name.utf8), $0) }
    )
}
