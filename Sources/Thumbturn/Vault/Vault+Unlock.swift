import ThumbturnBase
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// The ways in. Each asks the rules with events and carries out what they order.
extension Vault {
    /// Unlocks with a finger or face, or asks for one again in an open session: one prompt, and the secret behind it opens the
    /// biometric slot (F-107-04).
    ///
    /// It never returns without a prompt that was answered. A refusal leaves an open session as it was.
    ///
    /// - Returns: what says that the finger or face was there just now.
    /// - Throws: what to tell the user; every cause that is not a passing fault of storage ends in the strong factor.
    @discardableResult
    public func unlockWithBiometrics(_ prompt: PromptText) async throws(VaultError) -> BiometricAuthorization {
        let session = try await unlock(by: prompt, asking: UnlockMachine.Event.biometricUnlockRequested)
        return BiometricAuthorization(authorization: try authorization(by: .biometric, in: session))
    }

    /// Unlocks by a prompt, as the rules answer to what is asked of them.
    ///
    /// - Returns: the session, as it is named.
    func unlock(
        by prompt: PromptText,
        asking event: (UnlockDecision) -> UnlockMachine.Event
    ) async throws(VaultError) -> Identifier {
        let attempt = newAttempt()
        return try await turn { () async throws(VaultError) -> Identifier in
            if let refusal = outside.condition.refusal, outside.condition != .resetPending { throw VaultError(refusal) }
            let former = session?.id
            try await drive(event(promptDecision), in: attempt) { (effect) throws(VaultError) in
                try await self.carryOut(effect, prompt: prompt)
            }
            // A lock that came at the very end has won.
            guard let session else { throw VaultError(.locked) }
            // Whatever was released opened a session of its own; one that was open before is nobody's word.
            guard session.id != former else { throw VaultError(.strongFactorRequired, "nobody was asked") }
            await purgeWhatWaited()
            await eraseFormerQuietly()
            guard !session.isForgotten else { throw VaultError(.locked) }
            return session.id
        }
    }

