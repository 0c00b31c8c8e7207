import ThumbturnCrypto
import ThumbturnRules

/// A JSON object (RFC 8259) whose values are strings and whole numbers: the subset of JSON that a former wallet's file
/// needs.
///
/// Strings are printable ASCII without escapes, numbers have at most nine digits, and no name repeats. Names and
/// strings are ranges in the text, so that nothing is copied.
struct FlatObject {
    enum Value: Equatable {
        case text(Range<Int>)
        case number(Int)
    }

    private var fields: [(name: Range<Int>, value: Value)] = []

    var fieldCount: Int { fields.count }

    /// Parses a text that is one object, with white space where JSON allows it.
    ///
    /// - Throws: `legacyMalformed`, with "cut short" for a text that ends too early.
    init(_ text: RawSpan) throws(VaultError) {
        var scanner = Scanner()
        try scanner.take("{", from: text)
        if try scanner.next(in: text) != UInt8(ascii: "}") {
            try readField(text, &scanner)
            while try scanner.next(in: text) == UInt8(ascii: ",") {
                try scanner.take(",", from: text)
                try readField(text, &scanner)
            }
        }
        try scanner.take("}", from: text)
        guard text.nextWord(from: &scanner.cursor) == nil else {
            throw VaultError(.legacyMalformed, "more than an object")
        }
    }

    func value(of name: StaticString, in text: RawSpan) -> Value? {
        fields.first { field in
            field.name.count == name.utf8CodeUnitCount
                && zip(field.name, 0..<field.name.count).allSatisfy { unsafe text.byte(at: $0) == name.utf8Start[$1] }
        }?.value
    }

    private mutating func readField(_ text: RawSpan, _ scanner: inout Scanner) throws(VaultError) {
        let name = try scanner.string(in: text)
        let isRepeated = fields.contains { field in
            field.name.count == name.count
                && zip(field.name, name).allSatisfy { text.byte(at: $0) == text.byte(at: $1) }
        }
        guard !isRepeated else { throw VaultError(.legacyMalformed, "a name comes twice") }
        try scanner.take(":", from: text)
        let isText = try scanner.next(in: text) == UInt8(ascii: "\"")
        fields.append((name, isText ? .text(try scanner.string(in: text)) : .number(try scanner.number(in: text))))
    }
}

private struct Scanner {
    var cursor = 0

    /// Returns the next byte that is not white space, without consuming it.
    mutating func next(in text: RawSpan) throws(VaultError) -> UInt8 {
        text.skipBlanks(from: &cursor)
        return try peek(text)
    }

    mutating func take(_ character: Unicode.Scalar, from text: RawSpan) throws(VaultError) {
        guard try next(in: text) == UInt8(ascii: character) else { throw VaultError(.legacyMalformed, "not JSON") }
        cursor += 1
    }

    mutating func string(in text: RawSpan) throws(VaultError) -> Range<Int> {
        try take("\"", from: text)
        let start = cursor
        while try peek(text) != UInt8(ascii: "\"") {
            let byte = text.byte(at: cursor)
            guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\\") else {
                throw VaultError(.legacyMalformed, "not plain text")
            }
            cursor += 1
        }
        defer { cursor += 1 }
        return start..<cursor
    }

    mutating func number(in text: RawSpan) throws(VaultError) -> Int {
        let start = cursor
        var number = 0
        while case let digit = try peek(text), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
            cursor += 1
            guard cursor - start <= 9 else { throw VaultError(.legacyMalformed, "a number too large") }
        }
        let hasLeadingZero = cursor - start > 1 && text.byte(at: start) == UInt8(ascii: "0")
        guard cursor > start, !hasLeadingZero else { throw VaultError(.legacyMalformed, "no whole number") }
        return number
    }

    private func peek(_ text: RawSpan) throws(VaultError) -> UInt8 {
        guard cursor < text.byteCount else { throw VaultError(.legacyMalformed, "cut short") }
        return text.byte(at: cursor)
    }
}
