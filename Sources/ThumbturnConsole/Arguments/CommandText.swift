package import ThumbturnRules

/// What help says of a command.
package struct CommandText: Sendable {
    let summary: Words
    let secrets: [Words]
    let more: Words?

    /// Explains a command.
    ///
    /// - Parameters:
    ///   - summary: what it does, in one line.
    ///   - secrets: the lines that `--secret-fd` wants, in order.
    ///   - more: what else is to be known.
    package init(_ summary: Words, secrets: [Words] = [], more: Words? = nil) {
        (self.summary, self.secrets, self.more) = (summary, secrets, more)
    }
}
