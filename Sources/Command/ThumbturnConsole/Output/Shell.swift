/// Words for a shell.
package enum Shell {
    /// A word as a POSIX shell takes it for one.
    package static func quoted(_ word: String) -> String {
        guard word.isEmpty || !word.utf8.allSatisfy(plain.contains) else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The same for a name that may begin with a dash, which would make an option of it.
    package static func operand(_ word: String) -> String { (word.hasPrefix("-") ? "-- " : "") + quoted(word) }

    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-".utf8
    )
}
