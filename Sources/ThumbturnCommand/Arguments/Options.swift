/// The options that every command takes, before or after its name.
struct Options: Hashable, Sendable {
    /// `--vault DIR`
    var vault: String?
    /// `--json`
    var json = false
    /// `--secret-fd N`
    var secretDescriptor: Int32?
}
