import ThumbturnBase
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// The ways in. Each sends events to the rules and carries out the effects they return.
extension Vault {
    /// Unlocks with a finger or face, or asks for one again in an open session: one prompt, whose secret opens the
    /// biometric slot (F-107-04).
    ///
    /// Never returns without an answered prompt. A refusal leaves an open session unchanged.
    ///
    /// - Returns: evidence that the finger or face was presented just now.
    /// - Throws: an error to show to the user; every cause except a passing storage fault requires the strong factor.
    @discardableResult
    public func unlockWithBiometrics(_ prompt: PromptText) async throws(VaultError) -> BiometricAuthorization {
        let session = try await unlock(by: prompt, asking: UnlockMachine.Event.biometricUnlockRequested)
        return BiometricAuthorization(authorization: try authorization(by: .biometric, in: session))
    }

    /// Unlocks by a prompt, as the rules decide.
    ///
    /// - Returns: the id of the session.
    func unlock(
        by prompt: PromptText,
        asking event: (UnlockDecision) -> UnlockMachine.Event
    ) async throws(VaultError) -> Identifier {
        let attempt = newAttempt()
        return try await turn(asksSensor: true) { (turn) async throws(VaultError) -> Identifier in
            try await unlock(by: prompt, asking: event, for: attempt, in: &turn)
        }
    }

    /// Unlocks by a prompt, within a turn.
    func unlock(
        by prompt: PromptText,
        asking event: (UnlockDecision) -> UnlockMachine.Event,
        for attempt: UnlockAttempt,
        in turn: inout Turn
    ) async throws(VaultError) -> Identifier {
        if let refusal = state.condition.refusal, state.condition != .resetPending { throw VaultError(refusal) }
        try attempt.requireOngoing()
        let former = session?.id
        try await drive(event(promptDecision), for: attempt) { (effect) throws(VaultError) in
            try await self.carryOut(effect, prompt: prompt, in: &turn)
        }
        // A lock that came at the very end takes precedence.
        guard let session else { throw VaultError(.locked) }
        // A prompt's secret opens a new session; an earlier session proves nothing.
        guard session.id != former else { throw VaultError(.strongFactorRequired, "nobody was asked") }
        await purgeWhatWaited(in: turn)
        for guest in Guest.all { await guest.afterUnlock?(self, turn) }
        guard !session.isForgotten else { throw VaultError(.locked) }
        return session.id
    }

