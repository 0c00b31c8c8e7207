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

    /// Whether all that comes behind the lines is one secret.
    package var takesRest: Bool {
        if case .rest = following { true } else { false }
    }

    /// Lines, and what follows them.
    package init(_ lines: Question..., then following: Following = .nothing) {
        (self.lines, self.following) = (lines, following)
    }
}