    /// Unlocks with the PIN or password, or proves it again in an open session.
    ///
    /// - Parameter secret: UTF-8, as it was typed.
    /// - Returns: what calls that could cost coins ask for.
    /// - Throws: `.strongFactorRefused`, `.attemptDelayed` with the time to wait, `.localSecretSuspended`, `.keyMissing`,
    ///   `.systemModeOnly`; `.assuranceTooLow` where the policy names a least assurance for a PIN, `.secretMalformed` for what is no PIN anywhere, or why storage failed, neither of which counts as a
    ///   guess.
    @discardableResult
    public func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        let attempt = newAttempt()
        return try await turn { () async throws(VaultError) -> StrongAuthorization in
            try requireLocalMode()
            // No PIN is empty, so an empty line tells nobody anything and costs no attempt.
            guard secret.byteCount > 0 else { throw VaultError(.strongFactorRefused) }
            // A former app's PIN was what that app allowed.
            if outside.migration == .half { return try await complete(with: secret, pin: secret, in: attempt) }
            // Nor does one hold a tab, as a wallet's line of a bulk import does that came in its place (A19).
            guard secret.withBytes(LocalSecretRules.isWellFormed) else { throw VaultError(.secretMalformed) }
            guard let slot = outside.slot(.localSecret), outside.condition == .ready, let item = slot.item else {
                throw VaultError(outside.condition.refusal ?? .keyMissing)
            }
            let opened = try await unlock(by: .localSecret, in: attempt) { () throws(VaultError) in
                let stretched = try slot.stretch(secret, limits: self.configuration.argon2)
                guard let share = try await self.deviceShare(item, of: slot, under: stretched) else {
                    return .strongSecretRefused
                }
                // A lock that came while the device worked has won (A36).
                try attempt.requireOngoing()
                return try self.open(slot, with: .local(LocalSecret(stretched: stretched, deviceShare: share)))
            }
            var authorization = try authorization(by: .localSecret, in: opened)
            session?.secretSuffices = (try? checkStrength(of: secret)) != nil
            try await strengthen(slot, secret)
            // The same secret may have another slot now.
            if let stronger = outside.slot(.localSecret) { authorization.record = stronger.id }
            await removeFormerParts(of: item)
            await renewBiometrics()
            await eraseFormerQuietly()
            guard session != nil else { throw VaultError(.locked) }
            return authorization
        }
    }

    /// What the device adds to a stretched secret; nil where its hardware counts for itself and says that this one is wrong.
    ///
    /// - Throws: `.attemptDelayed` while such hardware refuses every secret; `.keyMissing`, `.storageUnavailable`.
    func deviceShare(
        _ item: ItemName,
        of slot: SlotRecord,
        under stretched: borrowing StretchedSecret
    ) async throws(VaultError) -> SecretBytes? {
        let authorisation = stretched.authorisation(salt: slot.salt)
        do throws(DeviceRefusal) {
            return try await device.store.evaluate(item, for: slot.id, with: authorisation, input: slot.shareInput)
        } catch {
            switch error {
            case .wrongAuthorisation: return nil
            case .lockedOut: throw VaultError(.attemptDelayed, "device secret: \(error)")
            case .absent: throw VaultError(.keyMissing)
            default: throw VaultError(.storageUnavailable, "device secret: \(error)")
            }
        }
    }

    /// Opens a strong slot: the attempt is recorded, the slot opened by `open`, and the success acknowledged, in that order.
    ///
    /// - Parameter attempt: from when the unlock was asked for.
    /// - Returns: the session, as it is named.
    func unlock(
        by secret: StrongSecret,
        in attempt: UnlockAttempt,
        _ open: () async throws(VaultError) -> UnlockMachine.Event
    ) async throws(VaultError) -> Identifier {
        let decision = secret.slot.isGuessable ? outside.attemptDecision(at: device.clock()) : .allowed
        var counted: LedgerPosition?
        try await drive(.strongSecretEntered(secret, decision), in: attempt) { (effect) throws(VaultError) in
            do throws(VaultError) {
                guard case .openSlot = effect else {
                    let next = try await self.carryOut(effect, prompt: nil)
                    if case .recordAttempt = effect { counted = self.bookkeeper.row?.position }
                    return next
                }
                // A lock that came meanwhile has won, before anything was learned of the secret (A36).
                try attempt.requireOngoing()
                let answer = try await open()
                try await self.endAttempt()
                if answer == .strongSecretRefused { counted = nil }  // That one was, and stays.
                return answer
            } catch {
                // Nobody learned that the secret is wrong, so it was no guess (A19).
                if let counted {
                    await self.tolerating { () async throws(VaultError) in try await self.takeBackAttempt(at: counted) }
                }
                throw error
            }
        }
        guard let session else { throw VaultError(.locked) }
        await purgeWhatWaited()
        return session.id
    }

    /// Opens a slot, and says what that is to the rules.
    func open(
        _ slot: SlotRecord,
        with secret: borrowing SlotSecret
    ) throws(VaultError) -> UnlockMachine.Event {
        guard let proof = try openSlot(slot, with: secret) else { return .strongSecretRefused }
        if slot.kind.isGuessable, proof.integrity != .tampered { try checkWorth(under: outside.head.policy) }
        return .proved(proof, promptDecision)
    }

    /// Opens a slot and keeps what was in it as the candidate for a session; nil when the secret does not open it.
    private func openSlot(_ slot: SlotRecord, with secret: borrowing SlotSecret) throws(VaultError) -> UnlockProof? {
        guard let masterKey = try slot.open(with: secret) else { return nil }
        let opened = newSession(masterKey)
        candidate = opened
        let integrity = integrity(for: opened)
        opened.isBesideTampering = integrity == .tampered
        return slot.proof(of: opened, integrity: integrity)
    }

    /// - Parameter head: the head that names the key; nil for the one that stands there.
    func newSession(_ masterKey: consuming MasterKey, of head: Head? = nil) -> Session {
        let head = head ?? outside.head
        return Session(masterKey: masterKey, named: head.key, vault: head.vault, at: device.clock())
    }

    /// A slot of the session's key that is still to be sealed.
    func blankSlot(
        _ kind: SlotKind,
        for session: Session,
        argon2: Argon2Parameters? = nil,
        item: ItemName? = nil,
        ledgerItem: ItemName? = nil,
        policyEpoch: UInt64? = nil
    ) -> SlotRecord {
        SlotRecord(
            vault: session.vault,
            id: .make(),
            kind: kind,
            device: device.kind,
            key: session.key,
            generation: outside.head.generation + 1,
            argon2: argon2,
            item: item,
            ledgerItem: ledgerItem,
            policyEpoch: policyEpoch,
            createdAt: device.clock().wall
        )
    }

    /// What the policy says to a prompt now.
    var promptDecision: UnlockDecision {
        outside.head.policy.decision(for: outside.context(at: device.clock()))
    }

}

