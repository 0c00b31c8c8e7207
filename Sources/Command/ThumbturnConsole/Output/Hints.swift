/// The program's own advice on what to do next.
package struct Hints: Sendable {
    /// Completes the commands in a text, which are between backticks, so that they work when typed here.
    package let complete: @Sendable (Words) -> Words
    /// Returns what to do about a failure, in one line.
    package let hint: @Sendable (Failure) -> Words
    /// What to do if the work may be done but its result could not be written.
    package let unwritten: Words

    /// Creates hints.
    package init(
        unwritten: Words,
        complete: @escaping @Sendable (Words) -> Words,
        hint: @escaping @Sendable (Failure) -> Words
    ) {
        (self.complete, self.hint, self.unwritten) = (complete, hint, unwritten)
    }
}
