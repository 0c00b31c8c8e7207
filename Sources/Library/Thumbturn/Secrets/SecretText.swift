// Reads and writes secrets as text, byte by byte from span to buffer, so that no copy is made in a String or an array.

extension RawSpan {
    /// Reads one byte; out of bounds stops the process.
    func byte(at index: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self) }

    /// Finds the next run of bytes without white space at or after `cursor`, and moves `cursor` past it.
    func nextWord(from cursor: inout Int) -> Range<Int>? {
        skipBlanks(from: &cursor)
        let start = cursor
        while cursor < byteCount, blankLength(at: cursor) == 0 { cursor += 1 }
        return start < cursor ? start..<cursor : nil
    }

    /// Moves `cursor` past the white space at it.
    func skipBlanks(from cursor: inout Int) {
        while cursor < byteCount {
            let length = blankLength(at: cursor)
            if length == 0 { return }
            cursor += length
        }
    }

    /// Returns the length of the white space at an index, in UTF-8 bytes; 0 for anything else.
    ///
    /// White space is spaces, tabs and line ends, including Unicode's, and the invisible marks that editors and web
    /// pages leave, such as the byte-order mark.
    func blankLength(at index: Int) -> Int {
        switch byte(at: index) {
        case 0x09, 0x0A, 0x0D, 0x20: return 1
        // U+0085 next line, U+00A0 no-break space, U+00AD soft hyphen.
        case 0xC2: return follow(index, 0x85) || follow(index, 0xA0) || follow(index, 0xAD) ? 2 : 0
        case 0xE1: return follow(index, 0x9A, 0x80) ? 3 : 0
        case 0xE2 where index + 2 < byteCount:
            switch (byte(at: index + 1), byte(at: index + 2)) {
            // U+2000 to U+200F: spaces, joiners and direction marks. U+2028 to U+202F: line and paragraph separators,
            // direction marks, narrow no-break space. U+205F to U+2069: mathematical space, joiners, direction marks.
            case (0x80, 0x80...0x8F), (0x80, 0xA8...0xAF), (0x81, 0x9F...0xA9): return 3
            default: return 0
            }
        // U+3000 ideographic space.
        case 0xE3: return follow(index, 0x80, 0x80) ? 3 : 0
        // U+FE00 to U+FE0F variation selectors, and U+FEFF, the byte-order mark.
        case 0xEF where index + 2 < byteCount && byte(at: index + 1) == 0xB8:
            return (0x80...0x8F).contains(byte(at: index + 2)) ? 3 : 0
        case 0xEF: return follow(index, 0xBB, 0xBF) ? 3 : 0
        default: return 0
        }
    }

    private func follow(_ index: Int, _ second: UInt8, _ third: UInt8? = nil) -> Bool {
        let length = third == nil ? 2 : 3
        return index + length <= byteCount && byte(at: index + 1) == second
            && (third == nil || byte(at: index + 2) == third)
    }
}

extension UInt8 {
    /// The lower-case form of an ASCII capital; any other byte unchanged.
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

/// The digits of a base, such as 16 or 32.
struct Alphabet {
    private let digits: StaticString

    init(_ digits: StaticString) {
        self.digits = digits
    }

    /// Returns the digit for a value below the base.
    func digit(for value: UInt8) -> UInt8 {
        precondition(Int(value) < digits.utf8CodeUnitCount, "a digit beyond the base")
        return unsafe digits.utf8Start[Int(value)]
    }

    /// Returns the value of a digit in upper or lower case; nil when it is none.
    ///
    /// Compares with the whole alphabet each time: a search that stops early would reveal the digit by its time.
    func value(of digit: UInt8) -> UInt8? {
        var value: UInt8?
        for candidate in 0..<UInt8(digits.utf8CodeUnitCount) {
            value = self.digit(for: candidate).lowercased == digit.lowercased ? candidate : value
        }
        return value
    }
}
