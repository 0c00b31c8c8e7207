import LocalAuthentication
import Security
import ThumbturnRules

// The one table from Apple's codes to ours. A code that it does not list requires the strong factor.

extension DeviceRefusal {
    /// Maps the code of a failed evaluation.
    init(_ code: LAError.Code) {
        let kind: Kind
        switch code {
        // The system does not report an earlier mismatch of a finger or face (C7); it counts them itself.
        case .userCancel: kind = .cancelledByUser(afterMismatch: false)
        case .userFallback: kind = .fallbackChosen
        // A call, the background, another prompt, our own `invalidate`, or the app is not in front.
        case .systemCancel, .appCancel, .notInteractive: kind = .cancelledBySystem
        case .authenticationFailed: kind = .notRecognised
        case .biometryLockout: kind = .lockedOut
        // Without a passcode there can be no enrolment.
        case .biometryNotEnrolled, .passcodeNotSet: kind = .notEnrolled
        // To this app, a denied sensor does not exist.
        case .biometryNotAvailable: kind = .hardwareMissing
        #if os(macOS)
        case .biometryNotPaired: kind = .hardwareMissing
        // A keyboard out of reach, or a closed lid.
        case .biometryDisconnected: kind = .readerFailed(afterMismatch: false)
        #endif
        // The service behind it ended, also for a new context.
        case .invalidContext: kind = .readerFailed(afterMismatch: false)
        default: kind = .unclassified
        }
        self.init(kind, underlying: UnderlyingCode(.localAuthentication, code.rawValue))
    }

    /// Maps a failed keychain call that needed no owner.
    ///
    /// `errSecAuthFailed` means almost any refusal of an owner, so a guarded read only uses this after a successful
    /// evaluation.
    init(_ failure: KeychainFailure) {
        let kind: Kind
        switch failure.status {
        case errSecItemNotFound: kind = .absent
        case errSecUserCanceled: kind = .cancelledByUser(afterMismatch: false)
        // The device is locked, was not unlocked since it booted, or the daemon does not answer.
        case errSecInteractionNotAllowed, errSecInteractionRequired, errSecInDarkWake, errSecNotAvailable:
            kind = .unavailable
        // The state of the item is unknown: it may exist or not.
        case errSecMissingEntitlement: kind = .unavailable
        case errSecDecode: kind = .revoked
        default: kind = .unclassified
        }
        self.init(kind, underlying: failure.code)
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
