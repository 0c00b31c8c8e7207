#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// A secret whole number in words of 64 bits, the lowest first, with one owner: wiped when it ends.
///
/// How many words it has is public; how large the number is, is not. It lies on the ordinary heap, neither locked nor guarded,
/// for it lives no longer than one step of a login.
@safe struct WideNumber: ~Copyable, @unchecked Sendable {
    // Safe to share: who makes it writes it, and nobody after that.
    private let words: UnsafeMutableBufferPointer<UInt64>

    /// Makes a zero.
    init(wordCount: Int) {
        unsafe words = .allocate(capacity: wordCount)
        unsafe words.initialize(repeating: 0)
    }

    /// Reads a number, its highest byte first.
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

    /// One word; whoever makes the number writes it, and never in place: under the thread sanitizer Swift 6.3 can't compile that.
    subscript(index: Int) -> UInt64 {
        get { unsafe words[index] }
        nonmutating set { unsafe words.initializeElement(at: index, to: newValue) }
    }

    /// Makes it zero again.
    func clear() { unsafe words.update(repeating: 0) }

    /// Whether it is; the words are all looked at.
    var isZero: Bool { unsafe words.reduce(0, |) == 0 }

    /// Writes the number with zero bytes in front, and says whether there was room for it.
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

    /// The whole number `a` + `u` · `x`.
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
    /// Adds `factor` · `other` to the words from `start` on.
    ///
    /// - Returns: what is carried to the word behind the last of them.
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
    /// Adds, and tells the carry without a comparison: the compiler makes branches of those, whose time tells what was carried.
    @inline(__always)
    func sum(_ other: UInt64) -> (word: UInt64, carry: UInt64) {
        let sum = self &+ other
        return (sum, (self & other | (self | other) & ~sum) >> 63)
    }

    /// Subtracts, and tells the borrow in the same way.
    @inline(__always)
    func difference(_ other: UInt64) -> (word: UInt64, borrow: UInt64) {
        let rest = self &- other
        return (rest, (~self & other | (~self | other) & rest) >> 63)
    }
}
