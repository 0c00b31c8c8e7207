/// The unlock machine of seed 002 §5.2: which fact leads where, and what has to be done about it.
///
/// Pure: the shell feeds it events and carries out its effects in order. What must outlive the process (failures, times,
/// revocation) is in the ledger and reaches the machine inside the events, so that there is one truth.
public struct UnlockMachine: Hashable, Sendable {
    /// Where an unlock stands.
    ///
    /// `STARTUP_CHECK` of seed 002 is `locked` (C8).
    public enum State: Hashable, Sendable {
        /// Nothing is asked and no key is in memory.
        case locked
        /// The system's prompt is up.
        case promptingBiometrics
        /// A prompt ended without a match; the user may try again.
        case biometricsFailed
        /// Only the PIN, password or recovery key goes on, for this reason.
        case requiresStrongFactor(StrongFactorReason)
        /// A strong secret was taken, and its slot is being opened; a wrong one resumes the session it was entered in.
        case verifyingStrongFactor(SlotKind, resuming: SessionScope?)
        /// The master key is in memory.
        case unlocked(SessionScope)
    }

    /// A fact that happened.
    public enum Event: Hashable, Sendable {
        /// The user, or the app for the user, wants in by biometrics.
        case biometricUnlockRequested(UnlockDecision)
        /// The prompt, or the gated read behind it, gave no secret.
        case biometricsRefused(DeviceRefusal)
        /// A failed prompt was counted durably; the count is the new total.
        case biometricFailureCounted(total: UInt32)
        /// A PIN, password or recovery key was entered.
        case strongSecretEntered(SlotKind, AttemptDecision)
        /// The entered secret opened nothing.
        case strongSecretRefused
        /// An envelope opened; the policy was asked once more.
        case proved(UnlockProof, UnlockDecision)
        /// The vault could not be read or written, or a device failed, before anything was learned.
        case storageFailed
        /// A vault was just made, and its first slot was read back and opened.
        case vaultMade(UnlockProof)
        /// The user or the app locks.
        case lockRequested
        /// The app left the foreground.
        case movedToBackground
        /// The session was not used for longer than the policy allows.
        case idleLimitPassed
        /// Something that the master key authenticates was found changed in an open session.
        case tamperingFound
    }

    /// An order to the shell.
    public enum Effect: Hashable, Sendable {
        /// Read the gated secret; the read is the prompt.
        case showBiometricPrompt
        /// Count a failed prompt in the ledger, durably.
        case countBiometricFailure
        /// Remember the system's lockout in the ledger, durably.
        case recordLockout
        /// Count an attempt in the ledger and the anchor, durably, before the KDF runs (A10).
        case recordAttempt
        /// Stretch the secret and open the slot.
        case openSlot(SlotKind)
        /// Take the biometric slot's right away; `confirmed` when the item is known to be gone for good (C16).
        case revokeBiometrics(confirmed: Bool)
        /// Clear the failed prompts, durably.
        case clearBiometricFailures
        /// Clear every failure and date the strong unlock, durably; fold what restricts the vault into its head.
        case acknowledgeStrongUnlock
        /// Keep the master key for a session.
        case publishSession(SessionScope)
        /// Zeroise whatever key is in memory.
        case eraseKeys
        /// Hide what the screen shows.
        case coverScreen
        /// Write an audit event.
        case record(AuditEventKind)
        /// Tell the caller why it got nothing.
        case refuse(ErrorCode)
        /// Tell the caller to wait.
        case refuseUntil(Milliseconds)
    }

    /// Where the unlock stands.
    public private(set) var state = State.locked
    /// The rules the machine follows.
    public private(set) var policy: VaultPolicy

    /// Makes a locked machine.
    public init(policy: VaultPolicy) {
        self.policy = policy
    }

    /// Follows the rules of a head that was just read or written.
    public mutating func adopt(_ policy: VaultPolicy) {
        self.policy = policy
    }

