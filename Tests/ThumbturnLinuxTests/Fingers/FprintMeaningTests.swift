import Testing
import ThumbturnRules

@testable import ThumbturnLinux

struct FprintMeaningTests {
    @Test(
        arguments: [
            (.disconnected, .unavailable, .temporarilyUnavailable), (.noAnswer, .unavailable, .temporarilyUnavailable),
            (.malformed, .unclassified, .temporarilyUnavailable), (.untrusted, .hardwareMissing, .noHardware),
            (.refused("net.reactivated.Fprint.Error.NoSuchDevice"), .hardwareMissing, .noHardware),
            (.refused("org.freedesktop.DBus.Error.ServiceUnknown"), .hardwareMissing, .noHardware),
            (.refused("net.reactivated.Fprint.Error.NoEnrolledPrints"), .notEnrolled, .notEnrolled),
            (.refused("net.reactivated.Fprint.Error.PermissionDenied"), .unavailable, .permissionDenied),
            (.refused("org.freedesktop.DBus.Error.AccessDenied"), .unavailable, .permissionDenied),
            (.refused("net.reactivated.Fprint.Error.AlreadyInUse"), .unavailable, .temporarilyUnavailable),
            (.refused("net.reactivated.Fprint.Error.Internal"), .unavailable, .temporarilyUnavailable),
            (.refused("org.freedesktop.DBus.Error.Spawn.ExecFailed"), .unavailable, .temporarilyUnavailable),
            (.refused("org.freedesktop.systemd1.UnitMasked"), .unavailable, .temporarilyUnavailable),
            (.refused("net.reactivated.Fprint.Error.New"), .unclassified, .temporarilyUnavailable),
            (.refused(""), .unclassified, .temporarilyUnavailable),
        ] as [(BusFailure, DeviceRefusal, BiometricCapability.Reason)]
    )
    func `each failure has one meaning, and one of no table ends in the strong factor`(
        failure: BusFailure,
        refusal: DeviceRefusal,
        reason: BiometricCapability.Reason
    ) {
        #expect(FprintMeaning(failure).refusal == refusal)
        #expect(FprintMeaning(failure).reason == reason)
    }
}
