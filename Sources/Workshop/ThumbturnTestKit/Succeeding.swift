package import ThumbturnConsole

/// A program that a test needs to succeed has failed.
package struct EndedBadly: Error {
    /// Its result and output.
    package let child: ChildProcess
}

extension ChildProcess {
    /// Returns the result, for a test that continues only if the program succeeded.
    ///
    /// - Throws: the result with all output: an exit code alone does not explain a failure that occurs once in a
    ///   thousand runs.
    @discardableResult
    package func succeeding() throws(EndedBadly) -> Self {
        guard exitCode == 0 else { throw EndedBadly(child: self) }
        return self
    }
}
