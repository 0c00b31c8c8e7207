/// Reads the content of a request from bytes that arrive in any pieces.
struct BodyReader {
    /// The next element to read.
    private enum Place {
        /// Remaining bytes of content of a known length.
        case fixed(Int)
        /// The size of a chunk, after some of its digits.
        case size(Int, digits: Int)
        /// The ignored rest of a size's line, and whether its CR has been read.
        case rest(Int, hasReturn: Bool)
        /// Remaining bytes of a chunk.
        case chunk(Int)
        /// The CR LF after a chunk, and whether its CR has been read.
        case chunkEnd(hasReturn: Bool)
        /// The lines after the last chunk.
        case trailer
        case end
    }

    private let maximum: Int
    private let lineLimit: Int
    private var place: Place
    private var trailerLine: [UInt8] = []
    /// The number of bytes that are neither content nor size: a chunk of one byte could have any number of them.
    private var paddingByteCount = 0
    private(set) var content: [UInt8] = []
    private(set) var byteCount = 0

    /// - Parameters:
    ///   - maximum: the maximum number of bytes of content.
    ///   - lineLimit: the maximum total of bytes that are skipped between chunks and in the lines after them.
    init(_ length: RequestHead.Content, maximum: Int, lineLimit: Int) throws(Refusal) {
        self.maximum = maximum
        self.lineLimit = lineLimit
        switch length {
        case .none: place = .end
        case .chunked: place = .size(0, digits: 0)
        case .fixed(let byteCount):
            guard byteCount <= maximum else { throw .bodyTooLarge(maximum: maximum) }
            place = .fixed(byteCount)
        }
    }

    /// Reads the part of the input that belongs to the content.
    ///
    /// - Parameters:
    ///   - input: the bytes received.
    ///   - position: where to start; advanced past what was read.
    /// - Returns: whether the content is complete.
    mutating func read(_ input: [UInt8], from position: inout Int) throws(Refusal) -> Bool {
        let start = position
        defer { byteCount += position - start }
        while !isWhole, position < input.count {
            switch place {
            case .fixed(let due): place = take(due, input, &position).map { .fixed($0) } ?? .end
            case .chunk(let due): place = take(due, input, &position).map { .chunk($0) } ?? .chunkEnd(hasReturn: false)
            case .size, .rest, .chunkEnd, .trailer, .end:
                position += 1
                try take(input[position - 1])
            }
        }
        return isWhole
    }

    /// Returns the content, and keeps none of it.
    mutating func takeContent() -> WipedBytes {
        defer { content = [] }
        return WipedBytes(content)
    }

    /// Overwrites the content.
    mutating func wipe() {
        content.wipe()
        trailerLine.wipe()
    }

    private var isWhole: Bool {
        guard case .end = place else { return false }
        return true
    }

    /// Reads up to `due` bytes of content; returns how many are still missing, or `nil` if none is.
    private mutating func take(_ due: Int, _ input: [UInt8], _ position: inout Int) -> Int? {
        let part = input[position...].prefix(due)
        content.appendWiping(part)
        position += part.count
        return part.count == due ? nil : due - part.count
    }

    private mutating func take(_ byte: UInt8) throws(Refusal) {
        switch place {
        case .size(let size, let digits): place = try afterSize(size, digits, byte)
        case .rest(let size, let hasReturn): place = try afterRest(size, hasReturn, byte)
        case .chunkEnd(let hasReturn):
            guard byte == (hasReturn ? 0x0A : 0x0D) else { throw .malformed(.chunk) }
            place = hasReturn ? .size(0, digits: 0) : .chunkEnd(hasReturn: true)
        case .trailer: try takeOfTrailer(byte)
        case .fixed, .chunk, .end: break
        }
    }

    private func afterSize(_ size: Int, _ digits: Int, _ byte: UInt8) throws(Refusal) -> Place {
        if let value = Characters.hexValue(byte) {
            // Eight digits can't overflow and exceed any content of ours; leading zeros do not get around the limit.
            guard digits < 8 else { throw .malformed(.chunk) }
            return .size(size << 4 | value, digits: digits + 1)
        }
        guard digits > 0 else { throw .malformed(.chunk) }
        guard size <= maximum - content.count else { throw .bodyTooLarge(maximum: maximum) }
        switch byte {
        case 0x0D: return .rest(size, hasReturn: true)
        case UInt8(ascii: ";"): return .rest(size, hasReturn: false)
        default: throw .malformed(.chunk)
        }
    }

    /// Skips chunk extensions (RFC 9112 §7.1.1), none of which is supported.
    private mutating func afterRest(_ size: Int, _ hasReturn: Bool, _ byte: UInt8) throws(Refusal) -> Place {
        if hasReturn {
            guard byte == 0x0A else { throw .malformed(.chunk) }
            return size > 0 ? .chunk(size) : .trailer
        }
        paddingByteCount += 1
        guard Characters.isOfValue(byte) || byte == 0x0D, paddingByteCount <= lineLimit else {
            throw .malformed(.chunk)
        }
        return .rest(size, hasReturn: byte == 0x0D)
    }

    /// Reads the lines after the last chunk, which must be header lines and are ignored.
    private mutating func takeOfTrailer(_ byte: UInt8) throws(Refusal) {
        paddingByteCount += 1
        guard paddingByteCount <= lineLimit else { throw .headersTooLarge }
        let hasReturn = trailerLine.last == 0x0D
        guard hasReturn == (byte == 0x0A), Characters.isOfValue(byte) || byte == 0x0D || hasReturn else {
            throw .malformed(.trailer)
        }
        trailerLine.append(byte)
        guard hasReturn else { return }
        let line = 0..<(trailerLine.count - 2)
        if line.isEmpty { place = .end } else { _ = try HTTPHeaders.Field(line, in: &trailerLine) }
        trailerLine = []
    }
}
