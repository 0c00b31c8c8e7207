/// Quotes words for a shell.
package enum Shell {
    /// Returns a word quoted for a POSIX shell.
    package static func quoted(_ word: String) -> String {
        guard word.isEmpty || !word.utf8.allSatisfy(plain.contains) else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Returns a quoted operand, protected from being read as an option if it starts with a dash.
    package static func operand(_ word: String) -> String { (word.hasPrefix("-") ? "-- " : "") + quoted(word) }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-".utf8)
}
