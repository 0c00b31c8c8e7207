import Testing
import ThumbturnBase
import ThumbturnRules

/// What each refusal of a device means at each call.
@Suite struct DeviceCallTests {
    private static let cancelled: [DeviceRefusal] = [
        .cancelledByUser(afterMismatch: false), .cancelledByUser(afterMismatch: true), .cancelledBySystem,
    ]
    private static let others: [DeviceRefusal] = [
        .fallbackChosen, .notRecognised, .lockedOut, .notEnrolled, .revoked, .unavailable, .hardwareMissing, .absent,
        .weakerThanAsked, .wrongAuthorisation, .unclassified, .readerFailed(afterMismatch: false),
        .readerFailed(afterMismatch: true), .damaged, .proofNotAccepted,
    ]

    private func codes(_ refusals: [DeviceRefusal], at call: DeviceCall) -> [ErrorCode] {
        refusals.map { VaultError($0, at: call).code }
    }

    @Test(
        arguments: [
            (.errand("anchor"), .storageUnavailable), (.storeBiometricSecret, .biometricsNotStored),
            (.storeSystemSecret, .storageUnavailable), (.useDeviceSecret, .storageUnavailable),
            (.eraseLegacy, .legacyNotErased),
        ] as [(DeviceCall, ErrorCode)]
    )
    func `what no prompt is shown for fails in one way, but for what its call can tell`(
        call: DeviceCall,
        code: ErrorCode
    ) {
        let told: [DeviceRefusal: ErrorCode] =
            switch call {
            case .storeBiometricSecret: [.weakerThanAsked: .protectionDropped]
            case .storeSystemSecret: [.weakerThanAsked: .protectionDropped, .notEnrolled: .passcodeMissing]
            case .useDeviceSecret: [.lockedOut: .attemptDelayed, .absent: .keyMissing, .damaged: .keyMissing]
            case .errand, .makeDeviceSecret, .eraseLegacy, .readCredentials, .storeCredentials: [:]
            }
        for refusal in Self.cancelled + Self.others {
            #expect(VaultError(refusal, at: call).code == told[refusal] ?? code, "\(refusal)")
        }
    }

    @Test(.holds("V-04")) func `each situation of a credential keeps a code of its own`() {
        #expect(Set(codes(Self.cancelled, at: .readCredentials)) == [.promptCancelled])
        #expect(Set(codes(Self.cancelled, at: .storeCredentials)) == [.promptCancelled])
        #expect(
            codes(Self.others, at: .readCredentials) == [
                .promptCancelled, .biometricsNotRecognised, .credentialsUnavailable, .credentialsUnavailable,
                .biometricsChanged, .storageUnavailable, .credentialsUnavailable, .biometricsChanged,
                .credentialsNotRead, .credentialsNotRead, .credentialsNotRead, .credentialsUnavailable,
                .credentialsUnavailable, .credentialsNotRead, .proofNotAccepted,
            ]
        )
        #expect(
            codes(Self.others, at: .storeCredentials) == [
                .promptCancelled, .biometricsNotRecognised, .credentialsUnavailable, .credentialsUnavailable,
                .credentialsNotStored, .credentialsNotStored, .credentialsUnavailable, .credentialsNotStored,
                .protectionDropped, .credentialsNotStored, .credentialsNotStored, .credentialsUnavailable,
                .credentialsUnavailable, .credentialsNotStored, .proofNotAccepted,
            ]
        )
    }

    @Test(.holds("A32")) func `a device secret is made for nobody's PIN: what is refused is storage, or kept worse`() {
        #expect(
            codes(Self.others, at: .makeDeviceSecret) == [
                .storageUnavailable, .storageUnavailable, .attemptDelayed, .storageUnavailable, .storageUnavailable,
                .storageUnavailable, .storageUnavailable, .storageUnavailable, .protectionDropped,
                .storageUnavailable, .storageUnavailable, .storageUnavailable, .storageUnavailable, .storageUnavailable,
                .storageUnavailable,
            ]
        )
    }

    @Test func `a log is told who was asked, and what the device said`() {
        #expect(VaultError(.unavailable, at: .errand("anchor")).diagnostic == "anchor: unavailable")
        #expect(VaultError(.absent, at: .useDeviceSecret).diagnostic == "device: absent")
    }
}
