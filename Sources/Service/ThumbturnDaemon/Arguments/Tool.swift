import CVersion

/// The program, as its help names it.
enum Tool {
    static let name = "thumbturnd"
    /// The contents of the file VERSION at build time.
    static let version = unsafe String(cString: version_text()).split(separator: "\n").joined()
}
