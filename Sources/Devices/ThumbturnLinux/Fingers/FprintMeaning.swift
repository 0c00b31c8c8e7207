import ThumbturnRules

/// Maps a failure of fprintd, or of the bus, to our refusals; the one table for that.
///
/// An error that the table does not list is a failure of the service too: it says nothing about the item.
struct FprintMeaning: Hashable {
    /// Why a prompt failed.
    let refusal: DeviceRefusal
    /// Why the reader can't be used.
    let reason: BiometricCapability.Reason

    private init(_ refusal: DeviceRefusal, _ reason: BiometricCapability.Reason) {
        (self.refusal, self.reason) = (refusal, reason)
    }

    init(_ failure: BusFailure) {
        switch failure {
        case .disconnected, .noAnswer, .malformed: self = .failed(.temporarilyUnavailable)
        // A process other than the system's service owns its name, so that service is missing.
        case .untrusted: self.init(.hardwareMissing, .noHardware)
        case .refused(let name): self.init(errorName: name)
        }
    }

    private init(errorName name: String) {
        switch name {
        case "net.reactivated.Fprint.Error.NoSuchDevice", "org.freedesktop.DBus.Error.ServiceUnknown",
            "org.freedesktop.DBus.Error.NameHasNoOwner":
            self.init(.hardwareMissing, .noHardware)
        case "net.reactivated.Fprint.Error.NoEnrolledPrints": self.init(.notEnrolled, .notEnrolled)
        // polkit grants access to the active session; what is refused now may be granted in a moment.
        case "net.reactivated.Fprint.Error.PermissionDenied", "org.freedesktop.DBus.Error.AccessDenied":
            self = .failed(.permissionDenied)
        // Busy, out of order, unplugged after it was listed, or failed to start: `AlreadyInUse`, `Internal`,
        // `ClaimDevice`, `UnknownObject`, `Spawn.ExecFailed`, systemd's `UnitMasked`, …
        default: self = .failed(.temporarilyUnavailable)
        }
    }

    private static func failed(_ reason: BiometricCapability.Reason) -> FprintMeaning {
        FprintMeaning(.readerFailed(afterMismatch: false), reason)
    }
}
