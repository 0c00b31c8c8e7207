import ThumbturnRules

// Reads secrets as text, byte by byte in the span, so that no copy is made in a String or an array.

extension RawSpan {
    /// Finds the next run of bytes without white space at or after `cursor`, and moves `cursor` past it.
    package func nextWord(from cursor: inout Int) -> Range<Int>? {
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
