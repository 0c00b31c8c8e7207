/// The unlock machine of seed 002 §5.2: which event leads to which state, and what to do about it.
///
/// Pure: the shell feeds it events and carries out its effects in order. What must outlive the process (failures,
/// times, revocation) is in the ledger and reaches the machine in the events, so that there is a single source of
/// truth.
///
/// An event is told by the effect that writes the change; no session is published before its event is written
/// (INV-107-10).
///
/// An effect that fails ends its list, and `storageFailed` is fed back; `lockRequested` follows if the list would have
/// published a session, since the machine already assumes one.
public struct UnlockMachine: Hashable, Sendable {
    /// The state of an unlock.
    ///
    /// Seed 002's `STARTUP_CHECK` is `locked` (C8).
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// Nothing is asked and no key is in memory.
        case locked
        /// The system's prompt is shown; if it fails, the session in which it was shown resumes.
        case promptingBiometrics(resuming: SessionScope?)
        /// A prompt ended without a match; the user may try again.
        case biometricsFailed
        /// The PIN, password or recovery key is asked for, for this reason; only a new request that the policy allows
        /// shows a prompt.
        case requiresStrongFactor(StrongFactorReason)
        /// A PIN or recovery key was entered, and its slot is being opened; if it is wrong, the session in which it was
        /// entered resumes.
        case verifyingStrongFactor(StrongSecret, resuming: SessionScope?)
        /// The system's prompt is shown in system mode; if it fails, the session in which it was shown resumes.
        case promptingSystem(resuming: SessionScope?)
        /// The system's prompt ended without recognising the owner: close and reopen, enter the recovery key, or reset
        /// (S-06).
        case closedUntilReopened
        /// The master key is in memory.
        case unlocked(SessionScope)
    }

    /// A fact that happened.
    package enum Event: Hashable, Sendable {
        /// The user, or the app on the user's behalf, requests an unlock by biometrics.
        case biometricUnlockRequested(UnlockDecision)
        /// The prompt, or the read behind it, released no secret.
        case biometricsRefused(DeviceRefusal)
        /// A failed prompt was counted durably; the count is the new total.
        case biometricFailureCounted(total: UInt32)
        /// The user, or the app on the user's behalf, requests an unlock by the device's own prompt.
        case systemUnlockRequested(UnlockDecision)
        /// The system's prompt, or the read behind it, released no secret in system mode.
        case systemRefused(DeviceRefusal)
        /// A PIN, password or recovery key was entered.
        case strongSecretEntered(StrongSecret, AttemptDecision)
        /// The entered secret opened nothing.
        case strongSecretRefused
        /// An envelope opened, and the policy was asked again.
        case proved(UnlockProof, UnlockDecision)
        /// The vault could not be read or written, or a device failed, before anything was learned.
        case storageFailed
        /// A vault was just created, and its first slot was read back and opened.
        case vaultMade(UnlockProof)
        /// The user or the app locks.
        case lockRequested
        /// The app left the foreground.
        case movedToBackground
        /// The session was idle for longer than the policy allows.
        case idleLimitPassed
        /// Data that the master key authenticates was found changed in an open session.
        case tamperingFound
        /// The owner accepts an older copy, which the open session found authentic and has bound to a new ledger.
        case olderCopyAccepted(UnlockProof)
    }

    /// An order to the shell.
    package enum Effect: Hashable, Sendable {
        /// Read the item behind the biometric prompt; the read shows the prompt.
        case showBiometricPrompt
        /// Read the item that any finger or face, or the passcode, releases; the read shows the prompt.
        case showSystemPrompt
        /// Count the fingers or faces that failed in a prompt in the ledger, durably, and tell it.
        case countBiometricFailures(UInt32)
        /// Note the system's lockout in the ledger, durably, and tell these events.
        case recordLockout([AuditEventKind])
        /// Count an attempt in the ledger and the anchor, durably, before the KDF runs (A10).
        case recordAttempt
        /// Stretch the secret and open the slot.
        case openSlot(StrongSecret)
        /// Revoke the biometric slot; `confirmed` when the item is known to be gone for good (C16).
        case revokeBiometrics(confirmed: Bool)
        /// Clear the failed prompts, durably, and tell these events.
        case clearBiometricFailures([AuditEventKind])
        /// Clear every failure and date the strong unlock, durably; move the ledger's restrictions into the head; tell
        /// these events.
        case acknowledgeStrongUnlock([AuditEventKind])
        /// Clear the attempts at the PIN, durably, and nothing else; tell these events.
        ///
        /// The session is for export only, so it must not lift any restriction on biometrics.
        case clearAttempts([AuditEventKind])
        /// Keep the master key for a session.
        case publishSession(SessionScope)
        /// Zeroise any key in memory.
        case eraseKeys
        /// Cover the screen.
        case coverScreen
        /// Tell these events in a transaction of their own: nothing else is written with them.
        case record([AuditEventKind])
        /// Refuse the call with this code.
        case refuse(ErrorCode)
        /// Tell the caller to wait.
        case refuseUntil(Milliseconds)
    }

    /// The state of the unlock.
    package internal(set) var state = State.locked
    /// The policy that the machine applies.
    package private(set) var policy: VaultPolicy
    /// The vault's unlock mode.
    package private(set) var mode = UnlockMode.local

    /// Creates a locked machine.
    package init(policy: VaultPolicy) { self.policy = policy }

    /// Adopts policy and mode of a head that was just read or written.
    ///
    /// If the mode changes, only an open session survives; other states of the former mode are reset.
    package mutating func adopt(_ policy: VaultPolicy, mode: UnlockMode) {
        self.policy = policy
        guard mode != self.mode else { return }
        self.mode = mode
        switch state {
        case .unlocked: break
        case .verifyingStrongFactor(_, resuming: let session?), .promptingSystem(resuming: let session?),
            .promptingBiometrics(resuming: let session?):
            state = .unlocked(session)
        case .locked, .promptingBiometrics(nil), .biometricsFailed, .requiresStrongFactor,
            .verifyingStrongFactor(_, nil), .promptingSystem(nil), .closedUntilReopened:
            state = .locked
        }
    }

    /// Handles one event, and returns what to do.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .lockRequested, .idleLimitPassed:
            return lock()
        case .movedToBackground:
            return policy.locksInBackground ? [.coverScreen] + lock() : [.coverScreen]
        case .biometricUnlockRequested(let decision):
            return requested(decision)
        case .systemUnlockRequested(let decision):
            return systemRequested(decision)
        case .systemRefused(let refusal):
            return systemRefused(refusal)
        case .strongSecretEntered(let secret, let decision):
            return entered(secret, decision)
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
        case .olderCopyAccepted(let proof):
            return accepted(proof)
        }
    }
}

