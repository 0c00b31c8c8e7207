package import ThumbturnRules

/// Something the owner is asked for.
package struct Question: Sendable {
    /// What is asked for, as it stands before the answer.
    package let label: Words
    /// The most bytes of an answer.
    package let limit: Int
    /// What a longer answer is.
    package let tooLong: ErrorCode
    /// Whether the terminal hides the answer.
    package var isHidden: Bool
    /// Whether any bytes are an answer: then nothing else shows that a line was only the first of several.
    package var isAnyBytes: Bool

    /// Asks for something.
    package init(label: Words, limit: Int, tooLong: ErrorCode, isHidden: Bool = true, isAnyBytes: Bool = false) {
        (self.label, self.limit, self.tooLong) = (label, limit, tooLong)
        (self.isHidden, self.isAnyBytes) = (isHidden, isAnyBytes)
    }

    /// The same for an answer of several lines.
    package var untilEnd: Question {
        Question(
            label: label + Words(" (Control-D on a line of its own ends it)", " (Ctrl-D seul sur une ligne termine)"),
            limit: limit,
            tooLong: tooLong
        )
    }

    /// A question whose answer is the owner's consent.
    package static func consent(to label: Words) -> Question {
        Question(label: label, limit: 64, tooLong: .consentMissing, isHidden: false)
    }
}
