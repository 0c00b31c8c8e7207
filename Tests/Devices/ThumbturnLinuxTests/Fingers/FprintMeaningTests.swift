import Testing
import ThumbturnRules

@testable import ThumbturnLinux

struct FprintMeaningTests {
    private static let failed = DeviceRefusal.readerFailed(afterMismatch: false)

    @Test(
        .holds("B-03"),
        arguments: [
            (.disconnected, failed, .temporarilyUnavailable), (.noAnswer, failed, .temporarilyUnavailable),
            (.malformed, failed, .temporarilyUnavailable), (.untrusted, .hardwareMissing, .noHardware),
            (.refused("net.reactivated.Fprint.Error.NoSuchDevice"), .hardwareMissing, .noHardware),
            (.refused("org.freedesktop.DBus.Error.ServiceUnknown"), .hardwareMissing, .noHardware),
            (.refused("net.reactivated.Fprint.Error.NoEnrolledPrints"), .notEnrolled, .notEnrolled),
            (.refused("net.reactivated.Fprint.Error.PermissionDenied"), failed, .permissionDenied),
            (.refused("org.freedesktop.DBus.Error.AccessDenied"), failed, .permissionDenied),
            (.refused("net.reactivated.Fprint.Error.AlreadyInUse"), failed, .temporarilyUnavailable),
            (.refused("net.reactivated.Fprint.Error.Internal"), failed, .temporarilyUnavailable),
            (.refused("org.freedesktop.DBus.Error.Spawn.ExecFailed"), failed, .temporarilyUnavailable),
            (.refused("org.freedesktop.systemd1.UnitMasked"), failed, .temporarilyUnavailable),
            (.refused("net.reactivated.Fprint.Error.New"), failed, .temporarilyUnavailable),
            (.refused(""), failed, .temporarilyUnavailable),
        ] as [(BusFailure, DeviceRefusal, BiometricCapability.Reason)]
    )
    func `each failure has one meaning, and one of no table is a reader that failed`(
        failure: BusFailure,
        refusal: DeviceRefusal,
        reason: BiometricCapability.Reason
    ) {
        #expect(FprintMeaning(failure).refusal == refusal)
        #expect(FprintMeaning(failure).reason == reason)
    }
}
