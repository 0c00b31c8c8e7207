// What header fields hold is read by bytes. To Swift a comma behind certain marks of other scripts is no character of its own,
// and the Kelvin sign in lower case is a `k`: a client could hide from us what a proxy appended, or say a word that no proxy
// knows.
extension String {
    /// The members of a list (RFC 9110 §5.6.1), without the space around them.
    var listed: [[UInt8]] {
        utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { Array($0.trimmingSpace) }
    }

    /// Whether it is this word, which has no upper-case letter, in letters of either case.
    func reads(_ word: String) -> Bool { Array(utf8).reads(word) }
}

extension [UInt8] {
    /// Whether it is this word, which has no upper-case letter, in letters of either case.
    func reads(_ word: String) -> Bool {
        let lowered = map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return lowered.elementsEqual(word.utf8)
    }
}

extension Substring.UTF8View {
    /// The bytes without spaces and tabs at their ends.
    var trimmingSpace: Substring.UTF8View {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let end = lastIndex { !isSpace($0) }.map { index(after: $0) } ?? startIndex
        return self[..<end].drop(while: isSpace)
    }
}
