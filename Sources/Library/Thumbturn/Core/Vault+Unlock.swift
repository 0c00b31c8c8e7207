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
        return try await turn(asksSensor: true) { () async throws(VaultError) -> Identifier in
            try await unlock(by: prompt, asking: event, in: attempt)
        }
    }

    /// The same within a turn.
    func unlock(
        by prompt: PromptText,
        asking event: (UnlockDecision) -> UnlockMachine.Event,
        in attempt: UnlockAttempt
    ) async throws(VaultError) -> Identifier {
        if let refusal = state.condition.refusal, state.condition != .resetPending { throw VaultError(refusal) }
        try attempt.requireOngoing()
        let former = session?.id
        try await drive(event(promptDecision), in: attempt) { (effect) throws(VaultError) in
            try await self.carryOut(effect, prompt: prompt)
        }
        // A lock that came at the very end has won.
        guard let session else { throw VaultError(.locked) }
        // What a prompt releases opens a session of its own; one that was open before proves nothing.
        guard session.id != former else { throw VaultError(.strongFactorRequired, "nobody was asked") }
        await purgeWhatWaited()
        for guest in Guest.all { await guest.afterUnlock?(self) }
        guard !session.isForgotten else { throw VaultError(.locked) }
        return session.id
    }

    /// Unlocks with the PIN or password, or proves it again in an open session.
    ///
    /// - Parameter secret: UTF-8, as it was typed.
    /// - Returns: what calls that could cost coins ask for.
    /// - Throws: `.strongFactorRefused`, `.attemptDelayed` with the time to wait, `.localSecretSuspended`, `.keyMissing`,
    ///   `.systemModeOnly`; `.assuranceTooLow` where the policy names a least assurance for a PIN, `.secretMalformed` for what
    ///   is no PIN anywhere, or why storage failed, neither of which counts as a guess.
    @discardableResult
    public func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        let attempt = newAttempt()
        // A former app's PIN may ask for a finger besides.
        return try await turn(asksSensor: state.migration == .half) {
            () async throws(VaultError) -> StrongAuthorization in
            try requirePIN()
            // No PIN is empty, so an empty line tells nobody anything and costs no attempt.
            guard secret.byteCount > 0 else { throw VaultError(.strongFactorRefused) }
            // A former app's PIN was what that app allowed.
            for guest in Guest.all {
                if let opened = try await guest.opensWithoutSlot?(self, secret, attempt) { return opened }
            }
            // Nor does one hold a tab, as a wallet's line of a bulk import does that came in its place (A19).
            guard secret.withBytes(LocalSecretRules.isWellFormed) else { throw VaultError(.secretMalformed) }
            guard let slot = state.slot(.localSecret), state.condition == .ready, let item = slot.item else {
                throw VaultError(state.condition.refusal ?? .keyMissing)
            }
            let opened = try await unlock(by: .localSecret, in: attempt) { () throws(VaultError) in
                let ahead = WalletsAhead(count: self.state.head.walletCount)
                let stretched = try self.stretch(secret, as: slot, readingInto: ahead)
                guard let share = try await self.deviceShare(item, of: slot, under: stretched) else {
                    return .strongSecretRefused
                }
                // A lock that came while the device worked has won (A36).
                try attempt.requireOngoing()
                let event = try self.open(slot, with: .local(LocalSecret(stretched: stretched, deviceShare: share)))
                self.candidate?.ahead = ahead.reading
                return event
            }
            var authorization = try authorization(by: .localSecret, in: opened)
            session?.secretSuffices = (try? checkStrength(of: secret)) != nil
            for guest in Guest.all {
                try await guest.afterSecret?(self, secret, slot)
                await guest.afterStrong?(self, slot)
                await guest.afterUnlock?(self)
            }
            // The same secret may have another slot now.
            if let stronger = state.slot(.localSecret) { authorization.record = stronger.id }
            guard session != nil else { throw VaultError(.locked) }
            return authorization
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
        let decision = secret.isCounted ? state.attemptDecision(at: device.clock()) : .allowed
        var counted: LedgerPosition?
        if secret.isCounted { configuration.attempting(true) }
        defer { if secret.isCounted { configuration.attempting(false) } }
        try await drive(.strongSecretEntered(secret, decision), in: attempt) { (effect) throws(VaultError) in
            do throws(VaultError) {
                guard case .openSlot = effect else {
                    let next: UnlockMachine.Event?
                    do throws(VaultError) { next = try await self.carryOut(effect, prompt: nil) } catch {
                        // It counts nothing, so what a full disk takes no note of keeps its owner from nothing.
                        guard secret == .recovery, error.code == .diskFull else { throw error }
                        self.configuration.tolerated(error)
                        next = nil
                    }
                    if case .recordAttempt = effect { counted = self.bookkeeper.row?.position }
                    return next
                }
                // A lock that came meanwhile has won, before anything was learned of the secret (A36).
                try attempt.requireOngoing()
                let answer = try await open()
                if secret == .offlinePassword, answer != .strongSecretRefused, let position = counted {
                    // Right, and no failure; what was counted before stays, for nobody else has heard the password (F-107-05).
                    try await self.takeBackAttempt(at: position)
                } else {
                    try await self.endAttempt()
                }
                if answer == .strongSecretRefused { counted = nil }  // That one was, and stays.
                return answer
            } catch {
                // It did not show whether the secret is wrong, so it was no guess (A19).
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
        if slot.kind.isGuessable, proof.integrity != .tampered { try checkWorth(under: state.head.policy) }
        return .proved(proof, promptDecision)
    }

    /// Opens a slot and keeps what was in it as the candidate for a session; nil when the secret does not open it.
    private func openSlot(_ slot: SlotRecord, with secret: borrowing SlotSecret) throws(VaultError) -> UnlockProof? {
        guard let masterKey = try slot.open(with: secret) else { return nil }
        // Not as the head names it, which nobody has verified.
        let opened = newSession(masterKey, named: slot.key, of: slot.vault)
        candidate = opened
        let integrity = integrity(for: opened)
        opened.isBesideTampering = integrity == .tampered
        return slot.proof(of: opened, integrity: integrity)
    }

    /// What the policy says to a prompt now.
    var promptDecision: UnlockDecision {
        state.head.policy.decision(for: state.context(at: device.clock()))
    }
}

// Carrying out what the rules order.
extension Vault {
    /// The refusal of a PIN that may not be tried yet.
    func delayed(_ span: Milliseconds) -> VaultError {
        VaultError(waiting: span, recoveryKeyOpens: state.slot(.recovery) != nil)
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
            let effects = machine.handle(event)
            for (index, effect) in effects.enumerated() {
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
                        apply(machine.failed(at: index, of: effects))
                        forgetCandidate()
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
            // A mismatch that could not be counted then would be free (C5).
            try store.transaction(isFlushed: false) { () throws(VaultError) in try store.reserveRoom() }
            return try await readBehindPrompt(prompt, for: .biometric)
        case .showSystemPrompt:
            return try await readBehindPrompt(prompt, for: .system)
        case .countBiometricFailure:
            do throws(VaultError) { try await demand { $0.take(effect, at: now) } } catch {
                // The next look counts it, and nothing opens before.
                if error.code == .diskFull { uncountedFailures += 1 }
                throw error
            }
            return .biometricFailureCounted(total: state.ledger.biometricFailures)
        case .recordLockout:
            if !state.ledger.wasLockedOut { try await demand { $0.take(effect, at: now) } }
        case .recordAttempt:
            _ = try await countAttempt()
        case .revokeBiometrics(let confirmed):
            try await revokeBiometrics(confirmed: confirmed)
        case .clearBiometricFailures:
            try ease { $0.take(effect, at: now) }
        case .acknowledgeStrongUnlock:
            try await acknowledgeStrongUnlock()
        case .clearAttempts:
            if state.condition == .ready, bookkeeper.hasKey { try ease { $0.take(effect, at: now) } }
        case .openSlot, .publishSession, .eraseKeys, .coverScreen, .record, .refuse, .refuseUntil:
            apply([effect])
        }
        return nil
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
        guard let prompt, let slot = state.promptedSlot(kind), let item = slot.item else {
            return .refused(.unclassified, at: kind)
        }
        processLock.release()
        do throws(DeviceRefusal) {
            let released = try await device.store.read(item, prompt: prompt)
            try await processLock.acquire(or: .unavailable)
            return try await openPromptedSlot(slot, with: released, of: item)
        } catch {
            // Failures may have locked the sensor.
            if error != .unavailable { await lookAtSensor() }
            do throws(VaultError) {
                try await processLock.acquire()
                if error != .unavailable { try await lookAround() }
            } catch let failure {
                // What the prompt learned is kept though the ledger can't be reached: the next look counts it.
                if kind == .biometric, error.followsMismatch { uncountedFailures += 1 }
                throw failure
            }
            let refusal = try await waitingWithoutSecret(await meaning(of: error, for: slot, item))
            return .refused(refusal, at: kind)
        }
    }

    /// What a refused read says of the slot that is there now.
    ///
    /// Another process may have removed the slot while the prompt was up, or put a new one in its place; then an item that is
    /// gone is no reason to revoke anything (A38).
    private func meaning(of refusal: DeviceRefusal, for slot: SlotRecord, _ item: ItemName) async -> DeviceRefusal {
        let stands = state.promptedSlot(slot.kind) == slot
        // One answer may be a mistake (A25).
        let isThere = refusal == .absent ? await device.presence(of: item) != .absent : false
        return switch refusal {
        case .absent, .revoked:
            stands && !isThere ? .revoked : .cancelledBySystem
        case .damaged, .weakerThanAsked, .wrongAuthorisation, .unclassified:
            stands ? refusal : .cancelledBySystem
        case .cancelledByUser, .cancelledBySystem, .fallbackChosen, .notRecognised, .lockedOut, .notEnrolled,
            .hardwareMissing, .readerFailed, .unavailable:
            refusal
        }
    }

    /// What a reader's failure means where no PIN or password stands yet: nothing else can be asked for, so it is tried again,
    /// and a mismatch before it counts all the same (C7).
    func waitingWithoutSecret(_ refusal: DeviceRefusal) async throws(VaultError) -> DeviceRefusal {
        let awaitsSecret = state.migration == .legacy || state.migration == .half
        guard case .readerFailed(let afterMismatch) = refusal, awaitsSecret else { return refusal }
        if afterMismatch {
            _ = try await carryOut(.countBiometricFailure, prompt: nil)
            apply([.record(.biometricFailure)])
        }
        return .unavailable
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
    /// Where the item is known to be dead it is deleted too; else that waits (C16).
    private func revokeBiometrics(confirmed: Bool) async throws(VaultError) {
        guard let slot = state.biometricSlot, let item = slot.item else { return }
        try await revoke(slot, .biometricsChanged)
        if confirmed { _ = await deleteRevoked(item) }
    }

    /// After a strong unlock: clears failures, dates it, and folds what restricts the vault into its head.
    func acknowledgeStrongUnlock() async throws(VaultError) {
        guard let candidate else { return }
        let now = device.clock()
        guard state.condition == .ready else { return }  // Nothing to write a ledger with: recovery makes it anew.
        var change = try change(by: candidate)
        change.ledger.acknowledgeStrongUnlock(at: now)
        // From a table that can't be read nothing can be removed; the ledger keeps the finger out.
        if state.contents.lost.isEmpty { try order(.strongFactorGiven, into: &change) }
        let installation = try await device.currentInstallation()
        let standing = bookkeeper.machine
        if installation != change.head.installation {
            change.head.installation = installation
        } else if change.removing.isEmpty, state.headStanding == .named, !state.canMendSlots {
            return try ease { $0.acknowledgeStrongUnlock(at: now) }
        }
        do throws(VaultError) {
            try await commit(change, for: candidate)
        } catch {
            // A page that takes no change must not stop an unlock: what was to be folded in goes on standing in the ledger.
            guard error.code == .vaultDamaged || error.code == .vaultTampered, state.headStanding != .putBack else {
                throw error
            }
            configuration.tolerated(error)
            bookkeeper.stand(as: standing)
            try ease { $0.acknowledgeStrongUnlock(at: now) }
        }
    }
}

extension UnlockMachine.Event {
    /// What the prompt for a slot of this kind came to.
    fileprivate static func refused(_ refusal: DeviceRefusal, at kind: SlotKind) -> UnlockMachine.Event {
        switch kind {
        case .system: .systemRefused(refusal)
        case .biometric, .localSecret, .recovery, .password: .biometricsRefused(refusal)
        }
    }
}
