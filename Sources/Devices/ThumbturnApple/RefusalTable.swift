import LocalAuthentication
import Security
import ThumbturnRules

// The one table from Apple's codes to ours. A code that it does not list requires the strong factor.

extension DeviceRefusal {
    /// Maps the code of a failed evaluation.
    init(_ code: LAError.Code) {
        let meaning: Meaning
        switch code {
        // The system does not report an earlier mismatch of a finger or face (C7); it counts them itself.
        case .userCancel: meaning = .cancelledByUser(afterMismatch: false)
        case .userFallback: meaning = .fallbackChosen
        // A call, the background, another prompt, our own `invalidate`, or the app is not in front.
        case .systemCancel, .appCancel, .notInteractive: meaning = .cancelledBySystem
        case .authenticationFailed: meaning = .notRecognised
        case .biometryLockout: meaning = .lockedOut
        // Without a passcode there can be no enrolment.
        case .biometryNotEnrolled, .passcodeNotSet: meaning = .notEnrolled
        // To this app, a denied sensor does not exist.
        case .biometryNotAvailable: meaning = .hardwareMissing
        #if os(macOS)
        case .biometryNotPaired: meaning = .hardwareMissing
        // A keyboard out of reach, or a closed lid.
        case .biometryDisconnected: meaning = .readerFailed(afterMismatch: false)
        #endif
        // The service behind it ended, also for a new context.
        case .invalidContext: meaning = .readerFailed(afterMismatch: false)
        default: meaning = .unclassified
        }
        self.init(meaning, underlying: UnderlyingCode(.localAuthentication, code.rawValue))
    }

    /// Maps a failed keychain call that needed no owner.
    ///
    /// `errSecAuthFailed` means almost any refusal of an owner, so a guarded read only uses this after a successful
    /// evaluation.
    init(_ failure: KeychainFailure) {
        let meaning: Meaning
        switch failure.status {
        case errSecItemNotFound: meaning = .absent
        case errSecUserCanceled: meaning = .cancelledByUser(afterMismatch: false)
        // The device is locked, was not unlocked since it booted, or the daemon does not answer.
        case errSecInteractionNotAllowed, errSecInteractionRequired, errSecInDarkWake, errSecNotAvailable:
            meaning = .unavailable
        // The state of the item is unknown: it may exist or not.
        case errSecMissingEntitlement: meaning = .unavailable
        case errSecDecode: meaning = .revoked
        default: meaning = .unclassified
        }
        self.init(meaning, underlying: failure.code)
    }
}

extension BiometricCapability.Reason {
    /// Maps why biometrics can't be evaluated; the system has one code for a missing and for a denied sensor.
    init(_ code: LAError.Code, sensor: BiometricCapability.BiometryType) {
        switch code {
        case .passcodeNotSet: self = .noPasscode
        case .biometryNotEnrolled: self = .notEnrolled
        case .biometryLockout: self = .lockedOut
        case .biometryNotAvailable: self = sensor == .none ? .noHardware : .permissionDenied
        #if os(macOS)
        case .biometryNotPaired: self = .noHardware
        #endif
        default: self = .temporarilyUnavailable
        }
    }
}

extension BiometricCapability.BiometryType {
    init(_ type: LABiometryType) {
        switch type {
        case .none: self = .none
        case .touchID: self = .touchID
        // Treat an iris like a face: a camera that looks at the owner.
        default: self = .faceID
        }
    }
}
