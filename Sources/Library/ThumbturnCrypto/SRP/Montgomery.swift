/// Arithmetic modulo one odd public number, in a time that depends only on the number of words.
///
/// For platforms whose own library has no modular powers (Montgomery, "Modular multiplication without trial division",
/// 1985; Koç, Acar and Kaliski, "Analyzing and comparing Montgomery multiplication algorithms", 1996: its method CIOS).
/// The tests compare it with OpenSSL where that is available.
final class Montgomery: Sendable {
    private let modulus: WideNumber
    /// −1 / modulus, modulo 2^64.
    private let inverse: UInt64
    /// R and R² modulo the modulus, with R = 2^(64 · words): 1 and R in Montgomery form.
    private let one: WideNumber
    private let square: WideNumber

    private var wordCount: Int { modulus.wordCount }

    /// - Parameter bytes: an odd number above 1, big-endian, without leading zero bytes.
    init(modulus bytes: [UInt8]) {
        let modulus = WideNumber(bytes)
        let lowest = modulus.wordCount == 0 ? 0 : modulus[0]
        precondition(lowest & 1 == 1 && bytes.first != 0, "an even modulus")
        // Newton's iteration doubles the number of correct bits; an odd number is its own inverse modulo 8.
        inverse = 0 &- (0..<5).reduce(lowest) { inverse, _ in inverse &* (2 &- lowest &* inverse) }
        let bitCount = modulus.wordCount * 64
        one = Self.doubled(bitCount, modulus)
        square = Self.doubled(2 * bitCount, modulus)
        self.modulus = modulus
    }

    /// Returns 2^count modulo the modulus.
    private static func doubled(_ count: Int, _ modulus: borrowing WideNumber) -> WideNumber {
        let number = WideNumber(wordCount: modulus.wordCount)
        number[0] = 1
        for _ in 0..<count { number.reduce(carry: number.add(number), modulus) }
        return number
    }

    /// Raises `base`, which is below the modulus; the time depends on the exponent's word count, never on its bits.
    func power(_ base: borrowing WideNumber, _ exponent: borrowing WideNumber) -> WideNumber {
        let scratch = makeScratch()
        let table = table(of: base, scratch)
        let result = one.copy()
        let factor = WideNumber(wordCount: wordCount)
        for index in (0..<exponent.wordCount).reversed() {
            let word = exponent[index]
            for shift in stride(from: UInt64(60), through: 0, by: -4) {
                for _ in 0..<4 { multiply(result, result, into: result, scratch) }
                factor.choose(word >> shift & 15, from: table)
                multiply(result, factor, into: result, scratch)
            }
        }
        return leave(result, scratch)
    }

    /// - Parameters: below the modulus.
    func product(_ a: borrowing WideNumber, _ b: borrowing WideNumber) -> WideNumber {
        let scratch = makeScratch()
        let result = enter(a, scratch)
        multiply(result, widened(b), into: result, scratch)
        return result
    }

    /// - Parameters: below the modulus.
    func sum(_ a: borrowing WideNumber, _ b: borrowing WideNumber) -> WideNumber {
        let result = widened(a)
        result.reduce(carry: result.add(widened(b)), modulus)
        return result
    }

    /// - Parameters: below the modulus.
    func difference(_ a: borrowing WideNumber, _ b: borrowing WideNumber) -> WideNumber {
        let result = widened(a)
        let borrow = result.subtract(widened(b), where: .max)
        _ = result.add(modulus, where: 0 &- borrow)
        return result
    }

    // MARK: Montgomery form

    /// Returns base^0 to base^15 in Montgomery form, consecutively.
    private func table(of base: borrowing WideNumber, _ scratch: borrowing WideNumber) -> WideNumber {
        let table = WideNumber(wordCount: 16 * wordCount)
        let base = enter(base, scratch)
        let power = one.copy()
        for number in 0..<16 {
            for index in 0..<wordCount { table[number * wordCount + index] = power[index] }
            multiply(power, base, into: power, scratch)
        }
        return table
    }

