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
        case waiting(SimulatedPrompt)
    }

    /// Shows one prompt and ends it with the next touch.
    ///
    /// The checks are in the platform's order: protected data, hardware, passcode, enrolment, lockout, and then the
    /// owner. A failing reader consumes a touch only if it is an unknown finger. Without a simulated touch, the system
    /// dismisses the prompt, unless prompts wait.
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
        guard !Task.isCancelled, !isAppInBackground else { throw .cancelledBySystem }

        counts.prompts += 1
        guard !take(.unclassified) else { throw .unclassified }
        guard !take(.emptySuccess) else { return .hooked }
        let isBroken = take(.readerBroken)
        guard !isBroken || touches.first?.isStrangers == true else { throw .readerFailed(afterMismatch: false) }
        guard !touches.isEmpty || promptsWait else { throw .cancelledBySystem }
        let touch = touches.isEmpty ? .wait : touches.removeFirst()
        guard try isOwner(touch, takesPasscode: takesPasscode, breaking: isBroken) else {
            return .waiting(
                SimulatedPrompt(
                    text: text,
                    access: access,
                    touchesBefore: touches.count,
                    bootID: clock.bootID,
                    installation: installation
                )
            )
        }
        return .recognised
    }

    /// Ends a prompt that waits with the next touch, if one came since.
    ///
    /// - Parameter takesTouches: whether the touches are for this prompt.
    /// - Returns: whether the owner was recognised; false while the prompt stays.
    /// - Throws: why it ended otherwise: `.cancelledBySystem` when the device is locked or the app has left.
    mutating func answer(_ prompt: inout SimulatedPrompt, takesTouches: Bool) throws(DeviceRefusal) -> Bool {
        guard clock.bootID == prompt.bootID, installation == prompt.installation else { throw .cancelledBySystem }
        guard !isDeviceLocked, !isAppInBackground else { throw .cancelledBySystem }
        let takesPasscode = prompt.access == .anyBiometryOrPasscode && hasPasscode
        if let obstacle = biometricObstacle, !takesPasscode { throw obstacle.refusal }
        // Other prompts, and other processes, may have taken theirs.
        prompt.touchesBefore = min(prompt.touchesBefore, touches.count)
        while takesTouches, touches.count > prompt.touchesBefore {
            let touch = touches.remove(at: prompt.touchesBefore)
            if try isOwner(touch, takesPasscode: takesPasscode) { return true }
        }
        return false
    }

    /// Returns whether a touch proves the owner; false while nobody touches the sensor.
    ///
    /// - Throws: why it does not prove the owner, which ends the prompt.
    private mutating func isOwner(
        _ touch: SimulatedTouch,
        takesPasscode: Bool,
        breaking isBroken: Bool = false
    ) throws(DeviceRefusal) -> Bool {
        let obstacle = biometricObstacle
        switch touch {
        case .match:
            if let obstacle { throw obstacle.refusal }
            mismatchesInARow = 0
            return true
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
            return true
        case .wait:
            return false
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
