package import ThumbturnRules

/// A question for the owner.
package struct Question: Sendable {
    /// The text shown before the answer.
    package let label: Words
    /// The maximum number of bytes of an answer.
    package let limit: Int
    /// The error code for a longer answer.
    package let tooLong: ErrorCode
    /// Whether the terminal hides the answer.
    package var isHidden: Bool
    /// Whether any bytes are a valid answer, so that nothing else shows that a line was only the first of several.
    package var isAnyBytes: Bool

    /// Creates a question.
    package init(label: Words, limit: Int, tooLong: ErrorCode, isHidden: Bool = true, isAnyBytes: Bool = false) {
        (self.label, self.limit, self.tooLong) = (label, limit, tooLong)
        (self.isHidden, self.isAnyBytes) = (isHidden, isAnyBytes)
    }

    /// The same question for an answer of several lines.
    package var untilEnd: Question {
        Question(
            label: label
                + Words(" (end with Control-D on a line of its own)", " (terminez par Ctrl-D seul sur une ligne)"),
            limit: limit,
            tooLong: tooLong
        )
    }

    /// Returns a question that asks for the owner's consent.
    package static func consent(to label: Words) -> Question {
        Question(label: label, limit: 64, tooLong: .consentMissing, isHidden: false)
    }
}
