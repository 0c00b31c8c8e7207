#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// A secret integer in little-endian 64-bit words with one owner, wiped at the end of its life.
///
/// The number of words is public, the value is not. It is on the ordinary heap, neither locked nor guarded, because it
/// lives no longer than one step of a login.
@safe struct WideNumber: ~Copyable, @unchecked Sendable {
    // Safe to share: only its creator writes it, before anyone else has it.
    private let words: UnsafeMutableBufferPointer<UInt64>

    /// Creates a zero.
    init(wordCount: Int) {
        unsafe words = .allocate(capacity: wordCount)
        unsafe words.initialize(repeating: 0)
    }

    /// Reads a number, big-endian.
    init(_ bytes: some RandomAccessCollection<UInt8>) {
        self.init(wordCount: (bytes.count + 7) / 8)
        for (index, byte) in bytes.reversed().enumerated() {
            self[index / 8] = self[index / 8] | UInt64(byte) << UInt64(index % 8 * 8)
        }
    }

    deinit {
        unsafe sodium_memzero(words.baseAddress, words.count * 8)
        unsafe words.deallocate()
    }

    var wordCount: Int { unsafe words.count }

    /// One word; written only while the number is created, and never in place: with the thread sanitizer Swift 6.3
    /// can't compile that.
    subscript(index: Int) -> UInt64 {
        get { unsafe words[index] }
        nonmutating set { unsafe words.initializeElement(at: index, to: newValue) }
    }

    /// Resets it to zero.
    func clear() { unsafe words.update(repeating: 0) }

    /// Whether it is zero; reads every word.
    var isZero: Bool { unsafe words.reduce(0, |) == 0 }

    /// Writes the number, padded with leading zeros; returns whether it fits.
    func write(into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        var rest: UInt64 = 0
        for index in 0..<max(bytes.count, wordCount * 8) {
            let byte = index / 8 < wordCount ? self[index / 8] >> UInt64(index % 8 * 8) & 0xFF : 0
            if index < bytes.count {
                unsafe bytes[bytes.count - 1 - index] = UInt8(byte)
            } else {
                rest |= byte
            }
        }
        return rest == 0
    }

    /// Returns the integer `a` + `u` · `x`.
    static func sum(
        _ a: borrowing WideNumber,
        plus u: borrowing WideNumber,
        times x: borrowing WideNumber
    ) -> WideNumber {
        let sum = WideNumber(wordCount: max(a.wordCount, u.wordCount + x.wordCount) + 1)
        for index in 0..<a.wordCount { sum[index] = a[index] }
        for index in 0..<u.wordCount {
            var carry = sum.add(x, times: u[index], at: index)
            for place in index + x.wordCount..<sum.wordCount {
                let word = sum[place].sum(carry)
                sum[place] = word.word
                carry = word.carry
            }
        }
        return sum
    }
}

extension WideNumber {
    /// Adds `factor` · `other` to the words from `start`.
    ///
    /// - Returns: the carry to the word after the last.
    @inline(__always)
    func add(_ other: borrowing WideNumber, times factor: UInt64, at start: Int = 0) -> UInt64 {
        var carry: UInt64 = 0
        for index in 0..<other.wordCount {
            let product = other[index].multipliedFullWidth(by: factor)
            let part = product.low.sum(self[start + index])
            let sum = part.word.sum(carry)
            self[start + index] = sum.word
            carry = product.high &+ part.carry &+ sum.carry
        }
        return carry
    }
}

extension UInt64 {
    /// Adds, and returns the carry without a comparison: the compiler turns those into branches, whose time reveals the
    /// carry.
    @inline(__always)
    func sum(_ other: UInt64) -> (word: UInt64, carry: UInt64) {
        let sum = self &+ other
        return (sum, (self & other | (self | other) & ~sum) >> 63)
    }

    /// Subtracts, and returns the borrow in the same way.
    @inline(__always)
    func difference(_ other: UInt64) -> (word: UInt64, borrow: UInt64) {
        let rest = self &- other
        return (rest, (~self & other | (~self | other) & rest) >> 63)
    }
}
