/// Reads the head of a request from bytes that arrive in any pieces.
///
/// Each line is checked when it ends, and an illegal byte at once, so that the server need not wait for an invalid
/// client. The bytes read are in one array, which becomes the header fields' or is wiped.
struct HeadReader {
    private let limit: Int
    private var bytes: [UInt8] = []
    private var lineStart = 0
    private var line: RequestLine?
    private var headersStart = 0
    private var fields: [HTTPHeaders.Field] = []

    /// - Parameter limit: the maximum number of bytes of the request line, and of all header lines together.
    init(limit: Int) { self.limit = limit }

    /// Reads the part of the input that belongs to the head.
    ///
    /// - Parameters:
    ///   - input: the bytes received.
    ///   - position: where to start; advanced past what was read.
    /// - Returns: the complete head, or `nil`; after returning a head, and after throwing, the reader is reset.
    mutating func read(_ input: [UInt8], from position: inout Int) throws(Refusal) -> RequestHead? {
        do throws(Refusal) {
            while position < input.count {
                position += 1
                if try take(input[position - 1]) { return try finish() }
            }
            return nil
        } catch {
            reset()
            throw error
        }
    }

    mutating func reset() {
        bytes.wipe()
        self = HeadReader(limit: limit)
    }

    /// - Returns: whether this byte ends the head.
    private mutating func take(_ byte: UInt8) throws(Refusal) -> Bool {
        guard bytes.count - headersStart < limit else { throw line == nil ? .targetTooLong : .headersTooLarge }
        if bytes.last == 0x0D, byte != 0x0A { throw .malformed(.controlCharacter) }
        guard Characters.isOfValue(byte) || byte == 0x0D || byte == 0x0A else { throw .malformed(.controlCharacter) }
        if byte == 0x0A, bytes.last != 0x0D { throw .malformed(.bareLineFeed) }
        bytes.appendWiping(byte)
        return byte == 0x0A ? try endLine() : false
    }

    private mutating func endLine() throws(Refusal) -> Bool {
        let range = lineStart..<(bytes.count - 2)
        lineStart = bytes.count
        guard line != nil else {
            // Skip empty lines before a request (RFC 9112 §2.2); their bytes count, so there can't be many.
            if range.isEmpty { return false }
            line = try RequestLine(bytes[range])
            headersStart = bytes.count
            return false
        }
        guard !range.isEmpty else { return true }
        fields.append(try HTTPHeaders.Field(range, in: &bytes))
        return false
    }

    private mutating func finish() throws(Refusal) -> RequestHead? {
        guard let line else { return nil }
        let headers = HTTPHeaders(bytes: bytes, fields: fields)
        // The header fields now own the bytes: a shared array can't be overwritten.
        self = HeadReader(limit: limit)
        return try RequestHead(line, headers)
    }
}

extension HTTPHeaders.Field {
    /// Parses a header line (RFC 9112 §5), and changes the name to lower case.
    ///
    /// A space before the colon and a folded line are refused, because readers interpret them differently.
    init(_ range: Range<Int>, in bytes: inout [UInt8]) throws(Refusal) {
        guard !Characters.isSpace(bytes[range.lowerBound]) else { throw .malformed(.foldedHeader) }
        guard let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")), colon > range.lowerBound,
            bytes[range.lowerBound..<colon].allSatisfy(Characters.isToken)
        else { throw .malformed(.headerLine) }
        for index in range.lowerBound..<colon where (0x41...0x5A).contains(bytes[index]) { bytes[index] |= 0x20 }
        var value = (colon + 1)..<range.upperBound
        while let first = value.first, Characters.isSpace(bytes[first]) { value = (first + 1)..<value.upperBound }
        while let last = value.last, Characters.isSpace(bytes[last]) { value = value.lowerBound..<last }
        name = range.lowerBound..<colon
        self.value = value
    }
}
