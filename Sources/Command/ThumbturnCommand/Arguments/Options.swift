import Thumbturn
import ThumbturnConsole

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

    /// How they are written.
    static let forms: [any OptionForm] = [
        Option.vault, Option.device, Option.require, Option.json, Option.secretDescriptor,
    ]
}

extension Options {
    /// Those that were given.
    init(_ given: GivenOptions) throws(Failure) {
        json = given[.json]
        vault = try given[.vault]
        secretDescriptor = try given[.secretDescriptor]
        device = try given[.device]
        requiresHardware = try given[.require] == .hardware
    }
}