    /// Takes one fact in and says what is to be done.
    public mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .lockRequested, .idleLimitPassed:
            return lock()
        case .movedToBackground:
            return policy.locksInBackground ? [.coverScreen] + lock() : [.coverScreen]
        case .biometricUnlockRequested(let decision):
            return requested(decision)
        case .strongSecretEntered(let slot, let decision):
            return entered(slot, decision)
        case .proved(let proof, let decision):
            return proved(proof, decision)
        case .biometricsRefused(let refusal):
            return biometricsRefused(refusal)
        case .biometricFailureCounted(let total):
            return biometricFailureCounted(total)
        case .strongSecretRefused:
            return strongSecretRefused()
        case .storageFailed:
            return storageFailed()
        case .tamperingFound:
            return tamperingFound()
        case .vaultMade(let proof):
            return made(proof)
        }
    }
}

// One function per event. Each lists every state, so that a new state does not compile until someone thought about it.
extension UnlockMachine {
    private mutating func lock() -> [Effect] {
        state = .locked
        return [.eraseKeys]
    }

    private mutating func requested(_ decision: UnlockDecision) -> [Effect] {
        switch state {
        case .unlocked:
            return []
        case .promptingBiometrics, .verifyingStrongFactor:
            return unexpected()
        case .locked, .biometricsFailed, .requiresStrongFactor:
            switch decision {
            case .promptBiometrics:
                state = .promptingBiometrics
                return [.showBiometricPrompt]
            case .requireStrongFactor(let reason):
                return demand(reason)
            case .storageUnavailable:
                state = .locked
                return [.refuse(.storageUnavailable)]
            case .resetPending:
                state = .locked
                return [.refuse(.resetPending)]
            }
        }
    }

    private mutating func entered(_ slot: SlotKind, _ decision: AttemptDecision) -> [Effect] {
        let session: SessionScope?
        switch state {
        case .promptingBiometrics, .verifyingStrongFactor:
            return unexpected()
        case .locked, .biometricsFailed, .requiresStrongFactor:
            session = nil
        case .unlocked(let scope):
            session = scope
        }
        switch (slot, decision) {
        case (.biometric, _):
            return unexpected()
        case (.recovery, _):
            // 256 random bits can't be guessed, so nothing is counted and no delay stands in the way of a lockout's exit.
            state = .verifyingStrongFactor(slot, resuming: session)
            return [.openSlot(slot)]
        case (.localSecret, .allowed):
            state = .verifyingStrongFactor(slot, resuming: session)
            return [.recordAttempt, .openSlot(slot)]
        case (.localSecret, .wait(let remaining)):
            return [.refuseUntil(remaining)]
        case (.localSecret, .suspended):
            return [.refuse(.localSecretSuspended)]
        }
    }

    private mutating func proved(_ proof: UnlockProof, _ decision: UnlockDecision) -> [Effect] {
        switch (state, proof.slot) {
        case (.promptingBiometrics, .biometric):
            switch decision {
            case .promptBiometrics:
                return (proof.integrity == .intact ? [.clearBiometricFailures] : []) + open(proof, recording: .biometricSuccess)
            case .requireStrongFactor(let reason):
                return [.eraseKeys] + demand(reason)
            case .storageUnavailable:
                return [.eraseKeys] + storageFailed()
            case .resetPending:
                state = .locked
                return [.eraseKeys, .refuse(.resetPending)]
            }

        case (.verifyingStrongFactor(.localSecret, _), .localSecret), (.verifyingStrongFactor(.recovery, _), .recovery):
            return [.acknowledgeStrongUnlock] + open(proof, recording: .passwordFallback)

        case (.locked, _), (.promptingBiometrics, _), (.biometricsFailed, _), (.requiresStrongFactor, _),
            (.verifyingStrongFactor, _), (.unlocked, _):
            // A proof that arrives late, or for another way in than the one that was asked, opens nothing (A36).
            return unexpected()
        }
    }

    private mutating func made(_ proof: UnlockProof) -> [Effect] {
        switch state {
        case .locked where proof.slot == .localSecret && proof.integrity == .intact:
            state = .unlocked(.full)
            return [.publishSession(.full)]
        case .locked, .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor, .unlocked:
            return unexpected()
        }
    }

