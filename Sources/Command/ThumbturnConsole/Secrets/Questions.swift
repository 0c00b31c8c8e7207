/// The questions answered by the lines of `--secret-fd`, in order, and the input that follows them.
package struct Questions: Sendable {
    /// The input after the answers.
    package enum Following: Sendable {
        /// Nothing: an extra line refuses all of them.
        case nothing
        /// Lines that are read while the command works.
        case moreLines
        /// A secret of several lines, read unchanged.
        case rest(Question)
    }

    /// The question for each line.
    package var lines: [Question]
    /// The input after the lines.
    package var following: Following

    /// Whether standard input is used for something else, so that the terminal has to be opened separately.
    package var leavesStandardInput = false

    /// The number of questions to ask at the terminal if standard input is no terminal and holds the other answers;
    /// `nil` if standard input is not read that way.
    package var askedFirst: Int?

    /// Whether any input is expected.
    package var asks: Bool {
        if case .nothing = following { return !lines.isEmpty }
        return true
    }

    /// Creates questions, and what follows them.
    package init(_ lines: Question..., then following: Following = .nothing) {
        (self.lines, self.following) = (lines, following)
    }

    /// The questions that standard input answers if it is no terminal.
    var piped: Questions? {
        guard let askedFirst else { return nil }
        var piped = self
        piped.lines = Array(lines.dropFirst(askedFirst))
        return piped
    }
}
