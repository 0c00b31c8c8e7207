/// What a command says to do next, in words of its own.
package struct Hints: Sendable {
    /// A text whose commands, which stand between backticks, are as they have to be typed here.
    package let complete: @Sendable (Words) -> Words
    /// What to do about a failure, in one line.
    package let hint: @Sendable (Failure) -> Words
    /// What to do where the work may be done, and its answer could not be written.
    package let unwritten: Words

    /// Words for what may happen.
    package init(
        unwritten: Words,
        complete: @escaping @Sendable (Words) -> Words,
        hint: @escaping @Sendable (Failure) -> Words
    ) {
        (self.complete, self.hint, self.unwritten) = (complete, hint, unwritten)
    }
}