// One function per event. Each lists every state, so that a new state does not compile until it has been considered.
extension UnlockMachine {
    /// Locks; a lock is no reopening, so a vault that is closed until then stays closed (S-06).
    mutating func lock() -> [Effect] {
        if state != .closedUntilReopened { state = .locked }
        return [.eraseKeys]
    }

    /// Refuses every kind of unlock while storage can't be read or a reset is pending; requests and proofs both end
    /// here.
    ///
    /// Unreadable storage may recover, so an open session continues.
    mutating func refuse(_ code: ErrorCode, resuming session: SessionScope?) -> [Effect] {
        session != nil && code == .storageUnavailable ? [.refuse(code)] : lock() + [.refuse(code)]
    }

    private mutating func requested(_ decision: UnlockDecision) -> [Effect] {
        guard mode == .local else { return [.refuse(.systemModeOnly)] }
        let session: SessionScope?
        switch state {
        case .promptingBiometrics, .verifyingStrongFactor, .promptingSystem, .closedUntilReopened:
            return unexpected()
        case .locked, .biometricsFailed, .requiresStrongFactor:
            session = nil
        case .unlocked(let scope):
            // An open session proves no finger: a request for one shows the prompt, or says why not.
            session = scope
        }
        if let code = decision.obstacle { return refuse(code, resuming: session) }
        switch decision {
        case .promptBiometrics:
            state = .promptingBiometrics(resuming: session)
            return [.showBiometricPrompt]
        case .requireStrongFactor(let reason):
            return withhold(for: reason, resuming: session)
        case .promptSystem, .storageUnavailable, .resetPending:
            return unexpected()
        }
    }

