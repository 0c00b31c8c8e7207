/// Writes the canonical encoding of authenticated data: each value has one form.
///
/// Integers are big-endian and of fixed width. Variable-length runs have a `UInt32` length prefix; an optional is one
/// byte, 0 or 1, then its value. There are no tags: reader and writer agree on the order. Not for secrets: an array is
/// never wiped.
package struct ByteWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    package init() {}

    /// Writes one byte.
    package mutating func writeUInt8(_ value: UInt8) { bytes.append(value) }

    /// Writes two bytes, big-endian.
    package mutating func writeUInt16(_ value: UInt16) { writeBigEndian(UInt64(value), 2) }

    /// Writes four bytes, big-endian.
    package mutating func writeUInt32(_ value: UInt32) { writeBigEndian(UInt64(value), 4) }

    /// Writes eight bytes, big-endian.
    package mutating func writeUInt64(_ value: UInt64) { writeBigEndian(value, 8) }

    /// Writes eight bytes, big-endian, two's complement.
    package mutating func writeInt64(_ value: Int64) { writeBigEndian(UInt64(bitPattern: value), 8) }

    /// Writes a run of known length.
    package mutating func writeFixed(_ run: [UInt8]) { bytes.append(contentsOf: run) }

    /// Writes a length and the run.
    ///
    /// - Throws: `CryptoError.parametersOutOfRange` above `maximum`, so that nothing unreadable is stored.
    package mutating func writeBytes(_ run: [UInt8], maximum: Int) throws(CryptoError) {
        guard run.count <= maximum, let count = UInt32(exactly: run.count) else { throw .parametersOutOfRange }
        writeUInt32(count)
        writeFixed(run)
    }

    /// Writes a length in bytes and the text as UTF-8, without normalising it.
    ///
    /// - Throws: `CryptoError.parametersOutOfRange` above `maximum` bytes.
    package mutating func writeString(_ text: String, maximum: Int) throws(CryptoError) {
        try writeBytes(Array(text.utf8), maximum: maximum)
    }

    /// Writes 0 for nil, or 1 and the value by `body`.
    package mutating func writeOptional<Value, E: Error>(
        _ value: Value?,
        _ body: (inout ByteWriter, Value) throws(E) -> Void
    ) throws(E) {
        guard let value else { return writeUInt8(0) }
        writeUInt8(1)
        try body(&self, value)
    }

    private mutating func writeBigEndian(_ value: UInt64, _ byteCount: Int) {
        var shift = UInt64(8 * byteCount)
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
