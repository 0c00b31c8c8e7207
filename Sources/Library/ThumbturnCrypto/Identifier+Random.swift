package import ThumbturnRules

extension Identifier {
    /// Generates a new identifier: 16 random bytes.
    package static func make() -> Identifier {
        let bytes = RandomBytes.make(16)
        func half(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        return Identifier(high: half(0..<8), low: half(8..<16))
    }
}
