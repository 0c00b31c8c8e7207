import ThumbturnRules

/// What a failure of fprintd, or on the way to it, means; the one table from its answers to ours.
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
        case .disconnected, .noAnswer: self.init(.unavailable, .temporarilyUnavailable)
        case .malformed: self.init(.unclassified, .temporarilyUnavailable)
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
            self.init(.unavailable, .permissionDenied)
        // Busy, out of order, pulled out after it was listed, or not to be started.
        case "net.reactivated.Fprint.Error.AlreadyInUse", "net.reactivated.Fprint.Error.Internal",
            "net.reactivated.Fprint.Error.ClaimDevice", "org.freedesktop.DBus.Error.UnknownObject",
            "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.TimedOut":
            self.init(.unavailable, .temporarilyUnavailable)
        case _ where name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") || name.hasPrefix("org.freedesktop.systemd1."):
            self.init(.unavailable, .temporarilyUnavailable)
        default: self.init(.unclassified, .temporarilyUnavailable)
        }
    }
}
