/// What a command says to do next, in words of its own.
package struct Hints: Sendable {
    /// A text whose commands, which stand between backticks, are as they have to be typed here.
    package let complete: @Sendable (Text) -> Text
    /// What to do about a failure, in one line.
    package let hint: @Sendable (Failure) -> Text
    /// What to do where the work may be done, and its answer could not be written.
    package let unwritten: Text

    /// Words for what may happen.
    package init(
        unwritten: Text,
        complete: @escaping @Sendable (Text) -> Text,
        hint: @escaping @Sendable (Failure) -> Text
    ) {
        (self.complete, self.hint, self.unwritten) = (complete, hint, unwritten)
    }
}
