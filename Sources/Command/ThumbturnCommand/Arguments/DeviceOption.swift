import Thumbturn
import ThumbturnConsole

/// What `--device` may name.
enum DeviceOption: String, Hashable, Sendable, CaseIterable {
    /// A TPM where one can be used, else files.
    case linux
    /// Files, whatever else there is.
    case files
    case simulated

    /// What a vault on it says that it was made on.
    var kind: DeviceKind { self == .simulated ? .simulated : .linux }

    /// The devices that this build has besides the simulated one.
    static var kinds: Set<DeviceKind> {
        #if canImport(ThumbturnLinux)
        [.linux]
        #else
        []
        #endif
    }

    /// What a command works with where nothing that is stored says it.
    ///
    /// The simulated device protects nothing, so nobody gets it who did not ask for it.
    ///
    /// - Parameters:
    ///   - asked: what stands after `--device`.
    ///   - kinds: the devices besides the simulated one.
    /// - Throws: `.storageUnavailable`, with what to type, where there is no such device.
    static func chosen(_ asked: DeviceOption?, among kinds: Set<DeviceKind>) throws(Failure) -> DeviceOption {
        let option = asked ?? .linux
        if option == .simulated || kinds.contains(option.kind) { return option }
        guard asked == nil else {
            throw Failure(
                .storageUnavailable,
                Words("that device is not in this build", "cet appareil n'est pas dans cette version"),
                hint: Words("use --device simulated", "utilisez --device simulated")
            )
        }
        throw Failure(
            .storageUnavailable,
            statement: Words(
                "This build has no device that guards keys.",
                "Cette version n'a pas d'appareil qui garde des clés."
            ),
            hint: Words(
                "to try things out: --device simulated, which protects nothing",
                "pour essayer : --device simulated, qui ne protège rien"
            )
        )
    }
}
