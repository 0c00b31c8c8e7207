// Header values are compared by bytes. In Swift a comma followed by certain combining marks is not a separate
// character, and the Kelvin sign in lower case is a `k`: a client could hide from us what a proxy appended, or use a
// word that no proxy recognises.
extension String {
    /// The elements of a list (RFC 9110 §5.6.1), without surrounding space.
    var listed: [[UInt8]] {
        utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { Array($0.trimmingSpace) }
    }

    /// Returns whether it equals this lower-case word, ignoring ASCII case.
    func reads(_ word: String) -> Bool { Array(utf8).reads(word) }
}

extension [UInt8] {
    /// Returns whether it equals this lower-case word, ignoring ASCII case.
    func reads(_ word: String) -> Bool {
        let lowered = map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return lowered.elementsEqual(word.utf8)
    }
}

extension Substring.UTF8View {
    /// The bytes without spaces and tabs at either end.
    var trimmingSpace: Substring.UTF8View {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let end = lastIndex { !isSpace($0) }.map { index(after: $0) } ?? startIndex
        return self[..<end].drop(while: isSpace)
    }
}
