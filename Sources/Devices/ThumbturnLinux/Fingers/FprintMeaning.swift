import ThumbturnRules

/// What a failure of fprintd, or on the way to it, means; the one table from its answers to ours.
///
/// What the table does not list is a failure of the service too: whatever it says, it knows nothing of the item.
struct FprintMeaning: Hashable {
    /// Why a prompt gave nothing.
    let refusal: DeviceRefusal
    /// Why the reader can't be used.
    let reason: BiometricCapability.Reason

    private init(_ refusal: DeviceRefusal, _ reason: BiometricCapability.Reason) {
        (self.refusal, self.reason) = (refusal, reason)
    }

    init(_ failure: BusFailure) {
        switch failure {
        case .disconnected, .noAnswer, .malformed: self = .failed(.temporarilyUnavailable)
        // Something else than the system's service has its name, so that service is missing.
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
        // polkit grants it to the session in front; what is refused now may be granted in a moment.
        case "net.reactivated.Fprint.Error.PermissionDenied", "org.freedesktop.DBus.Error.AccessDenied":
            self = .failed(.permissionDenied)
        // Busy, out of order, pulled out after it was listed, or not to be started: `AlreadyInUse`, `Internal`,
        // `ClaimDevice`, `UnknownObject`, `Spawn.ExecFailed`, systemd's `UnitMasked`, …
        default: self = .failed(.temporarilyUnavailable)
        }
    }

    private static func failed(_ reason: BiometricCapability.Reason) -> FprintMeaning {
        FprintMeaning(.readerFailed(afterMismatch: false), reason)
    }
}
