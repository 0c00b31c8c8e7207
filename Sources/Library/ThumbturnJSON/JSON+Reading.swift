extension JSON {
    /// The deepest nesting that a caller may allow, so that no input overflows a thread's stack.
    package static let mostDepth = 128

    /// The integers that a double represents exactly (RFC 7493 §2.2).
    package static let wholeNumbers: ClosedRange<Int64> = -(1 << 53 - 1)...(1 << 53 - 1)

    /// Reads one value and nothing else, by RFC 8259 and more strictly: only integers, and unique names in an object.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 without a byte order mark.
    ///   - byteLimit: the largest number of bytes allowed.
    ///   - depthLimit: how deep arrays and objects may be nested, at most `mostDepth`.
    package init(reading bytes: [UInt8], byteLimit: Int, depthLimit: Int = 32) throws(JSONError) {
        precondition(depthLimit <= Self.mostDepth, "a limit of depth that a stack may not bear")
        guard bytes.count <= byteLimit else { throw JSONError(kind: .tooLong, offset: byteLimit) }
        var reader = JSONReader(bytes, depthLimit)
        self = try reader.readAll()
    }
}

/// One pass over the bytes of a value.
private struct JSONReader {
    private let bytes: [UInt8]
    private let depthLimit: Int
    private var position = 0

    init(_ bytes: [UInt8], _ depthLimit: Int) { (self.bytes, self.depthLimit) = (bytes, depthLimit) }

    mutating func readAll() throws(JSONError) -> JSON {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw refusal(.byteOrderMark) }
        let value = try readValue(depth: 0)
        skipSpace()
        guard next == nil else { throw refusal(.trailingBytes) }
        return value
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func refusal(_ kind: JSONError.Kind, at offset: Int? = nil) -> JSONError {
        JSONError(kind: kind, offset: offset ?? position)
    }

    /// The error when `next` is not what is expected.
    private var surprise: JSONError { refusal(next == nil ? .endsEarly : .unexpectedByte) }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Skips space, then consumes this byte if it comes next.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// - Parameter depth: the number of arrays and objects around the value.
    private mutating func readValue(depth: Int) throws(JSONError) -> JSON {
        skipSpace()
        guard let byte = next else { throw surprise }
        switch byte {
        case UInt8(ascii: "{"): return .object(try readMembers(depth: depth))
        case UInt8(ascii: "["): return .array(try readElements(depth: depth))
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .integer(try readNumber())
        case UInt8(ascii: "n"): return try read("null", .null)
        case UInt8(ascii: "t"): return try read("true", .bool(true))
        case UInt8(ascii: "f"): return try read("false", .bool(false))
        default: throw surprise
        }
    }

    private mutating func read(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for index in 0..<word.utf8CodeUnitCount {
            guard unsafe next == word.utf8Start[index] else { throw surprise }
            position += 1
        }
        return value
    }
}

// Arrays and objects.
extension JSONReader {
    private mutating func readElements(depth: Int) throws(JSONError) -> [JSON] {
        try enter(depth)
        var elements: [JSON] = []
        guard !take("]") else { return elements }
        repeat { elements.append(try readValue(depth: depth + 1)) } while try continues(to: "]")
        return elements
    }

    private mutating func readMembers(depth: Int) throws(JSONError) -> [(String, JSON)] {
        try enter(depth)
        var members: [(String, JSON)] = []
        var names: Set<[UInt8]> = []
        guard !take("}") else { return members }
        repeat {
            skipSpace()
            let start = position
            guard next == UInt8(ascii: "\"") else { throw surprise }
            let name = try readString()
            guard names.insert(Array(name.utf8)).inserted else { throw refusal(.duplicateName, at: start) }
            guard take(":") else { throw surprise }
            members.append((name, try readValue(depth: depth + 1)))
        } while try continues(to: "}")
        return members
    }

    private mutating func enter(_ depth: Int) throws(JSONError) {
        guard depth < depthLimit else { throw refusal(.tooDeep) }
        position += 1
    }

    /// Whether a comma follows rather than the end.
    private mutating func continues(to end: Unicode.Scalar) throws(JSONError) -> Bool {
        if take(",") { return true }
        guard take(end) else { throw surprise }
        return false
    }
}

// Numbers.
extension JSONReader {
    private mutating func readNumber() throws(JSONError) -> Int64 {
        let start = position
        let isNegative = take("-")
        let first = position
        guard nextDigit != nil else { throw surprise }
        var number: Int64 = 0
        while let digit = nextDigit {
            number = 10 * number + digit
            guard JSON.wholeNumbers.contains(number) else { throw refusal(.outOfRange, at: start) }
            position += 1
        }
        guard position == first + 1 || bytes[first] != UInt8(ascii: "0") else { throw refusal(.leadingZero, at: start) }
        switch next {
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): throw refusal(.notWhole, at: start)
        default: break
        }
        guard !isNegative || number != 0 else { throw refusal(.minusZero, at: start) }
        return isNegative ? -number : number
    }

    private var nextDigit: Int64? {
        guard let byte = next, case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
        return Int64(byte - UInt8(ascii: "0"))
    }
}

// Strings.
extension JSONReader {
    private mutating func readString() throws(JSONError) -> String {
        position += 1
        var text: [UInt8] = []
        var start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[start..<position]
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += bytes[start..<position]
                text += String(try readEscape()).utf8
                start = position
            case ..<0x20: throw refusal(.controlCharacter)
            case ..<0x80: position += 1
            default: position += try scalarLength()
            }
        }
        throw refusal(.endsEarly)
    }

    /// Returns the number of bytes in the non-ASCII scalar that starts here (RFC 3629 §4).
    private func scalarLength() throws(JSONError) -> Int {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch bytes[position] {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: throw refusal(.notUTF8)
            }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]),
            bytes[(position + 2)..<(position + length)].allSatisfy({ (0x80...0xBF).contains($0) })
        else { throw refusal(.notUTF8) }
        return length
    }

    private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        position += 1
        guard let letter = next else { throw surprise }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "u"): return try readUnits(from: start)
        default: throw refusal(.unknownEscape, at: start)
        }
    }

    /// Reads the digits of a UTF-16 unit, and those of the next if the two are a surrogate pair.
    private mutating func readUnits(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try readUnit(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), bytes[position...].starts(with: #"\u"#.utf8) else {
            throw refusal(.loneSurrogate, at: start)
        }
        let second = position
        position += 2
        let trail = try readUnit(from: second)
        let number = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(trail) & 0x3FF
        guard UTF16.isTrailSurrogate(trail), let scalar = Unicode.Scalar(number) else {
            throw refusal(.loneSurrogate, at: start)
        }
        return scalar
    }

    private mutating func readUnit(from start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next else { throw surprise }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw refusal(.unknownEscape, at: start)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
