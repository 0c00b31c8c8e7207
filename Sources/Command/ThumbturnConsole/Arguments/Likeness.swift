/// Finds the names of a table that a mistyped word may have meant.
///
/// Only names are ever shown: the word may be a secret in the wrong place.
package enum Likeness {
    /// Returns a question with the likely names, followed by where to find help; `nil` if there are none.
    ///
    /// - Parameter names: the names as the user would type them.
    package static func question(_ names: [String], else rest: Words) -> Words? {
        guard !names.isEmpty else { return nil }
        return Words("did you mean ", "vouliez-vous dire ")
            + names.map { Words("`\($0)`") }.joined(separator: Words(" or ", " ou "))
            + Words("? otherwise ", " ? sinon ")
            + rest
    }

    /// Returns up to three names nearest to a word; none if all are too different.
    ///
    /// A wrong, missing, extra or swapped letter counts as one step; so does a truncated name.
    package static func names(like word: String, among names: [String]) -> [String] {
        let meant = (synonyms[word] ?? []).filter(names.contains)
        guard meant.isEmpty else { return meant }
        // A longer word is not a mistyped name.
        guard word.count > 1, word.count <= 24 else { return [] }
        let most = word.count < 4 ? 1 : 2
        let steps = names.map { name in
            word.count > 2 && name.hasPrefix(word) ? 1 : distance(Array(word), Array(name))
        }
        guard let least = steps.min(), least <= most else { return [] }
        return zip(names, steps).filter { $0.1 == least }.prefix(3).map(\.0)
    }

    /// Names that other programs use for our commands.
    static let synonyms = [
        "ls": ["list"], "rm": ["delete", "remove"], "del": ["delete", "remove"], "remove": ["delete"],
        "delete": ["remove"], "add": ["import", "create", "set"], "new": ["create"], "mv": ["rename"],
        "info": ["show", "status"],
        "cat": ["export", "get"], "passwd": ["change"],
    ]

    /// Returns the number of steps between two words.
    private static func distance(_ word: [Character], _ name: [Character]) -> Int {
        var rows = [Array(0...name.count)]
        for i in 1...word.count {
            var row = [i]
            for j in 1...name.count {
                let isSame = word[i - 1] == name[j - 1]
                var steps = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
                if i > 1, j > 1, word[i - 1] == name[j - 2], word[i - 2] == name[j - 1] {
                    steps = min(steps, rows[i - 2][j - 2] + 1)
                }
                row.append(steps)
            }
            rows.append(row)
        }
        return rows[word.count][name.count]
    }
}