// Carrying out what the rules order.
extension Vault {
    /// The refusal of a local secret that may not be tried yet.
    func delayed(_ span: Milliseconds) -> VaultError {
        VaultError(waiting: span, recoveryKeyOpens: outside.slot(.recovery) != nil)
    }

    /// Feeds an event to the rules, and their effects' results back, until nothing is left to do.
    ///
    /// The first refusal is thrown at the end; a failure of storage or device stops at once and is reported as it is.
    ///
    /// - Throws: `.locked` where a lock has ended the attempt before it began.
    func drive(
        _ first: UnlockMachine.Event,
        in attempt: UnlockAttempt,
        _ carryOut: (UnlockMachine.Effect) async throws(VaultError) -> UnlockMachine.Event?
    ) async throws(VaultError) {
        try attempt.requireOngoing()
        self.attempt = attempt
        var events = [first]
        var refusal: VaultError?
        defer {
            self.attempt = nil
            publish()
        }
        while let event = events.popLast() {
            for effect in machine.handle(event) {
                switch effect {
                case .refuse(let code):
                    refusal = refusal ?? VaultError(code)
                case .refuseUntil(let remaining):
                    refusal = refusal ?? delayed(remaining)
                default:
                    do {
                        publish()
                        if let next = try await carryOut(effect) { events.append(next) }
                    } catch {
                        apply(machine.handle(.storageFailed))
                        // The rules may have opened what could not be acknowledged durably: nothing is published then.
                        if candidate != nil { apply(machine.handle(.lockRequested)) }
                        throw error
                    }
                }
            }
        }
        if let refusal { throw refusal }
    }

    /// Carries out one effect; some answer with the next event.
    func carryOut(
        _ effect: UnlockMachine.Effect,
        prompt: PromptText?
    ) async throws(VaultError) -> UnlockMachine.Event? {
        switch effect {
        case .showBiometricPrompt:
            return try await readBehindPrompt(prompt, for: .biometric)
        case .showSystemPrompt:
            return try await readBehindPrompt(prompt, for: .system)
        case .countBiometricFailure:
            try await demand { $0.biometricFailures &+= 1 }
            return .biometricFailureCounted(total: outside.ledger.biometricFailures)
        case .recordLockout:
            if !outside.ledger.wasLockedOut { try await demand { $0.wasLockedOut = true } }
        case .recordAttempt:
            _ = try await countAttempt()
        case .revokeBiometrics(let confirmed):
            try await revokeBiometrics(confirmed: confirmed)
        case .clearBiometricFailures:
            let now = device.clock()
            try ease {
                $0.biometricFailures = 0
                $0.lastUse = now
            }
        case .acknowledgeStrongUnlock:
            try await acknowledgeStrongUnlock()
        case .clearAttempts:
            if outside.condition == .ready, ledgerKey != nil { try ease { $0.clearAttempts() } }
        case .openSlot, .publishSession, .eraseKeys, .coverScreen, .record, .refuse, .refuseUntil:
            apply([effect])
        }
        return nil
    }

