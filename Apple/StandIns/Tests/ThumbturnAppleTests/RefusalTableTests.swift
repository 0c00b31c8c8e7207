import LocalAuthentication
import Security
import Testing
import ThumbturnRules

@testable import ThumbturnApple

@Suite("Apple's codes in our words")
struct RefusalTableTests {
    private static let evaluations: [(Int, DeviceRefusal)] = [
        (-1, .notRecognised), (-2, .cancelledByUser(afterMismatch: false)), (-3, .fallbackChosen),
        (-4, .cancelledBySystem), (-5, .notEnrolled), (-6, .hardwareMissing), (-7, .notEnrolled), (-8, .lockedOut),
        (-9, .cancelledBySystem), (-10, .readerFailed(afterMismatch: false)), (-11, .unclassified),
        (-14, .unclassified),
        (-1004, .cancelledBySystem), (-4_711, .unclassified),
    ]

    @Test("each LAError has its own refusal, and an unknown one is unclassified", .holds("C7"), arguments: evaluations)
    func evaluation(code: Int, refusal: DeviceRefusal) throws {
        let told = DeviceRefusal(try #require(LAError.Code(rawValue: code)))
        #expect(told == refusal && told.underlying == UnderlyingCode(.localAuthentication, code))
    }

    private static let statuses: [(OSStatus, DeviceRefusal)] = [
        (-128, .cancelledByUser(afterMismatch: false)), (-25291, .unavailable), (-25300, .absent),
        (-25308, .unavailable), (-25315, .unavailable), (-25320, .unavailable), (-26275, .revoked),
        (-34018, .unavailable), (-25299, .unclassified), (-25293, .unclassified), (-50, .unclassified),
        (-26276, .unclassified), (-4, .unclassified), (-4_711, .unclassified),
    ]

    @Test("each OSStatus has its refusal, and an unknown one is never absence", .holds("A25"), arguments: statuses)
    func status(code: OSStatus, refusal: DeviceRefusal) {
        let told = DeviceRefusal(KeychainFailure(status: code))
        #expect(told == refusal && told.underlying == UnderlyingCode(.osStatus, code))
    }

    private static let reasons: [(Int, BiometricCapability.BiometryType, BiometricCapability.Reason)] = [
        (-5, .faceID, .noPasscode), (-7, .touchID, .notEnrolled), (-8, .faceID, .lockedOut), (-6, .none, .noHardware),
        (-6, .faceID, .permissionDenied), (-1004, .faceID, .temporarilyUnavailable),
        (-4_711, .touchID, .temporarilyUnavailable),
    ]

    @Test(
        "one code stands for no sensor and for a refused one, and the type tells them apart",
        .holds("F-107-01"),
        arguments: reasons
    )
    func reason(code: Int, sensor: BiometricCapability.BiometryType, reason: BiometricCapability.Reason) throws {
        #expect(BiometricCapability.Reason(try #require(LAError.Code(rawValue: code)), sensor: sensor) == reason)
    }

    @Test func `what is not LocalAuthentication's error is a service that was lost, whatever its number`() {
        struct Other: Error {}
        #expect(DeviceRefusal(LAError.Code(reported: Other())) == .readerFailed(afterMismatch: false))
    }

    private static let sensors: [(LABiometryType, BiometricCapability.BiometryType)] = [
        (.none, .none), (.touchID, .touchID), (.faceID, .faceID), (.opticID, .faceID),
    ]

    @Test("an iris is shown as a face is", .holds("F-107-01"), arguments: sensors)
    func sensor(type: LABiometryType, ours: BiometricCapability.BiometryType) {
        #expect(BiometricCapability.BiometryType(type) == ours)
    }
}