    private mutating func entered(_ secret: StrongSecret, _ decision: AttemptDecision) -> [Effect] {
        let session: SessionScope?
        switch state {
        case .promptingBiometrics, .verifyingStrongFactor, .promptingSystem:
            return unexpected()
        case .locked, .biometricsFailed, .requiresStrongFactor, .closedUntilReopened:
            session = nil
        case .unlocked(let scope):
            session = scope
        }
        switch (secret, decision) {
        case (.localSecret, _) where mode == .system, (.accountPassword, _) where mode == .system,
            (.offlinePassword, _) where mode == .system:
            return [.refuse(.systemModeOnly)]
        case (.recovery, _), (.accountPassword, _):
            // 256 random bits can't be guessed, and the service counts the tries that it answers: nothing is counted
            // here, and no delay blocks the way out of a lockout.
            state = .verifyingStrongFactor(secret, resuming: session)
            return [.openSlot(secret)]
        case (.localSecret, .allowed), (.offlinePassword, .allowed):
            state = .verifyingStrongFactor(secret, resuming: session)
            return [.recordAttempt, .openSlot(secret)]
        case (.localSecret, .wait(let remaining)), (.offlinePassword, .wait(let remaining)):
            return [.refuseUntil(remaining)]
        case (.localSecret, .suspended), (.offlinePassword, .suspended):
            return [.refuse(.localSecretSuspended)]
        }
    }

    private mutating func proved(_ proof: UnlockProof, _ decision: UnlockDecision) -> [Effect] {
        switch (state, proof.slot) {
        case (.promptingBiometrics, .biometric) where proof.integrity == .tampered:
            // The policy that allowed the prompt can't be trusted either; an export requires the strong factor anyway.
            return [.eraseKeys, .record([.vaultTampered])] + demand(.unclassified)

        case (.promptingBiometrics, .biometric) where proof.integrity == .putBack:
            return [.eraseKeys, .record([.olderCopyFound])] + demand(.ledgerUnreliable)

        case (.promptingBiometrics, .biometric):
            if let code = decision.obstacle { return refuse(code, resuming: nil) }
            switch decision {
            case .promptBiometrics:
                return open(proof, by: Effect.clearBiometricFailures, telling: .biometricSuccess)
            case .requireStrongFactor(let reason):
                return [.eraseKeys] + withhold(for: reason)
            case .promptSystem, .storageUnavailable, .resetPending:
                return unexpected()
            }

        case (.verifyingStrongFactor(.localSecret, _), .localSecret), (.verifyingStrongFactor(.recovery, _), .recovery),
            (.verifyingStrongFactor(.accountPassword, _), .password):
            if let code = decision.obstacle { return refuse(code, resuming: nil) }
            return open(proof, by: acknowledgement(of: proof), telling: .passwordFallback)

        case (.verifyingStrongFactor(.offlinePassword, _), .password):
            // Only this device has checked the password: it opens the vault, and clears no failures (F-107-05).
            if let code = decision.obstacle { return refuse(code, resuming: nil) }
            return open(proof, by: Effect.record, telling: .passwordFallback)

        case (.promptingSystem, .system):
            if let code = decision.obstacle { return refuse(code, resuming: nil) }
            switch decision {
            case .promptSystem:
                // Trusted completely: no failures, time or secret of ours stand between prompt and session (S-06).
                return open(proof, by: Effect.record, telling: .systemSuccess)
            case .promptBiometrics, .requireStrongFactor, .storageUnavailable, .resetPending:
                return unexpected()
            }

        case (.locked, _), (.promptingBiometrics, _), (.biometricsFailed, _), (.requiresStrongFactor, _),
            (.verifyingStrongFactor, _), (.promptingSystem, _), (.closedUntilReopened, _), (.unlocked, _):
            // A proof that arrives late, or for another slot kind than requested, opens nothing (A36).
            return unexpected()
        }
    }

    private mutating func made(_ proof: UnlockProof) -> [Effect] {
        switch state {
        case .locked where mode == .local && proof.slot.keepsLedger && proof.integrity == .intact:
            state = .unlocked(.full)
            return [.publishSession(.full)]
        case .locked, .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor,
            .promptingSystem, .closedUntilReopened, .unlocked:
            return unexpected()
        }
    }

