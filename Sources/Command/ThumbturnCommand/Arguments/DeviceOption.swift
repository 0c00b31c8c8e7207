import Thumbturn
import ThumbturnConsole

enum DeviceOption: String, Hashable, Sendable, CaseIterable {
    /// A TPM if one can be used, else files.
    case linux
    /// Files, even if there is a TPM.
    case files
    case simulated

    /// The device kind that a vault created on it records.
    var kind: DeviceKind {
        switch self {
        case .linux, .files: .linux
        case .simulated: .simulated
        }
    }

    /// The devices that this build has besides the simulated one.
    static var kinds: Set<DeviceKind> {
        #if canImport(ThumbturnLinux)
        [.linux]
        #else
        []
        #endif
    }

    /// Chooses the device for a command when no stored vault names one.
    ///
    /// The simulated device protects nothing, so it is used only when the user asks for it.
    ///
    /// - Parameters:
    ///   - asked: the value of `--device`.
    ///   - kinds: the devices other than the simulated one.
    /// - Throws: `.storageUnavailable`, with what to type, if this build has no such device.
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
                "Cette version n'a aucun appareil qui garde des clés."
            ),
            hint: Words(
                "to try things out: --device simulated, which protects nothing",
                "pour essayer : --device simulated, qui ne protège rien"
            )
        )
    }
}