    /// Unlocks with the PIN or password, or proves it again in an open session.
    ///
    /// - Parameter secret: UTF-8, as typed.
    /// - Returns: the authorization that calls which could cost coins require.
    /// - Throws: `.strongFactorRefused`, `.attemptDelayed` with the time to wait, `.localSecretSuspended`,
    ///   `.keyMissing`, `.systemModeOnly`; `.assuranceTooLow` when the policy sets a minimum assurance for a PIN,
    ///   `.secretMalformed` for input that can't be a PIN, or why storage failed; none of these three counts as a
    ///   guess.
    @discardableResult
    public func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        let attempt = newAttempt()
        // A former app's PIN may require a finger as well.
        return try await turn(asksSensor: state.migration == .half) {
            (turn) async throws(VaultError) -> StrongAuthorization in
            try requirePIN()
            // No PIN is empty: an empty line tells an attacker nothing, so it costs no attempt.
            guard secret.byteCount > 0 else { throw VaultError(.strongFactorRefused) }
            // A former app's PIN may have any form that the app allowed.
            for guest in Guest.all {
                if let opened = try await guest.opensWithoutSlot?(self, secret, attempt, &turn) { return opened }
            }
            // No PIN contains a tab either; a line of a bulk import entered by mistake does (A19).
            guard secret.withBytes(LocalSecretRules.isWellFormed) else { throw VaultError(.secretMalformed) }
            guard let slot = state.slot(.localSecret), state.condition == .ready, let item = slot.item else {
                throw VaultError(state.condition.refusal ?? .keyMissing)
            }
            let opened = try await unlock(by: .localSecret, for: attempt, in: &turn) { _ throws(VaultError) in
                let ahead = WalletsAhead(count: self.state.head.walletCount)
                let stretched = try self.stretch(secret, as: slot, readingInto: ahead)
                guard let share = try await self.deviceShare(item, of: slot, under: stretched) else {
                    return .strongSecretRefused
                }
                // A lock that came while the device was busy takes precedence (A36).
                try attempt.requireOngoing()
                let event = try self.open(slot, with: .local(LocalSecret(stretched: stretched, deviceShare: share)))
                self.keys.candidate?.ahead = ahead.reading
                return event
            }
            var authorization = try authorization(by: .localSecret, in: opened)
            session?.secretSuffices = (try? checkStrength(of: secret)) != nil
            for guest in Guest.all {
                try await guest.afterSecret?(self, secret, slot, turn)
                await guest.afterStrong?(self, slot, turn)
                await guest.afterUnlock?(self, turn)
            }
            // The same secret may have a new slot by now.
            if let stronger = state.slot(.localSecret) { authorization.record = stronger.id }
            guard session != nil else { throw VaultError(.locked) }
            return authorization
        }
    }

    /// Opens a strong slot: records the attempt, opens the slot with `open`, and acknowledges the success, in that
    /// order.
    ///
    /// - Parameter attempt: created when the unlock was requested.
    /// - Returns: the id of the session.
    func unlock(
        by secret: StrongSecret,
        for attempt: UnlockAttempt,
        in turn: inout Turn,
        _ open: (borrowing Turn) async throws(VaultError) -> UnlockMachine.Event
    ) async throws(VaultError) -> Identifier {
        let decision = secret.isCounted ? state.attemptDecision(at: device.clock()) : .allowed
        var counted: LedgerPosition?
        if secret.isCounted { configuration.attempting(true) }
        defer { if secret.isCounted { configuration.attempting(false) } }
        try await drive(.strongSecretEntered(secret, decision), for: attempt) { (effect) throws(VaultError) in
            do throws(VaultError) {
                guard case .openSlot = effect else {
                    let next: UnlockMachine.Event?
                    do throws(VaultError) {
                        next = try await self.carryOut(effect, prompt: nil, trying: secret, in: &turn)
                    } catch {
                        // The recovery key is not counted, so a full disk that can't record the attempt must not keep
                        // the owner out.
                        guard secret == .recovery, error.code == .diskFull else { throw error }
                        self.configuration.tolerated(error)
                        next = nil
                    }
                    if case .recordAttempt = effect { counted = self.bookkeeper.row?.position }
                    return next
                }
                // A lock that came in the meantime takes precedence, before anything is learned about the secret (A36).
                try attempt.requireOngoing()
                let answer = try await open(turn)
                if secret == .offlinePassword, answer != .strongSecretRefused, let position = counted {
                    // The password is right, so this is no failure; earlier failures stay counted, since the service
                    // has not verified it (F-107-05).
                    try await self.takeBackAttempt(at: position, in: turn)
                } else {
                    try await self.endAttempt(in: turn)
                }
                if answer == .strongSecretRefused { counted = nil }  // This attempt failed, and stays counted.
                return answer
            } catch {
                // The error did not show whether the secret is wrong, so it was no guess (A19).
                if let counted {
                    await self.tolerating { () async throws(VaultError) in
                        try await self.takeBackAttempt(at: counted, in: turn)
                    }
                }
                throw error
            }
        }
        guard let session else { throw VaultError(.locked) }
        await purgeWhatWaited(in: turn)
        return session.id
    }

    /// Opens a slot, and returns the result as an event for the rules.
    func open(_ slot: SlotRecord, with secret: borrowing SlotSecret) throws(VaultError) -> UnlockMachine.Event {
        guard let proof = try openSlot(slot, with: secret) else { return .strongSecretRefused }
        if slot.kind.isGuessable, proof.integrity != .tampered { try checkWorth(under: state.head.policy) }
        return .proved(proof, promptDecision)
    }

    /// Opens a slot and keeps its key as the candidate for a session; nil when the secret does not open it.
    private func openSlot(_ slot: SlotRecord, with secret: borrowing SlotSecret) throws(VaultError) -> UnlockProof? {
        guard let masterKey = try slot.open(with: secret) else { return nil }
        // Use the slot's key id: the head is not verified yet.
        let opened = newSession(masterKey, named: slot.key, of: slot.vault)
        keys.propose(opened)
        let integrity = integrity(for: opened)
        opened.isBesideTampering = integrity == .tampered
        return slot.proof(of: opened, integrity: integrity)
    }

}

// Carrying out what the rules order.
extension Vault {
    /// Returns the refusal of a PIN that may not be tried yet.
    func delayed(_ span: Milliseconds) -> VaultError {
        VaultError(waiting: span, recoveryKeyOpens: state.slot(.recovery) != nil)
    }

