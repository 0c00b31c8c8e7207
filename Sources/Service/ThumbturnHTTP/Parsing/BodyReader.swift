/// Reads the content of a request, from bytes that come as they like.
struct BodyReader {
    /// What comes next.
    private enum Place {
        /// So many bytes of content of a known length.
        case fixed(Int)
        /// The size of a chunk, of which these digits came.
        case size(Int, digits: Int)
        /// What follows a size and means nothing to us; whether its line's CR came.
        case rest(Int, hasReturn: Bool)
        /// So many bytes of a chunk.
        case chunk(Int)
        /// The CR LF behind a chunk; whether its CR came.
        case chunkEnd(hasReturn: Bool)
        /// The lines behind the last chunk.
        case trailer
        case end
    }

    private let maximum: Int
    private let lineLimit: Int
    private var place: Place
    private var trailerLine: [UInt8] = []
    /// How many bytes came that are neither content nor size: a chunk of one byte could have any number of them.
    private var paddingByteCount = 0
    /// The content so far.
    private(set) var content: [UInt8] = []
    /// How many bytes came at all.
    private(set) var byteCount = 0

    /// - Parameters:
    ///   - maximum: how many bytes the content may have.
    ///   - lineLimit: how many bytes all that is skipped among chunks may have together, and all lines behind them.
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

    /// Reads what belongs to the content.
    ///
    /// - Parameters:
    ///   - input: what came.
    ///   - position: where to begin; moved behind what was read.
    /// - Returns: whether the content is whole.
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

    /// Hands out the content, and keeps none of it.
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

    /// Takes up to so many bytes of content; gives how many are still due, nil for none.
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
            // Eight digits can't overflow, and no content of ours comes near; leading zeros are no way around.
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

    /// Skips extensions (RFC 9112 §7.1.1), of which we know none.
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

    /// Reads the lines behind the last chunk, which have to be header lines and mean nothing to us.
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
