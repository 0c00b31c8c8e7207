// Reading and writing secrets as text, byte by byte from span to buffer, so that no copy lies in a String or an array.

extension RawSpan {
    /// Reads one byte; out of bounds stops the process.
    func byte(at index: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self) }

    /// Finds the next run of bytes without white space at or after `cursor`, and moves `cursor` behind it.
    func nextWord(from cursor: inout Int) -> Range<Int>? {
        while cursor < byteCount, byte(at: cursor).isWhiteSpace { cursor += 1 }
        let start = cursor
        while cursor < byteCount, !byte(at: cursor).isWhiteSpace { cursor += 1 }
        return start < cursor ? start..<cursor : nil
    }
}

extension UInt8 {
    /// Whether this is a space, a tab, a line feed or a carriage return.
    var isWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    /// The lower-case form of an ASCII capital; any other byte as it is.
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

/// The digits of a base, such as 16 or 32.
struct Alphabet {
    private let digits: StaticString

    init(_ digits: StaticString) {
        self.digits = digits
    }

    /// Gives the digit for a value below the base.
    func digit(for value: UInt8) -> UInt8 {
        precondition(Int(value) < digits.utf8CodeUnitCount, "a digit beyond the base")
        return unsafe digits.utf8Start[Int(value)]
    }

    /// Gives the value of a digit in either case; nil when it is none.
    ///
    /// Looks at the whole alphabet each time, because a search that stops tells the digit by its time.
    func value(of digit: UInt8) -> UInt8? {
        var value: UInt8?
        for candidate in 0..<UInt8(digits.utf8CodeUnitCount) {
            value = self.digit(for: candidate).lowercased == digit.lowercased ? candidate : value
        }
        return value
    }
}
