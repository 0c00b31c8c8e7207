import ThumbturnRules

// Suggestions for a mistyped word that is not in the list.
extension MnemonicWords {
    private static let most = 3

    /// Returns the list's words near an item, nearest first.
    ///
    /// Words that share its first four letters come first, since those identify a word; then words within two mistakes.
    static func words(near item: Range<Int>, of text: RawSpan) -> [String] {
        // A much longer item is no typing mistake.
        guard item.count <= mostLetters + 4 else { return [] }
        let letters = item.map { text.byte(at: $0).lowercased }
        var found: [(distance: Int, word: String)] = []
        for packed in packed {
            let word = (0..<mostLetters).map { UInt8(truncatingIfNeeded: packed >> (8 * UInt64(7 - $0))) }.filter {
                $0 != 0
            }
            let isBegun = letters.count > 4 && word.prefix(4) == letters.prefix(4)
            let distance = isBegun ? 0 : distance(letters, word)
            // Two mistakes in a short word would match almost anything.
            guard distance <= (letters.count < 5 ? 1 : 2) else { continue }
            found.append((distance, String(decoding: word, as: UTF8.self)))
        }
        // Words of equal distance stay in list order.
        return found.enumerated()
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .prefix(most).map(\.element.word)
    }

    /// Counts the letters that differ, are missing, are extra or have swapped places with the next one.
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
