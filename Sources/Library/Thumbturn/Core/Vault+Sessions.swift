import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The keys in memory.
extension Vault {
    /// Carries out the effects that need no waiting; safe to call while another call is in progress.
    func apply(_ effects: [UnlockMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .publishSession(let scope):
                keys.open(scope)
                machine.adopt(policyInForce, mode: machine.mode)
                startIdleTimer()
            case .eraseKeys:
                keys.erase()
            case .coverScreen:
                isCovered = true
            case .showBiometricPrompt, .showSystemPrompt, .countBiometricFailures, .recordLockout, .recordAttempt,
                .openSlot,
                .revokeBiometrics, .clearBiometricFailures, .acknowledgeStrongUnlock, .clearAttempts, .record,
                .refuse, .refuseUntil:
                break  // These write, or answer a waiting caller, and there is none here.
            }
        }
    }

    /// Restricts the open session to exports, and tells of it: the restriction does not wait for that.
    func restrict() {
        let effects = machine.handle(.tamperingFound)
        apply(effects)
        for case .record(let kinds) in effects {
            tolerating { () throws(VaultError) in _ = try trail.transaction(telling: TrailEntry(events(kinds))) {} }
        }
    }

    /// Creates a session with the key that the head names.
    func newSession(_ masterKey: consuming MasterKey) -> Session {
        newSession(masterKey, named: state.head.key, of: state.head.vault)
    }

    func newSession(_ masterKey: consuming MasterKey, named key: Identifier, of vault: Identifier) -> Session {
        Session(masterKey: masterKey, named: key, vault: vault, at: device.clock())
    }

    /// Starts an attempt to open the vault.
    func newAttempt() -> UnlockAttempt { keys.newAttempt(at: device.clock()) }

    /// Locks as part of a call that is in progress.
    func lockAtOnce() {
        keys.endAttempts()
        apply(machine.handle(.lockRequested))
        publish()
    }

    func isAuthentic(for session: Session) -> Bool { session.verified(state.contents.head, slots: state.slots) != nil }

    /// Returns the vault's integrity as a session that just opened can judge it, including the ledger.
    func integrity(for session: Session) -> VaultIntegrity {
        guard isAuthentic(for: session) else { return .tampered }
        return state.headStanding == .putBack ? .putBack : .intact
    }

    /// Verifies the open session against the current head, which another process may have changed.
    func verifyOpenSession() {
        if state.condition == .resetPending {
            // Another process erased the vault, which is no tampering: the session's key opens nothing any more.
            apply(machine.handle(.lockRequested))
            return
        }
        guard let session else { return }
        let isOutlived = !state.slots.isEmpty && state.slots.allSatisfy { $0.key != session.key }
        if isOutlived {
            // Another process gave the vault a new key, or created another vault here: that is no tampering, and the
            // session's own key opens nothing any more.
            apply(machine.handle(.lockRequested))
            return
        }
        session.isBesideTampering = session.vault != state.head.vault || !isAuthentic(for: session)
        guard session.scope == .full else { return }
        if session.isBesideTampering { restrict() }
    }
}

// Locking does not wait: the session ends first, and the time of its last use is written afterwards.
extension Vault {
    /// Locks: zeroises the master key at once.
    ///
    /// An unlock in progress opens nothing (A36).
    public func lock() async { await leave(.lockRequested) }

    /// Tells the vault that the app left the foreground: it covers the screen, and locks if the policy says so (C17).
    ///
    /// It does not learn that the system is about to suspend the app: use `followDevice` for that.
    public func enterBackground() async { await remember(moveToBackground()) }

    /// Covers the screen, and locks if the policy says so.
    ///
    /// - Returns: when the session, if there was one, was last used.
    func moveToBackground() -> ClockReading? {
        isCovered = true
        coverCount &+= 1
        return end(.movedToBackground)
    }

    /// Locks an idle session and uncovers, in one step: a cover set while waiting is not this call's to lift (A37).
    ///
    /// - Returns: when the session that was idle for too long was last used.
    func uncover() -> ClockReading? {
        let used = isIdle ? end(.idleLimitPassed) : nil
        isCovered = false
        publish()
        return used
    }

    /// Locks a session that was idle for longer than the policy allows; a timer calls this too.
    package func lockIfIdle() async { if isIdle { await leave(.idleLimitPassed) } }

    private func leave(_ event: UnlockMachine.Event) async { await remember(end(event)) }

    /// Ends the session if the rules say so; returns when it was last used, if there was one.
    private func end(_ event: UnlockMachine.Event) -> ClockReading? {
        let used = session?.isUndated == true ? nil : session?.lastActivity
        let effects = machine.handle(event)
        // The idle limit is not the owner's own lock, so an unlock in progress continues.
        if event != .idleLimitPassed, effects.contains(.eraseKeys) { keys.endAttempts() }
        apply(effects)
        publish()
        return used
    }

    /// Writes when the vault was last used, in a turn of its own, and waits for that.
    func rememberInTurn(_ used: ClockReading?) async {
        guard let used else { return }
        unwrittenUse = used
        await tolerating { () async throws(VaultError) in try await turnOnFolder { _ in } }
    }

    /// Does the same for a caller that may be within a turn, which it must not wait for: that turn writes it.
    func remember(_ used: ClockReading?) async {
        guard taskLock.isHeld else { return await rememberInTurn(used) }
        unwrittenUse = used ?? unwrittenUse
    }
}

// Idle time.
extension Vault {
    var isIdle: Bool {
        guard let session else { return false }
        return policyInForce.sessionIsStale(since: session.lastActivity, at: device.clock())
    }

    /// Locks the session once its idle limit has passed.
    ///
    /// The limit includes sleep, which a timer may not count, so it checks often. The first check is made by the caller
    /// that opened the session, since it has the vault anyway.
    func startIdleTimer() {
        let timer = Task { [weak self, first = timeUntilIdle] in
            var next = first
            while let rest = next {
                let nanoseconds = UInt64(min(rest.count, 30_000)) * 1_000_000
                do { try await Task.sleep(nanoseconds: nanoseconds) } catch { return }
                next = await self?.timeUntilIdle
            }
            await self?.lockIfIdle()
        }
        keys.watch(by: timer)
    }

    /// The time until the open session is idle; nil once it is, or when there is none.
    private var timeUntilIdle: Milliseconds? {
        guard let session, !isIdle else { return nil }
        let used = max(device.clock().boottime - session.lastActivity.boottime, .zero)
        return max(policyInForce.locksAfterIdle - used, .zero) + Milliseconds(1)
    }
}