    /// Carries out the effects that need no waiting: these work while another call is under way.
    func apply(_ effects: [UnlockMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .publishSession(let scope):
                if let candidate {
                    candidate.secretSuffices = session?.secretSuffices ?? false
                    session?.forget()
                    session = candidate
                }
                candidate = nil
                session?.scope = scope
                machine.adopt(policyInForce, mode: machine.mode)
                startIdleTimer()
            case .eraseKeys:
                candidate?.forget()
                candidate = nil
                successor?.forget()
                successor = nil
                session?.forget()
                session = nil
                idleTimer?.cancel()
            case .coverScreen:
                isCovered = true
            case .record(let kind):
                record(kind)
            case .showBiometricPrompt, .showSystemPrompt, .countBiometricFailure, .recordLockout, .recordAttempt,
                .openSlot,
                .revokeBiometrics, .clearBiometricFailures, .acknowledgeStrongUnlock, .clearAttempts, .refuse,
                .refuseUntil:
                break  // These answer somebody who waits, and nobody does here.
            }
        }
    }

    /// The gated read.
    ///
    /// Its secret is its only success: what it releases must open the slot, or it was nothing (A29, A30).
    ///
    /// The prompt may take as long as it likes, so no other process has to wait for it; what they changed is read anew.
    private func readBehindPrompt(
        _ prompt: PromptText?,
        for kind: SlotKind
    ) async throws(VaultError) -> UnlockMachine.Event {
        guard let prompt, let slot = outside.promptedSlot(kind), let item = slot.item else {
            return .refused(.unclassified, at: kind)
        }
        processLock.release()
        do throws(DeviceRefusal) {
            let released = try await device.store.read(item, prompt: prompt)
            try await processLock.acquire(or: .unavailable)
            return try await openPromptedSlot(slot, with: released, of: item)
        } catch {
            do throws(VaultError) {
                try await processLock.acquire()
                if error != .unavailable { try await lookAround() }
            } catch let failure {
                // What the prompt learned is kept though the ledger can't be reached: the next look counts it.
                let isFailure = error == .notRecognised || error == .cancelledByUser(afterMismatch: true)
                if kind == .biometric, isFailure { uncountedFailures += 1 }
                throw failure
            }
            return .refused(await meaning(of: error, for: slot, item), at: kind)
        }
    }

    /// What a refused read says of the slot that is there now.
    ///
    /// Another process may have removed the slot while the prompt was up, or put a new one in its place; then an item that is
    /// gone is no reason to revoke anything (A38).
    private func meaning(of refusal: DeviceRefusal, for slot: SlotRecord, _ item: ItemName) async -> DeviceRefusal {
        let stands = outside.promptedSlot(slot.kind) == slot
        // One answer may be a mistake (A25).
        let isThere = refusal == .absent ? await presence(of: item) != .absent : false
        return switch refusal {
        case .absent, .revoked:
            stands && !isThere ? .revoked : .cancelledBySystem
        case .weakerThanAsked, .wrongAuthorisation, .unclassified:
            stands ? refusal : .cancelledBySystem
        case .cancelledByUser, .cancelledBySystem, .fallbackChosen, .notRecognised, .lockedOut, .notEnrolled,
            .hardwareMissing, .unavailable:
            refusal
        }
    }

    private func openPromptedSlot(
        _ slot: SlotRecord,
        with released: consuming SecretBytes,
        of item: ItemName
    ) async throws(DeviceRefusal) -> UnlockMachine.Event {
        do {
            let random = try RandomSecret(loading: released)
            guard let secret = SlotSecret(released: random, to: slot.kind) else { throw DeviceRefusal.unclassified }
            try await lookAround(after: item)
            // A lock that came while the prompt was up has won, and a slot that went meanwhile opens nothing: neither says
            // anything against the finger.
            guard machine.state.promptedSlot == slot.kind, outside.promptedSlot(slot.kind) == slot else {
                return .refused(.cancelledBySystem, at: slot.kind)
            }
            guard let proof = try openSlot(slot, with: secret) else {
                return .refused(.unclassified, at: slot.kind)
            }
            return .proved(proof, promptDecision)
        } catch is CryptoError {
            throw .unclassified
        } catch {
            throw .unavailable
        }
    }

    /// Restricts the slot at once.
    ///
    /// Where the item is known to be dead it is deleted too; else that waits (C16).
    private func revokeBiometrics(confirmed: Bool) async throws(VaultError) {
        guard let slot = outside.biometricSlot, let item = slot.item else { return }
        try await revoke(slot, .biometricsChanged)
        guard confirmed else { return }
        do { try await device.store.delete(item) } catch {
            configuration.tolerated(VaultError(.storageUnavailable, "revoked item: \(error)"))
        }
    }

    func record(_ kind: AuditEventKind, reason: String? = nil) {
        let now = device.clock()
        let succeeded = kind == .biometricSuccess || kind == .passwordFallback || kind == .systemSuccess
        configuration.audit(
            AuditEvent(
                kind: kind,
                at: now,
                biometryType: outside.capability.biometryType,
                attemptCount: kind == .biometricFailure || kind == .biometricSuccess
                    ? outside.ledger.biometricFailures : outside.ledger.attempts.failures,
                unlockDuration: succeeded ? attempt.map { now.boottime - $0.startedAt.boottime } : nil,
                reason: reason
            )
        )
    }
}

extension UnlockMachine.Event {
    /// What the prompt for a slot of this kind came to.
    fileprivate static func refused(_ refusal: DeviceRefusal, at kind: SlotKind) -> UnlockMachine.Event {
        switch kind {
        case .system: .systemRefused(refusal)
        case .biometric, .localSecret, .recovery: .biometricsRefused(refusal)
        }
    }
}
