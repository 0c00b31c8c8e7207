/// Words for a shell.
package enum Shell {
    /// A word as a POSIX shell takes it for one.
    package static func quoted(_ word: String) -> String {
        guard word.isEmpty || !word.utf8.allSatisfy(plain.contains) else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-".utf8
    )
}