    private mutating func accepted(_ proof: UnlockProof) -> [Effect] {
        switch state {
        case .unlocked(.exportOnly):
            let scope = scope(of: proof)
            state = .unlocked(scope)
            return [.publishSession(scope)]
        case .unlocked(.full), .locked, .promptingBiometrics, .biometricsFailed, .requiresStrongFactor,
            .verifyingStrongFactor, .promptingSystem, .closedUntilReopened:
            return unexpected()
        }
    }

    /// Opens a session once the effect that `write` makes has told the event.
    private mutating func open(
        _ proof: UnlockProof,
        by write: ([AuditEventKind]) -> Effect,
        telling kind: AuditEventKind
    ) -> [Effect] {
        let scope = scope(of: proof)
        state = .unlocked(scope)
        let told: [AuditEventKind] =
            switch proof.integrity {
            case .intact: [kind]
            case .tampered: [kind, .vaultTampered]
            case .putBack: [kind, .olderCopyFound]
            }
        return [write(told), .publishSession(scope)]
    }

    private func scope(of proof: UnlockProof) -> SessionScope {
        switch (proof.integrity, proof.slot) {
        case (.tampered, _), (.putBack, _): .exportOnly
        case (.intact, .recovery): policy.recoveryOpensFully ? .full : .exportOnly
        case (.intact, .localSecret), (.intact, .biometric), (.intact, .system), (.intact, .password): .full
        }
    }

    /// Returns how to record a success: a tampered head must not be written again with a valid MAC, and a recovery key
    /// that opens for export only must not give the next finger a full session (P-107-01).
    ///
    /// System mode counts and dates nothing, so there is nothing to acknowledge.
    private func acknowledgement(of proof: UnlockProof) -> ([AuditEventKind]) -> Effect {
        switch (mode, scope(of: proof)) {
        case (.system, _): Effect.record
        case (.local, .full): Effect.acknowledgeStrongUnlock
        case (.local, .exportOnly): Effect.clearAttempts
        }
    }

    private mutating func biometricsRefused(_ refusal: DeviceRefusal) -> [Effect] {
        switch state {
        case .promptingBiometrics(let session):
            return refused(refusal, resuming: session)
        case .locked:
            // A lock came first while the prompt was shown: ask for nothing, but keep what the prompt learned (A36).
            return consequences(of: refusal)
        case .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor, .promptingSystem, .closedUntilReopened,
            .unlocked:
            return consequences(of: refusal) + unexpected()
        }
    }

    private mutating func refused(_ refusal: DeviceRefusal, resuming session: SessionScope?) -> [Effect] {
        let consequences = consequences(of: refusal)
        switch refusal.meaning {
        case .notRecognised, .cancelledByUser(afterMismatch: true):
            state = session.map(State.unlocked) ?? .biometricsFailed
            return consequences
        case .cancelledByUser(afterMismatch: false), .cancelledBySystem:
            return consequences + demand(.cancelled, resuming: session)
        case .fallbackChosen:
            return consequences + demand(.fallbackChosen, resuming: session)
        case .lockedOut:
            return consequences + demand(.lockedOut, resuming: session)
        case .notEnrolled, .hardwareMissing, .readerFailed:
            return consequences + demand(.biometricsUnavailable, resuming: session)
        case .revoked, .absent, .damaged, .weakerThanAsked, .wrongAuthorisation, .proofNotAccepted, .unclassified:
            return consequences + demand(.biometricsChanged, resuming: session)
        case .unavailable:
            return consequences + storageFailed()
        }
    }

    /// Returns the lasting effects of a prompt's end, independently of the unlock that showed it (C7, C16).
    private func consequences(of refusal: DeviceRefusal) -> [Effect] {
        // If the mode changed during the prompt, its slot is gone and there is nothing to count.
        guard mode == .local else { return [] }
        return switch refusal.meaning {
        case .notRecognised, .cancelledByUser, .cancelledBySystem, .fallbackChosen, .readerFailed, .notEnrolled,
            .hardwareMissing, .unavailable:
            refusal.followsMismatch ? [.countBiometricFailures(refusal.mismatches)] : []
        case .lockedOut:
            [.recordLockout([.biometricFailure])]
        case .revoked, .absent:
            [.revokeBiometrics(confirmed: true)]
        case .damaged, .weakerThanAsked, .wrongAuthorisation, .proofNotAccepted, .unclassified:
            // The cause is unknown: require the strong factor at once, but postpone the deletion (C16, F-107-07).
            [.revokeBiometrics(confirmed: false)]
        }
    }

