#if canImport(COpenSSL)
import Testing

@testable import ThumbturnCrypto

/// Our own arithmetic, for platforms whose library has none, beside OpenSSL's.
@Suite struct MontgomeryTests {
    @Test func `it computes what OpenSSL computes, for a thousand numbers of one to five words`() throws {
        var dice = Dice(state: 7)
        for _ in 0..<1_000 {
            var modulus = dice.bytes(1...40)
            modulus[0] |= 1
            modulus[modulus.count - 1] |= 3
            let (a, b, exponent) = (dice.below(modulus), dice.below(modulus), dice.bytes(0...12))
            let results = try Results.both(modulus, a, b, exponent)
            let isSame = results.ours == results.theirs  // told in a word: the numbers are long
            try #require(isSame, "modulo \(modulus): \(a), \(b), \(exponent)")
        }
    }

    @Test(arguments: [SRPGroup.bits2048, .bits3072, .bits4096])
    func `it computes what OpenSSL computes at the edges of each group`(group: SRPGroup) throws {
        let modulus = group.mathematics.N
        let zeros = [UInt8](repeating: 0, count: modulus.count - 1)
        let last = modulus.dropLast() + [modulus[modulus.count - 1] - 1]  // N is odd
        let values = [zeros + [0], zeros + [1], [2], Array(last), [0x80] + zeros, []]
        let exponents: [[UInt8]] = [
            [], [0], [1], [0, 0, 0, 0, 0, 0, 0, 0, 7], [0x80, 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 0xFF, count: 16),
        ]
        for (a, exponent) in zip(values, exponents) {
            for b in values {
                let results = try Results.both(modulus, a, b, exponent)
                let isSame = results.ours == results.theirs  // told in a word: the numbers are long
                try #require(isSame, "\(a.suffix(2)), \(b.suffix(2)), \(exponent)")
            }
        }
        for exponent in exponents {
            let results = try Results.both(modulus, Array(last), [2], exponent)
            let isSame = results.ours == results.theirs  // told in a word: the numbers are long
            try #require(isSame, "\(exponent)")
        }
    }

    @Test func `a whole number carries into each next word`() throws {
        var dice = Dice(state: 8)
        for count in 0...40 {
            let full = [UInt8](repeating: 0xFF, count: count)
            for (a, u, x) in [
                (full, full, full), (full, [], full), (full, [1], full), ([1], full, full),
                (dice.bytes(0...80), dice.bytes(0...40), dice.bytes(0...40)),
            ] {
                let theirs = try ModularNumber.exponent(
                    ModularNumber(a),
                    plus: ModularNumber(u),
                    times: ModularNumber(x)
                )
                let ours = WideNumber.sum(
                    WideNumber(a),
                    plus: WideNumber(u),
                    times: WideNumber(x)
                )
                let expected = unsafe written(96) { unsafe theirs.write(into: $0) }
                let sum = unsafe written(96) { unsafe ours.write(into: $0) }
                let isSame = sum == expected && sum != nil
                try #require(isSame, "\(a), \(u), \(x)")
            }
        }
    }

    @Test func `a number tells whether it is zero, and whether it has room`() {
        let wide: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 0]
        for bytes in [[], [0, 0, 0], [1], wide] as [[UInt8]] {
            let number = WideNumber(bytes)
            #expect(number.isZero == bytes.allSatisfy { $0 == 0 })
            let isWhole = unsafe written(8) { unsafe number.write(into: $0) } != nil
            #expect(isWhole == (bytes != wide))
        }
    }
}

/// What a power, a product, a sum and a difference are.
private struct Results: Equatable {
    let power, product, sum, difference: [UInt8]?

    static func both(
        _ modulus: [UInt8],
        _ a: [UInt8],
        _ b: [UInt8],
        _ exponent: [UInt8]
    ) throws -> (theirs: Results, ours: Results) {
        let width = modulus.count
        let openSSL = ModularPower(modulus: modulus)
        let power = try openSSL.power(ModularNumber(a), ModularNumber(exponent))
        let product = try openSSL.product(ModularNumber(a), ModularNumber(b))
        let sum = try openSSL.sum(ModularNumber(a), ModularNumber(b))
        let difference = try openSSL.difference(ModularNumber(a), ModularNumber(b))
        let theirs = unsafe Results(
            power: written(width) { unsafe power.write(into: $0) },
            product: written(width) { unsafe product.write(into: $0) },
            sum: written(width) { unsafe sum.write(into: $0) },
            difference: written(width) { unsafe difference.write(into: $0) }
        )
        return (theirs, ours(modulus, a, b, exponent))
    }

    private static func ours(_ modulus: [UInt8], _ a: [UInt8], _ b: [UInt8], _ exponent: [UInt8]) -> Results {
        let width = modulus.count
        let montgomery = Montgomery(modulus: modulus)
        let a = WideNumber(a)
        let b = WideNumber(b)
        let power = montgomery.power(a, WideNumber(exponent))
        let product = montgomery.product(a, b)
        let sum = montgomery.sum(a, b)
        let difference = montgomery.difference(a, b)
        return unsafe Results(
            power: written(width) { unsafe power.write(into: $0) },
            product: written(width) { unsafe product.write(into: $0) },
            sum: written(width) { unsafe sum.write(into: $0) },
            difference: written(width) { unsafe difference.write(into: $0) }
        )
    }
}

/// So many bytes, as `write` fills them; nil where it found no room.
private func written(_ count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Bool) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0xAA, count: count)
    let isWhole = unsafe bytes.withUnsafeMutableBytes { unsafe write($0) }
    return isWhole ? bytes : nil
}

/// Numbers that are the same in every run (Marsaglia, "Xorshift RNGs", 2003).
private struct Dice {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    /// Bytes, of which many are 0 or 255.
    mutating func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        let count = counts.lowerBound + Int(next() % UInt64(counts.count))
        return (0..<count).map { _ in
            let number = next() >> 20
            return switch number & 7 {
            case 0: 0
            case 1: 0xFF
            default: UInt8(truncatingIfNeeded: number >> 8)
            }
        }
    }

    /// A number below the modulus, as long as it is.
    mutating func below(_ modulus: [UInt8]) -> [UInt8] {
        while true {
            let bytes = bytes(modulus.count...modulus.count)
            if bytes.lexicographicallyPrecedes(modulus) { return bytes }
        }
    }
}
#endif
