// Words that may have been meant by one that is not in the list, for who mistyped it.
extension MnemonicWords {
    private static let most = 3

    /// The words of the list that are near to an item, the nearest first: those that begin with its four letters, which are one
    /// word's alone, then those that two mistakes make of it.
    static func words(near item: Range<Int>, of text: RawSpan) -> [String] {
        // What is that much longer is no slip.
        guard item.count <= mostLetters + 4 else { return [] }
        let letters = item.map { text.byte(at: $0).lowercased }
        var found: [(distance: Int, word: String)] = []
        for packed in packed {
            let word = (0..<mostLetters).map { UInt8(truncatingIfNeeded: packed >> (8 * UInt64(7 - $0))) }.filter {
                $0 != 0
            }
            let isBegun = letters.count > 4 && word.prefix(4) == letters.prefix(4)
            let distance = isBegun ? 0 : distance(letters, word)
            // Of a short word two mistakes leave nothing.
            guard distance <= (letters.count < 5 ? 1 : 2) else { continue }
            found.append((distance, String(decoding: word, as: UTF8.self)))
        }
        // The list's order among equals.
        return found.enumerated()
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .prefix(most).map(\.element.word)
    }

    /// How many letters differ, are missing, are too many or have changed places with the next one.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        guard abs(a.count - b.count) <= 2 else { return 3 }
        var (before, last) = ([Int](), Array(0...b.count))
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
