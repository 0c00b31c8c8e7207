package import ThumbturnCrypto

extension SecretBytes {
    /// Creates a secret from a test's text, which is not really secret.
    package init(text: String) {
        let bytes = Array(text.utf8)
        unsafe self.init(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }
}

extension RawSpan {
    /// The bytes, copied into ordinary memory, which only a test may do.
    package var exposed: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }

    /// The bytes as text, in ordinary memory.
    package var exposedText: String { String(decoding: exposed, as: UTF8.self) }
}

/// A generator with the same numbers on every run (SplitMix64); a property test prints its seed.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Mutates some bytes: flips, sets, removes, inserts or doubles a run, one to four times.
    package mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) {
            guard let index = bytes.indices.randomElement(using: &self) else {
                return [UInt8(truncatingIfNeeded: next())]
            }
            let end = min(bytes.count, index + Int.random(in: 1...16, using: &self))
            switch Int.random(in: 0..<6, using: &self) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0
            case 2: bytes.removeSubrange(index..<end)
            case 3: bytes.insert(contentsOf: bytes[index..<end], at: index)
            case 4: bytes.removeSubrange(index...)
            default: for position in index..<end { bytes[position] = UInt8(truncatingIfNeeded: next()) }
            }
        }
        return bytes
    }
}