    /// Sends an event to the rules and carries out their effects, whose results are sent back, until no event is left.
    ///
    /// Throws the first refusal at the end; a storage or device failure is thrown at once, as it is.
    ///
    /// - Throws: `.locked` when a lock cancelled the attempt before it began.
    func drive(
        _ first: UnlockMachine.Event,
        for attempt: UnlockAttempt,
        _ carryOut: (UnlockMachine.Effect) async throws(VaultError) -> UnlockMachine.Event?
    ) async throws(VaultError) {
        try attempt.requireOngoing()
        keys.judge(attempt)
        var events = [first]
        var refusal: VaultError?
        defer {
            keys.judge(nil)
            publish()
        }
        var cause: DeviceRefusal?
        while let event = events.popLast() {
            cause = cause ?? event.cause
            let effects = machine.handle(event)
            for (index, effect) in effects.enumerated() {
                switch effect {
                case .refuse(let code):
                    refusal = refusal ?? VaultError(code, because: cause)
                case .refuseUntil(let remaining):
                    refusal = refusal ?? delayed(remaining)
                default:
                    do {
                        publish()
                        if let next = try await carryOut(effect) { events.append(next) }
                    } catch {
                        apply(machine.failed(at: index, of: effects))
                        keys.dropCandidate()
                        throw error
                    }
                }
            }
        }
        if let refusal { throw refusal }
    }

    /// Carries out one effect; some effects return the next event.
    func carryOut(
        _ effect: UnlockMachine.Effect,
        prompt: PromptText?,
        trying secret: StrongSecret? = nil,
        in turn: inout Turn
    ) async throws(VaultError) -> UnlockMachine.Event? {
        switch effect {
        case .showBiometricPrompt:
            // A mismatch that the prompt could then not count would be a free guess (C5).
            try store.transaction(isFlushed: false) { () throws(VaultError) in try store.reserveRoom() }
            return try await readBehindPrompt(prompt, for: .biometric, in: &turn)
        case .showSystemPrompt:
            return try await readBehindPrompt(prompt, for: .system, in: &turn)
        case .countBiometricFailures(let count):
            do throws(VaultError) {
                try await demand(in: turn, telling: [event(.biometricFailure)]) { $0.apply(effect, at: now) }
            } catch {
                // The next look counts the failures, and nothing opens before that.
                if error.code == .diskFull { uncountedFailures += count }
                throw error
            }
            return .biometricFailureCounted(total: state.ledger.biometricFailures)
        case .recordLockout(let told):
            if state.ledger.wasLockedOut {
                if !told.isEmpty { try await tell(events(told), in: turn) }
            } else {
                try await demand(in: turn, telling: events(told)) { $0.apply(effect, at: now) }
            }
        case .recordAttempt:
            _ = try await countAttempt(in: turn)
        case .revokeBiometrics(let confirmed):
            try await revokeBiometrics(confirmed: confirmed, in: turn)
        case .clearBiometricFailures(let told):
            try ease(in: turn, telling: events(told)) { $0.apply(effect, at: now) }
        case .acknowledgeStrongUnlock(let told):
            try await acknowledgeStrongUnlock(in: turn, telling: told.map { event($0, trying: secret) })
        case .clearAttempts(let told):
            let events = events(told, trying: secret)
            if state.condition == .ready, bookkeeper.hasKey {
                try ease(in: turn, telling: events) { $0.apply(effect, at: now) }
            } else {
                try await tell(events, in: turn)
            }
        case .record(let told):
            do throws(VaultError) {
                try await tell(events(told, trying: secret), endsAttempt: secret?.isCounted == true, in: turn)
            } catch {
                // System mode writes nothing else, so a full disk must not shut it.
                guard state.mode == .system, error.code == .diskFull else { throw error }
                configuration.tolerated(error)
            }
        case .openSlot, .publishSession, .eraseKeys, .coverScreen, .refuse, .refuseUntil:
            apply([effect])
        }
        return nil
    }

    /// Reads the item behind a prompt.
    ///
    /// Only its secret counts as success: it must open the slot, otherwise the prompt proved nothing (A29, A30).
    ///
    /// The prompt may take any time, so it releases the process lock; what other processes changed is read again
    /// afterwards.
    private func readBehindPrompt(
        _ prompt: PromptText?,
        for kind: SlotKind,
        in turn: inout Turn
    ) async throws(VaultError) -> UnlockMachine.Event {
        guard let prompt, let slot = state.promptedSlot(kind), let item = slot.item else {
            return .refused(.unclassified, at: kind)
        }
        turn.pause()
        do throws(DeviceRefusal) {
            let released = try await device.store.read(item, prompt: prompt)
            do { try await turn.resume() } catch { throw .unavailable }
            return try await openPromptedSlot(slot, with: released, of: item, in: turn)
        } catch {
            // Failures may have locked the sensor out.
            if error != .unavailable { await lookAtSensor() }
            do throws(VaultError) {
                try await turn.resume()
                if error != .unavailable { try await lookAround(in: turn) }
            } catch let failure {
                // Keep the mismatch although the ledger can't be reached: the next look counts it.
                if kind == .biometric { uncountedFailures += error.mismatches }
                throw failure
            }
            let refusal = withoutSecret(await meaning(of: error, for: slot, item))
            return .refused(refusal.standing(for: error), at: kind)
        }
    }