    private mutating func open(_ proof: UnlockProof, recording kind: AuditEventKind) -> [Effect] {
        switch proof.integrity {
        case .intact:
            let scope: SessionScope = proof.slot == .recovery && !policy.recoveryOpensFully ? .exportOnly : .full
            state = .unlocked(scope)
            return [.publishSession(scope), .record(kind)]
        case .tampered where proof.slot == .biometric:
            // The policy that allowed the prompt can't be believed either, and export asks for the strong factor anyway.
            return [.eraseKeys, .record(.vaultTampered)] + demand(.unclassified)
        case .tampered:
            state = .unlocked(.exportOnly)
            return [.publishSession(.exportOnly), .record(kind), .record(.vaultTampered)]
        }
    }

    private mutating func biometricsRefused(_ refusal: DeviceRefusal) -> [Effect] {
        switch state {
        case .promptingBiometrics:
            return refused(refusal)
        case .locked:
            // The lock won while the prompt was up: what the prompt says no longer matters, except a failure (A36).
            return refusal == .notRecognised ? [.countBiometricFailure] : []
        case .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor, .unlocked:
            return unexpected()
        }
    }

    private mutating func refused(_ refusal: DeviceRefusal) -> [Effect] {
        switch refusal {
        case .notRecognised, .cancelledByUser(afterMismatch: true):
            state = .biometricsFailed
            return [.countBiometricFailure]
        case .cancelledByUser(afterMismatch: false), .cancelledBySystem:
            return demand(.cancelled)
        case .fallbackChosen:
            return demand(.fallbackChosen)
        case .lockedOut:
            return [.recordLockout, .record(.biometricFailure)] + demand(.lockedOut)
        case .notEnrolled, .hardwareMissing:
            return demand(.biometricsUnavailable)
        case .revoked:
            return [.revokeBiometrics(confirmed: true)] + demand(.biometricsChanged)
        case .absent, .weakerThanAsked, .wrongAuthorisation, .unclassified:
            // The cause can't be told apart: the same demand at once, the purge waits (C16, F-107-07).
            return [.revokeBiometrics(confirmed: false)] + demand(.biometricsChanged)
        case .unavailable:
            return storageFailed()
        }
    }

    private mutating func biometricFailureCounted(_ total: UInt32) -> [Effect] {
        switch state {
        case .biometricsFailed:
            guard total < policy.biometricFailureLimit else {
                return [.record(.biometricFailure)] + demand(.tooManyMismatches)
            }
            return [.record(.biometricFailure), .refuse(.biometricsNotRecognised)]
        case .locked:
            return [.record(.biometricFailure)]
        case .promptingBiometrics, .requiresStrongFactor, .verifyingStrongFactor, .unlocked:
            return unexpected()
        }
    }

    private mutating func strongSecretRefused() -> [Effect] {
        switch state {
        case .verifyingStrongFactor(_, resuming: let session?):
            state = .unlocked(session)
            return [.record(.passwordFailure), .refuse(.strongFactorRefused)]
        case .verifyingStrongFactor(_, resuming: nil):
            state = .requiresStrongFactor(.fallbackChosen)
            return [.eraseKeys, .record(.passwordFailure), .refuse(.strongFactorRefused)]
        case .locked:
            return [.record(.passwordFailure)]
        case .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .unlocked:
            return unexpected()
        }
    }

    private mutating func storageFailed() -> [Effect] {
        switch state {
        case .verifyingStrongFactor(_, resuming: let session?):
            state = .unlocked(session)
            return [.refuse(.storageUnavailable)]
        case .locked, .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor(_, nil):
            state = .locked
            return [.eraseKeys, .refuse(.storageUnavailable)]
        case .unlocked:
            return [.refuse(.storageUnavailable)]
        }
    }

    private mutating func tamperingFound() -> [Effect] {
        switch state {
        case .unlocked(.full), .unlocked(.exportOnly):
            state = .unlocked(.exportOnly)
            return [.publishSession(.exportOnly), .record(.vaultTampered)]
        case .locked, .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor:
            return unexpected()
        }
    }

    private mutating func demand(_ reason: StrongFactorReason) -> [Effect] {
        state = .requiresStrongFactor(reason)
        return [.refuse(reason.errorCode)]
    }

    /// Fail closed: a fact that makes no sense here costs the user a PIN, never a key.
    private mutating func unexpected() -> [Effect] {
        [.eraseKeys] + demand(.unexpectedEvent)
    }
}