    /// Returns a · R.
    private func enter(_ a: borrowing WideNumber, _ scratch: borrowing WideNumber) -> WideNumber {
        let result = widened(a)
        multiply(result, square, into: result, scratch)
        return result
    }

    /// Returns a / R.
    private func leave(_ a: borrowing WideNumber, _ scratch: borrowing WideNumber) -> WideNumber {
        let result = WideNumber(wordCount: wordCount)
        result[0] = 1
        multiply(a, result, into: result, scratch)
        return result
    }

    /// Returns the number with as many words as the modulus.
    private func widened(_ a: borrowing WideNumber) -> WideNumber {
        precondition(a.wordCount <= wordCount, "a number that is not below the modulus")
        return a.copy(wordCount: wordCount)
    }

    /// Allocates the scratch space of a multiplication: the words of its sum, and two.
    private func makeScratch() -> WideNumber { WideNumber(wordCount: wordCount + 2) }

    /// Writes a · b / R, which is below the modulus when either of them is.
    private func multiply(
        _ a: borrowing WideNumber,
        _ b: borrowing WideNumber,
        into result: borrowing WideNumber,
        _ sum: borrowing WideNumber
    ) {
        let count = wordCount
        sum.clear()
        for index in 0..<count {
            sum.carry(sum.add(a, times: b[index]), to: count)
            // Add the multiple that makes the lowest word zero; the sum then moves down by that word.
            sum.carry(sum.add(modulus, times: sum[0] &* inverse), to: count)
            for place in 0...count { sum[place] = sum[place + 1] }
            sum[count + 1] = 0
        }
        for place in 0..<count { result[place] = sum[place] }
        result.reduce(carry: sum[count], modulus)
    }
}

extension WideNumber {
    fileprivate func copy(wordCount: Int? = nil) -> WideNumber {
        let copy = WideNumber(wordCount: wordCount ?? self.wordCount)
        for index in 0..<self.wordCount { copy[index] = self[index] }
        return copy
    }

    /// Adds another number of the same word count if `mask` is all ones, and nothing if it is 0; returns the carry.
    fileprivate func add(_ other: borrowing WideNumber, where mask: UInt64 = .max) -> UInt64 {
        var carry: UInt64 = 0
        for index in 0..<wordCount {
            let part = self[index].sum(other[index] & mask)
            let sum = part.word.sum(carry)
            self[index] = sum.word
            carry = part.carry | sum.carry
        }
        return carry
    }

    /// Subtracts another number of the same word count if `mask` is all ones, and nothing if it is 0; returns the
    /// borrow.
    fileprivate func subtract(_ other: borrowing WideNumber, where mask: UInt64) -> UInt64 {
        var borrow: UInt64 = 0
        for index in 0..<wordCount {
            let part = self[index].difference(other[index] & mask)
            let rest = part.word.difference(borrow)
            self[index] = rest.word
            borrow = part.borrow | rest.borrow
        }
        return borrow
    }

    /// Reduces carry · 2^(64 · words) + self, which is below twice the modulus, to below the modulus.
    fileprivate func reduce(carry: UInt64, _ modulus: borrowing WideNumber) {
        let borrow = subtract(modulus, where: .max)
        _ = add(modulus, where: 0 &- (borrow & (1 &- carry)))
    }

    /// Adds a carry to the two words at `place`.
    fileprivate func carry(_ carry: UInt64, to place: Int) {
        let sum = self[place].sum(carry)
        self[place] = sum.word
        self[place + 1] = self[place + 1] &+ sum.carry
    }

    /// Copies one number of a table; reads the whole table, so that the cache does not reveal which.
    fileprivate func choose(_ number: UInt64, from table: borrowing WideNumber) {
        clear()
        for candidate in 0..<table.wordCount / wordCount {
            let difference = UInt64(candidate) ^ number
            let mask = (difference | (0 &- difference)) >> 63 &- 1  // all ones if they are equal
            for index in 0..<wordCount { self[index] = self[index] | table[candidate * wordCount + index] & mask }
        }
    }
}
