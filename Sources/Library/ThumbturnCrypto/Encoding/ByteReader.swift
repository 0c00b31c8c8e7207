/// Reads the canonical encoding of `ByteWriter` from unverified bytes.
///
/// For any input, a read returns a value or throws `CryptoError.malformed`; it never traps, and never allocates more
/// than the length of the input.
package struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    /// Starts at the first byte.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes left.
    package var remaining: Int { bytes.count - position }

    /// Reads one byte.
    package mutating func readUInt8() throws(CryptoError) -> UInt8 { UInt8(truncatingIfNeeded: try readBigEndian(1)) }

    /// Reads two bytes, big-endian.
    package mutating func readUInt16() throws(CryptoError) -> UInt16 {
        UInt16(truncatingIfNeeded: try readBigEndian(2))
    }

    /// Reads four bytes, big-endian.
    package mutating func readUInt32() throws(CryptoError) -> UInt32 {
        UInt32(truncatingIfNeeded: try readBigEndian(4))
    }

    /// Reads eight bytes, big-endian.
    package mutating func readUInt64() throws(CryptoError) -> UInt64 { try readBigEndian(8) }

    /// Reads eight bytes, big-endian, two's complement.
    package mutating func readInt64() throws(CryptoError) -> Int64 { Int64(bitPattern: try readBigEndian(8)) }

    /// Reads a run of known length.
    package mutating func readFixed(_ count: Int) throws(CryptoError) -> [UInt8] { Array(try take(count)) }

    /// Reads a length, at most `maximum`, and the run.
    package mutating func readBytes(maximum: Int) throws(CryptoError) -> [UInt8] { Array(try takePrefixed(maximum)) }

    /// Reads a length in bytes, at most `maximum`, and as many bytes of valid UTF-8.
    package mutating func readString(maximum: Int) throws(CryptoError) -> String {
        let run = try takePrefixed(maximum)
        let text = String(decoding: run, as: UTF8.self)
        // Decoding repairs invalid input, which shows as a difference here.
        guard text.utf8.elementsEqual(run) else { throw .malformed }
        return text
    }

    /// Reads 0 for nil, or 1 and a value by `body`; any other byte is malformed.
    package mutating func readOptional<Value>(
        _ body: (inout ByteReader) throws(CryptoError) -> Value
    ) throws(CryptoError) -> Value? {
        switch try readUInt8() {
        case 0: nil
        case 1: try body(&self)
        default: throw .malformed
        }
    }

    /// Ends reading.
    ///
    /// - Throws: `CryptoError.malformed` if bytes are left.
    package consuming func finish() throws(CryptoError) { guard remaining == 0 else { throw .malformed } }

    private mutating func take(_ count: Int) throws(CryptoError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw .malformed }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func takePrefixed(_ maximum: Int) throws(CryptoError) -> ArraySlice<UInt8> {
        guard let count = Int(exactly: try readUInt32()), count <= maximum else { throw .malformed }
        return try take(count)
    }

    // Byte by byte and not generic: in a debug build anything else is ten times slower, and tests parse a lot.
    private mutating func readBigEndian(_ byteCount: Int) throws(CryptoError) -> UInt64 {
        guard byteCount <= remaining else { throw .malformed }
        let end = position + byteCount
        var value: UInt64 = 0
        while position < end {
            value = value << 8 | UInt64(bytes[position])
            position += 1
        }
        return value
    }
}
