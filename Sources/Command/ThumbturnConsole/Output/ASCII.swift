/// Replaces characters where only ASCII can be shown.
package enum ASCII {
    /// Returns the text with every other character replaced by one that resembles it, or else by `?`.
    package static func text(of text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return String(text.map { $0.isASCII ? $0 : substitutes[$0] ?? "?" })
    }

    private static let substitutes: [Character: Character] = {
        let pairs: [(String, Character)] = [
            ("╭╮╰╯├┤", "+"), ("─", "-"), ("│", "|"), ("●◆", "*"), ("○◇", "o"), ("█■", "#"), ("░□", "."), ("·", "-"),
            ("…", "~"), ("✓", "+"), ("✗", "x"), ("▲", "!"), ("’“”«»", "'"), ("\u{A0}", " "),
            ("éèêë", "e"), ("àâ", "a"), ("îï", "i"), ("ôö", "o"), ("ùûü", "u"), ("ç", "c"), ("É", "E"), ("À", "A"),
        ]
        var table: [Character: Character] = [:]
        for (characters, substitute) in pairs {
            for character in characters { table[character] = substitute }
        }
        return table
    }()
}
