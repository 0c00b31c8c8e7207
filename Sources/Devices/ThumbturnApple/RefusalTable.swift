import LocalAuthentication
import Security
import ThumbturnRules

// The one table from Apple's codes to ours. What it does not list ends in the strong factor.

extension DeviceRefusal {
    /// What an evaluation that failed means.
    init(_ code: LAError.Code) {
        switch code {
        // The system does not say whether a finger or face had failed before (C7); it counts for itself.
        case .userCancel: self = .cancelledByUser(afterMismatch: false)
        case .userFallback: self = .fallbackChosen
        // A call, the background, another prompt, our own `invalidate`, or the app is not in front.
        case .systemCancel, .appCancel, .notInteractive: self = .cancelledBySystem
        case .authenticationFailed: self = .notRecognised
        case .biometryLockout: self = .lockedOut
        // Without a passcode nobody can be enrolled.
        case .biometryNotEnrolled, .passcodeNotSet: self = .notEnrolled
        // To this app, a refused sensor is none.
        case .biometryNotAvailable: self = .hardwareMissing
        #if os(macOS)
        case .biometryNotPaired: self = .hardwareMissing
        // A keyboard that is out of reach, a lid that is closed.
        case .biometryDisconnected: self = .readerFailed(afterMismatch: false)
        #endif
        // The service behind it went away, also from a fresh context.
        case .invalidContext: self = .readerFailed(afterMismatch: false)
        default: self = .unclassified
        }
    }

    /// What a call of the keychain that failed means, where nobody was asked for.
    ///
    /// `errSecAuthFailed` stands for almost every refusal of an owner, so no guarded read comes here unless an evaluation
    /// has passed.
    init(_ failure: KeychainFailure) {
        switch failure.status {
        case errSecItemNotFound: self = .absent
        case errSecUserCanceled: self = .cancelledByUser(afterMismatch: false)
        // The device is locked, was not unlocked since it booted, or the daemon doesn't answer.
        case errSecInteractionNotAllowed, errSecInteractionRequired, errSecInDarkWake, errSecNotAvailable:
            self = .unavailable
        // Nothing is known of the item: neither here nor there.
        case errSecMissingEntitlement: self = .unavailable
        case errSecDecode: self = .revoked
        default: self = .unclassified
        }
    }
}

extension BiometricCapability.Reason {
    /// Why biometrics can't be evaluated; the system has one code for a missing sensor and for a refused one.
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
        // An iris is to us what a face is: the camera of something that looks at the owner.
        default: self = .faceID
        }
    }
}
