extension String {
    /// Breaks long lines between words.
    ///
    /// A line that fits stays unchanged. A word longer than a line gets its own line. A command between backticks is
    /// not broken: a user who copies it would run half of it. French punctuation stays with its word.
    ///
    /// - Parameters:
    ///   - width: the maximum number of columns of a line.
    ///   - indent: the additional indentation of continuation lines.
    ///   - breakingCommands: whether to break a command longer than a line anyway, if it can't be copied.
    package func wrapped(to width: Int, indent: Int = 0, breakingCommands: Bool = false) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { Wrapping.wrap($0, width, indent, breakingCommands) }.joined(separator: "\n")
    }

    /// Returns the wrapped text as lines.
    package func lines(of width: Int, breakingCommands: Bool = false) -> [String] {
        wrapped(to: width, breakingCommands: breakingCommands).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }
}

private enum Wrapping {
    /// An unbreakable piece of text and the spaces before it.
    struct Piece {
        var gap: Int
        var text: String
    }

    static func wrap(_ line: Substring, _ width: Int, _ indent: Int, _ breakingCommands: Bool) -> String {
        guard columns(of: line) > width else { return String(line) }
        let margin = line.prefix { $0 == " " }
        let next = margin + String(repeating: " ", count: indent)
        var lines: [String] = []
        var text = String(margin)
        var isEmpty = true
        for piece in pieces(of: line.dropFirst(margin.count), breakingCommands ? width - next.count : nil) {
            let gap = String(repeating: " ", count: piece.gap)
            if !isEmpty, columns(of: text) + piece.gap + columns(of: piece.text) > width {
                lines.append(text)
                text = next + piece.text
            } else {
                text += (isEmpty ? "" : gap) + piece.text
            }
            isEmpty = false
        }
        return (lines + [text]).joined(separator: "\n")
    }

    /// - Parameter most: the number of columns beyond which a command is broken.
    private static func pieces(of line: Substring, _ most: Int?) -> [Piece] {
        var pieces: [Piece] = []
        var gap = 0
        var isCommand = false
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            guard !word.isEmpty else {
                gap += 1
                continue
            }
            if let last = pieces.indices.last, isCommand || belong(pieces[last].text, word) {
                pieces[last].text += String(repeating: " ", count: gap) + word
            } else {
                pieces.append(Piece(gap: gap, text: String(word)))
            }
            if word.count(where: { $0 == "`" }) % 2 == 1 { isCommand.toggle() }
            gap = 1
        }
        guard let most else { return pieces }
        return pieces.flatMap { piece in
            guard columns(of: piece.text) > most else { return [piece] }
            let words = piece.text.split(separator: " ").map { Piece(gap: 1, text: String($0)) }
            return words.enumerated().map { Piece(gap: $0 == 0 ? piece.gap : 1, text: $1.text) }
        }
    }

    /// Returns whether French punctuation belongs to the adjacent word.
    private static func belong(_ former: String, _ word: Substring) -> Bool {
        [";", ":", "?", "!", "»"].contains(word.prefix(1)) || former.hasSuffix("«")
    }

    /// Returns the number of visible columns: colour sequences take none.
    private static func columns(of text: some StringProtocol) -> Int {
        guard text.contains("\u{1B}") else { return text.columns }
        var shown = Substring(text)
        var count = 0
        while let escape = shown.firstIndex(of: "\u{1B}") {
            count += shown[..<escape].columns
            shown = shown[escape...].drop { $0 != "m" }.dropFirst()
        }
        return count + shown.columns
    }
}