    /// Translates a refused read to what it means for the current slot.
    ///
    /// Another process may have removed or replaced the slot while the prompt was shown; then a missing item is no
    /// reason to revoke anything (A38).
    private func meaning(of refusal: DeviceRefusal, for slot: SlotRecord, _ item: ItemName) async -> DeviceRefusal {
        let stands = state.promptedSlot(slot.kind) == slot
        // A single answer may be wrong (A25).
        let isThere = refusal == .absent ? await device.presence(of: item) != .absent : false
        return switch refusal.meaning {
        case .absent, .revoked:
            stands && !isThere ? .revoked : .cancelledBySystem
        case .damaged, .weakerThanAsked, .wrongAuthorisation, .proofNotAccepted, .unclassified:
            stands ? refusal : .cancelledBySystem
        case .cancelledByUser, .cancelledBySystem, .fallbackChosen, .notRecognised, .lockedOut, .notEnrolled,
            .hardwareMissing, .readerFailed, .unavailable:
            refusal
        }
    }

    /// Translates a reader failure when there is no PIN or password yet: nothing else can be asked for, so the prompt
    /// may be retried, and a mismatch before the failure still counts (C7).
    func withoutSecret(_ refusal: DeviceRefusal) -> DeviceRefusal {
        let awaitsSecret = state.migration == .legacy || state.migration == .half
        guard case .readerFailed = refusal.meaning, awaitsSecret else { return refusal }
        return DeviceRefusal.unavailable.standing(for: refusal)
    }

    private func openPromptedSlot(
        _ slot: SlotRecord,
        with released: consuming SecretBytes,
        of item: ItemName,
        in turn: borrowing Turn
    ) async throws(DeviceRefusal) -> UnlockMachine.Event {
        do {
            let random = try RandomSecret(loading: released)
            guard let secret = SlotSecret(released: random, to: slot.kind) else { throw DeviceRefusal.unclassified }
            try await lookAround(after: item, in: turn)
            // A lock that came during the prompt takes precedence, and a slot removed in the meantime opens nothing:
            // neither is evidence against the finger.
            guard machine.state.promptedSlot == slot.kind, state.promptedSlot(slot.kind) == slot else {
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
    /// Also deletes the item if it is known to be dead; otherwise that waits (C16).
    private func revokeBiometrics(confirmed: Bool, in turn: borrowing Turn) async throws(VaultError) {
        guard let slot = state.biometricSlot, let item = slot.item else { return }
        try await revoke(slot, .biometricsChanged, in: turn)
        if confirmed { _ = await deleteRevoked(item) }
    }

    /// Completes a strong unlock: clears failures, records its time, and moves the ledger's restrictions into the head.
    func acknowledgeStrongUnlock(in turn: borrowing Turn, telling events: [AuditEvent]) async throws(VaultError) {
        let now = device.clock()
        guard let candidate = keys.candidate, state.condition == .ready else {
            // There is no ledger to write; recovery makes a new one.
            return try await tell(events, in: turn)
        }
        var change = try change(by: candidate)
        change.ledger.acknowledgeStrongUnlock(at: now)
        // Nothing can be removed from an unreadable table; the ledger keeps biometrics restricted.
        if state.contents.lost.isEmpty { try order(.strongFactorGiven, into: &change) }
        let installation = try await device.currentInstallation()
        let standing = bookkeeper.machine
        if installation != change.head.installation {
            change.head.installation = installation
        } else if change.removing.isEmpty, state.headStanding == .named, !state.canMendSlots {
            return try ease(in: turn, telling: events) { $0.acknowledgeStrongUnlock(at: now) }
        }
        change.tell(events)
        do throws(VaultError) {
            try await commit(change, for: candidate, in: turn)
        } catch {
            // A page that can't be changed must not stop an unlock: the restrictions stay in the ledger.
            guard error.code == .vaultDamaged || error.code == .vaultTampered, state.headStanding != .putBack else {
                throw error
            }
            configuration.tolerated(error)
            bookkeeper.stand(as: standing)
            try ease(in: turn, telling: events) { $0.acknowledgeStrongUnlock(at: now) }
        }
    }
}

extension UnlockMachine.Event {
    /// The refusal that the event reports.
    fileprivate var cause: DeviceRefusal? {
        switch self {
        case .biometricsRefused(let refusal), .systemRefused(let refusal): refusal
        default: nil
        }
    }

    /// The event for a refused prompt, by the kind of its slot.
    fileprivate static func refused(_ refusal: DeviceRefusal, at kind: SlotKind) -> UnlockMachine.Event {
        switch kind {
        case .system: .systemRefused(refusal)
        case .biometric, .localSecret, .recovery, .password: .biometricsRefused(refusal)
        }
    }
}
