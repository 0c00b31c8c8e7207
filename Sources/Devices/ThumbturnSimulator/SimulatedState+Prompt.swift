import ThumbturnDevice
import ThumbturnRules

/// The rules of prompts.
extension SimulatedState {
    /// The end of a prompt without a refusal.
    enum PromptEnd {
        /// The owner was recognised, or entered the passcode.
        case recognised
        /// A hooked process claims that the owner was recognised (A29, A30).
        case hooked
        /// The sensor has not been touched yet.
        case waiting
    }

    /// Shows one prompt and ends it with the next touch.
    ///
    /// The checks are in the platform's order: protected data, hardware, passcode, enrolment, lockout, and then the
    /// owner. A failing reader consumes a touch only if it is an unknown finger. Without a simulated touch, the system
    /// dismisses the prompt.
    mutating func prompt(_ text: PromptText, for access: AccessControl) throws(DeviceRefusal) -> PromptEnd {
        let takesPasscode = access == .anyBiometryOrPasscode && hasPasscode
        let obstacle = biometricObstacle
        if let obstacle, !takesPasscode { throw obstacle.refusal }
        guard !take(.sensorBusy), !take(.readerBusy) else { throw .readerFailed(afterMismatch: false) }
        guard !take(.readerSilent) else {
            clock.advance(.seconds(2))
            throw .readerFailed(afterMismatch: false)
        }
        // A real platform would stop the process here.
        guard !text.reason.isEmpty else { throw .unclassified }
        guard !Task.isCancelled else { throw .cancelledBySystem }

        counts.prompts += 1
        guard !take(.unclassified) else { throw .unclassified }
        guard !take(.emptySuccess) else { return .hooked }
        let isBroken = take(.readerBroken)
        guard !isBroken || touches.first?.isStrangers == true else { throw .readerFailed(afterMismatch: false) }
        guard !touches.isEmpty else { throw .cancelledBySystem }
        switch touches.removeFirst() {
        case .match:
            if let obstacle { throw obstacle.refusal }
            mismatchesInARow = 0
            return .recognised
        case .mismatch:
            if let obstacle { throw obstacle.refusal }
            countMismatch()
            if isLockedOut { throw .lockedOut }
            throw isBroken ? .readerFailed(afterMismatch: true) : .notRecognised
        case .cancel:
            throw .cancelledByUser(afterMismatch: false)
        case .mismatchThenCancel:
            if obstacle == nil { countMismatch() }
            let isMismatch = obstacle == nil
            throw isBroken ? .readerFailed(afterMismatch: isMismatch) : .cancelledByUser(afterMismatch: isMismatch)
        case .fallback:
            throw .fallbackChosen
        case .passcode:
            guard takesPasscode else { throw .fallbackChosen }
            givePasscode()
            return .recognised
        case .wait:
            return .waiting
        }
    }

    /// Returns the sensor's present capability.
    mutating func capability() -> BiometricCapability {
        let busy = take(.sensorBusy) ? BiometricCapability.Reason.temporarilyUnavailable : nil
        return BiometricCapability(
            biometryType: biometryType,
            reasonIfUnavailable: biometricObstacle ?? busy,
            assurance: .simulated
        )
    }

    var biometryType: BiometricCapability.BiometryType {
        switch sensor {
        case .none: .none
        case .touch: .touchID
        case .face: .faceID
        }
    }

    mutating func givePasscode() {
        guard hasPasscode else { return }
        isLockedOut = false
        mismatchesInARow = 0
    }

    private var biometricObstacle: BiometricCapability.Reason? {
        if sensor == .none { return .noHardware }
        if !isPermissionGranted { return .permissionDenied }
        if !hasPasscode { return .noPasscode }
        if fingers.isEmpty { return .notEnrolled }
        return isLockedOut ? .lockedOut : nil
    }

    private mutating func countMismatch() {
        mismatchesInARow += 1
        if mismatchesInARow >= Self.mismatchLimit { isLockedOut = true }
    }
}

extension BiometricCapability.Reason {
    /// The error of a prompt that can't be shown for this reason.
    fileprivate var refusal: DeviceRefusal {
        switch self {
        case .noHardware, .permissionDenied: .hardwareMissing  // To this app, a denied sensor does not exist.
        case .notEnrolled, .noPasscode: .notEnrolled  // Without a passcode there can be no enrolment.
        case .lockedOut: .lockedOut
        case .temporarilyUnavailable: .readerFailed(afterMismatch: false)
        }
    }
}

extension SimulatedTouch {
    /// Whether an unknown finger or face comes first.
    fileprivate var isStrangers: Bool { self == .mismatch || self == .mismatchThenCancel }
}
