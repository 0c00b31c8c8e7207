extension RawSpan {
    /// Reads one byte; out of bounds stops the process.
    @inlinable
    package func byte(at index: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self) }
}

extension UInt8 {
    /// The lower-case form of an ASCII capital; any other byte unchanged.
    @inlinable
    package var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