    private mutating func biometricFailureCounted(_ total: UInt32) -> [Effect] {
        switch state {
        case .biometricsFailed:
            if total >= policy.biometricFailureLimit { state = .requiresStrongFactor(.tooManyMismatches) }
            return [.refuse(.biometricsNotRecognised)]
        case .unlocked:
            // The session in which it was requested continues; too many failures require the strong factor at the next
            // prompt.
            return [.refuse(.biometricsNotRecognised)]
        case .locked, .promptingBiometrics, .requiresStrongFactor, .verifyingStrongFactor, .promptingSystem,
            .closedUntilReopened:
            // The user moved on while the count was written. It is durable, and the policy reads it before the next
            // session.
            return []
        }
    }

    private mutating func strongSecretRefused() -> [Effect] {
        switch state {
        case .verifyingStrongFactor(_, resuming: let session?):
            state = .unlocked(session)
            return [.record([.passwordFailure]), .refuse(.strongFactorRefused)]
        case .verifyingStrongFactor(_, resuming: nil):
            state = mode == .system ? .closedUntilReopened : .requiresStrongFactor(.fallbackChosen)
            return [.eraseKeys, .record([.passwordFailure]), .refuse(.strongFactorRefused)]
        case .locked:
            return [.record([.passwordFailure])]
        case .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .promptingSystem, .closedUntilReopened,
            .unlocked:
            return [.record([.passwordFailure])] + unexpected()
        }
    }

    private mutating func storageFailed() -> [Effect] {
        switch state {
        case .verifyingStrongFactor(_, resuming: let session?), .promptingSystem(resuming: let session?),
            .promptingBiometrics(resuming: let session?):
            state = .unlocked(session)
            return [.refuse(.storageUnavailable)]
        case .locked, .promptingBiometrics(nil), .biometricsFailed, .requiresStrongFactor,
            .verifyingStrongFactor(_, nil), .promptingSystem(nil):
            state = .locked
            return [.eraseKeys, .refuse(.storageUnavailable)]
        case .closedUntilReopened:
            return [.eraseKeys, .refuse(.storageUnavailable)]
        case .unlocked:
            return [.refuse(.storageUnavailable)]
        }
    }

    private mutating func tamperingFound() -> [Effect] {
        switch state {
        case .unlocked:
            state = .unlocked(.exportOnly)
            return [.publishSession(.exportOnly), .record([.vaultTampered])]
        case .promptingSystem(resuming: .some):
            state = .promptingSystem(resuming: .exportOnly)
            return [.publishSession(.exportOnly), .record([.vaultTampered])]
        case .promptingBiometrics(resuming: .some):
            state = .promptingBiometrics(resuming: .exportOnly)
            return [.publishSession(.exportOnly), .record([.vaultTampered])]
        case .locked, .promptingBiometrics(nil), .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor,
            .promptingSystem(nil), .closedUntilReopened:
            return unexpected()
        }
    }

    /// Refuses a prompt that the policy forbids.
    ///
    /// A lockout that the sensor reports is recorded, so that the system's passcode ends the system's lockout but not
    /// ours (C7).
    private mutating func withhold(for reason: StrongFactorReason, resuming session: SessionScope? = nil) -> [Effect] {
        (reason == .lockedOut ? [.recordLockout([])] : []) + demand(reason, resuming: session)
    }

    /// Requires the strong factor; system mode has none, and closes instead (C3).
    ///
    /// A session that is resumed stays open.
    private mutating func demand(_ reason: StrongFactorReason, resuming session: SessionScope? = nil) -> [Effect] {
        if let session {
            state = .unlocked(session)
            return [.refuse(reason.errorCode)]
        }
        switch mode {
        case .local:
            state = .requiresStrongFactor(reason)
            return [.refuse(reason.errorCode)]
        case .system:
            state = .closedUntilReopened
            return [.refuse(.systemPromptEnded)]
        }
    }

    /// Fails closed: an invalid event costs the user a PIN entry, never a key.
    mutating func unexpected() -> [Effect] { [.eraseKeys] + demand(.unexpectedEvent) }
}
