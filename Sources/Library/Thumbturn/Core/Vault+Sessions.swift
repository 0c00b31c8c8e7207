import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The keys in memory.
extension Vault {
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
                forgetCandidate()
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

    /// Ends a session that does not become the open one.
    func forgetCandidate() {
        candidate?.forget()
        candidate = nil
    }

    /// A session that holds the key which the head names.
    func newSession(_ masterKey: consuming MasterKey) -> Session {
        newSession(masterKey, named: state.head.key, of: state.head.vault)
    }

    func newSession(_ masterKey: consuming MasterKey, named key: Identifier, of vault: Identifier) -> Session {
        Session(masterKey: masterKey, named: key, vault: vault, at: device.clock())
    }

    /// Begins a try to open the vault.
    func newAttempt() -> UnlockAttempt { UnlockAttempt(at: device.clock(), through: door) }

    /// Ends every try that has begun.
    func endAttempts() {
        door.shut()
        door = UnlockAttempt.Door()
        lockCount &+= 1
    }

    /// Locks as part of a call that is under way.
    func lockAtOnce() {
        endAttempts()
        apply(machine.handle(.lockRequested))
        publish()
    }

    func isAuthentic(for session: Session) -> Bool {
        session.verified(state.contents.head, slots: state.slots) != nil
    }

    /// What a session that opened says of the vault beside it, and the ledger of that.
    func integrity(for session: Session) -> VaultIntegrity {
        guard isAuthentic(for: session) else { return .tampered }
        return state.headStanding == .putBack ? .putBack : .intact
    }

    /// Holds an open session against the head as it stands now, which another process may have changed.
    func verifyOpenSession() {
        if state.condition == .resetPending {
            // Another process erased the vault, which is no tampering: what an open session holds is the key of nothing.
            apply(machine.handle(.lockRequested))
            return
        }
        guard let session else { return }
        let isOutlived = !state.slots.isEmpty && state.slots.allSatisfy { $0.key != session.key }
        if isOutlived {
            // Another process gave the vault a new key, or made another vault here: nothing was tampered with, and the session's
            // own key opens nothing more.
            apply(machine.handle(.lockRequested))
            return
        }
        session.isBesideTampering = session.vault != state.head.vault || !isAuthentic(for: session)
        guard session.scope == .full else { return }
        if session.isBesideTampering { apply(machine.handle(.tamperingFound)) }
    }
}

// Locking waits for nothing: the session ends first, and when the vault was last in use is written after that.
extension Vault {
    /// Locks: zeroises the master key at once.
    ///
    /// An unlock that is under way opens nothing any more (A36).
    public func lock() async {
        await leave(.lockRequested)
    }

    /// Tells the vault that the app left the foreground: it covers the screen, and locks where the policy says so (C17).
    ///
    /// It hears nothing of a system that is about to suspend the app: `followDevice` does.
    public func enterBackground() async { await remember(moveToBackground()) }

    /// Covers, and locks where the policy says so.
    ///
    /// - Returns: when the session, if there was one, was last in use.
    func moveToBackground() -> ClockReading? {
        isCovered = true
        coverCount &+= 1
        return end(.movedToBackground)
    }

    /// Locks and uncovers in one step: a cover that comes during a wait is not this call's to lift (A37).
    ///
    /// - Returns: when a session that was idle for too long was last in use.
    func uncover() -> ClockReading? {
        let used = isIdle ? end(.idleLimitPassed) : nil
        isCovered = false
        publish()
        return used
    }

    /// Locks a session that was not used for longer than the policy allows; a timer calls it too.
    package func lockIfIdle() async {
        if isIdle { await leave(.idleLimitPassed) }
    }

    private func leave(_ event: UnlockMachine.Event) async { await remember(end(event)) }

    /// Ends the session as the rules say; when it was last used, if there was one.
    private func end(_ event: UnlockMachine.Event) -> ClockReading? {
        let used = session?.isUndated == true ? nil : session?.lastActivity
        let effects = machine.handle(event)
        // Nobody asked for the idle limit's lock, so an unlock that is under way goes on.
        if event != .idleLimitPassed, effects.contains(.eraseKeys) { endAttempts() }
        apply(effects)
        publish()
        return used
    }

    /// Has it written when the vault was last in use, and waits for that.
    func rememberInTurn(_ used: ClockReading?) async {
        guard let used else { return }
        unwrittenUse = used
        await tolerating { () async throws(VaultError) in try await turnOnFolder {} }
    }

    /// The same for a caller that may be within a turn, and must not wait for its own end: that turn writes it.
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

    /// Locks the session once its limit has passed.
    ///
    /// The limit counts with sleep, which a timer need not, so it looks often. It looks first while whoever opened the session
    /// has the vault anyway.
    func startIdleTimer() {
        idleTimer?.cancel()
        idleTimer = Task { [weak self, first = timeUntilIdle] in
            var next = first
            while let rest = next {
                let nanoseconds = UInt64(min(rest.count, 30_000)) * 1_000_000
                do { try await Task.sleep(nanoseconds: nanoseconds) } catch { return }
                next = await self?.timeUntilIdle
            }
            await self?.lockIfIdle()
        }
    }

    /// How long until the open session is idle; nil once it is, or when there is none.
    private var timeUntilIdle: Milliseconds? {
        guard let session, !isIdle else { return nil }
        let used = max(device.clock().boottime - session.lastActivity.boottime, .zero)
        return max(policyInForce.locksAfterIdle - used, .zero) + Milliseconds(1)
    }
}
