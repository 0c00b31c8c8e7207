package import ThumbturnConsole

/// A program that a test needs to end well, and that did not: all that it said.
package struct EndedBadly: Error {
    /// How it ended, and what it printed.
    package let child: ChildProcess
}

extension ChildProcess {
    /// The run itself, for a test that goes on only if it ended well.
    ///
    /// - Throws: how it ended and what it printed: an exit code alone says nothing of a failure that comes once in a thousand
    ///   runs.
    @discardableResult
    package func succeeding() throws(EndedBadly) -> Self {
        guard exitCode == 0 else { throw EndedBadly(child: self) }
        return self
    }
}
