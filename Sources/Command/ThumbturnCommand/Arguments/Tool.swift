import CVersion

/// The program, as its help names it.
enum Tool {
    static let name = "thumbturn"
    /// The contents of the file VERSION at build time.
    static let version = unsafe String(cString: version_text()).split(separator: "\n").joined()
    /// The release date, as shown by the man page.
    static let date = "2026-11-26"
}
