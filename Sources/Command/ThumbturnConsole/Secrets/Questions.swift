/// What the lines of `--secret-fd` answer, in order, and what comes behind them.
package struct Questions: Sendable {
    /// What comes behind the lines.
    package enum Following: Sendable {
        /// Nothing: one line more refuses all of them.
        case nothing
        /// Lines that are read while the command works.
        case moreLines
        /// A secret of several lines, as it is.
        case rest(Question)
    }

    /// What each line answers.
    package var lines: [Question]
    /// What comes behind them.
    package var following: Following

    /// Whether standard input is something else, so that a terminal is looked for elsewhere.
    package var leavesStandardInput = false

    /// How many of the lines are asked for at the terminal where standard input, which is none then, holds the others and what
    /// follows; nil where nothing comes that way.
    package var askedFirst: Int?

    /// Whether anything is asked for.
    package var asks: Bool {
        if case .nothing = following { return !lines.isEmpty }
        return true
    }

    /// Lines, and what follows them.
    package init(_ lines: Question..., then following: Following = .nothing) {
        (self.lines, self.following) = (lines, following)
    }

    /// What standard input holds where it is no terminal.
    var piped: Questions? {
        guard let askedFirst else { return nil }
        var piped = self
        piped.lines = Array(lines.dropFirst(askedFirst))
        return piped
    }
}
