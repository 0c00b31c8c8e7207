// System mode (seed 000): only the system's prompt, trusted completely. One function per event, as in `UnlockMachine`.
extension UnlockMachine {
    mutating func systemRequested(_ decision: UnlockDecision) -> [Effect] {
        guard mode == .system else { return [.refuse(.systemModeOff)] }
        let session: SessionScope?
        switch state {
        case .locked:
            session = nil
        case .unlocked(let scope):
            session = scope
        case .closedUntilReopened:
            return [.refuse(.systemPromptEnded)]
        case .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor, .promptingSystem:
            return unexpected()
        }
        if let code = decision.obstacle { return refuse(code, resuming: session) }
        switch decision {
        case .promptSystem:
            state = .promptingSystem(resuming: session)
            return [.showSystemPrompt]
        case .promptBiometrics, .requireStrongFactor, .storageUnavailable, .resetPending:
            return unexpected()
        }
    }

    mutating func systemRefused(_ refusal: DeviceRefusal) -> [Effect] {
        switch state {
        case .promptingSystem(let session):
            return ended(by: refusal, resuming: session)
        case .locked, .closedUntilReopened:
            // A lock came first while the prompt was shown (A36).
            return records(of: refusal)
        case .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor, .unlocked:
            return records(of: refusal) + unexpected()
        }
    }

    /// Closes the vault until it is reopened only if the refusal means that the owner is absent; other refusals allow a
    /// retry.
    private mutating func ended(by refusal: DeviceRefusal, resuming session: SessionScope?) -> [Effect] {
        let closed: State
        let code: ErrorCode
        switch refusal.meaning {
        case .cancelledByUser, .fallbackChosen, .notRecognised, .lockedOut, .weakerThanAsked, .wrongAuthorisation,
            .unclassified:
            (closed, code) = (.closedUntilReopened, .systemPromptEnded)
        case .cancelledBySystem:
            (closed, code) = (.locked, .systemPromptEnded)
        case .proofNotAccepted:
            (closed, code) = (.locked, .proofNotAccepted)
        case .notEnrolled, .hardwareMissing:
            (closed, code) = (.locked, .passcodeMissing)
        case .revoked, .absent, .damaged:
            (closed, code) = (.locked, .keyMissing)
        case .unavailable, .readerFailed:
            (closed, code) = (.locked, .storageUnavailable)
        }
        state = session.map(State.unlocked) ?? closed
        return records(of: refusal) + [.refuse(code)]
    }

    /// Returns the events of a refusal; a cancel is no failure, and nothing is counted in any case (S-06).
    private func records(of refusal: DeviceRefusal) -> [Effect] {
        switch refusal.meaning {
        case .notRecognised, .lockedOut, .cancelledByUser(afterMismatch: true), .readerFailed(afterMismatch: true),
            .weakerThanAsked, .wrongAuthorisation, .proofNotAccepted, .unclassified:
            [.record([.systemFailure])]
        case .cancelledByUser(afterMismatch: false), .cancelledBySystem, .fallbackChosen, .notEnrolled,
            .hardwareMissing, .revoked, .absent, .damaged, .readerFailed(afterMismatch: false), .unavailable:
            []
        }
    }
}

extension UnlockMachine.State {
    /// The slot that the current prompt is for; nil while there is none.
    package var promptedSlot: SlotKind? {
        switch self {
        case .promptingBiometrics: .biometric
        case .promptingSystem: .system
        case .locked, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor, .closedUntilReopened, .unlocked:
            nil
        }
    }
}
