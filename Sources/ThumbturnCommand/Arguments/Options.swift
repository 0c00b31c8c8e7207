import Thumbturn

/// The options that every command takes, before or after its name.
struct Options: Hashable, Sendable {
    /// The folder after `--vault`.
    var vault: String?
    /// What stands after `--device`.
    var device: DeviceOption?
    /// Whether `--require hardware` is there.
    var requiresHardware = false
    /// Whether `--json` is there.
    var json = false
    /// The number after `--secret-fd`.
    var secretDescriptor: Int32?
}
