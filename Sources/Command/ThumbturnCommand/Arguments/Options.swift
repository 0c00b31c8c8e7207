import Thumbturn
import ThumbturnConsole

/// The options that every command takes, before or after its name.
struct Options: Hashable, Sendable {
    /// The folder after `--vault`.
    var vault: String?
    var device: DeviceOption?
    var requiresHardware = false
    var json = false
    /// The number after `--secret-fd`.
    var secretDescriptor: Int32?

    /// The syntax of these options.
    static let forms: [any OptionForm] = [
        Option.vault, Option.device, Option.require, Option.json, Option.secretDescriptor,
    ]
}

extension Options {
    init(_ given: GivenOptions) throws(Failure) {
        json = given[.json]
        vault = try given[.vault]
        secretDescriptor = try given[.secretDescriptor]
        device = try given[.device]
        requiresHardware = try given[.require] == .hardware
    }
}
