import ThumbturnRules

/// One step of one world, and what must be true of it.
struct Passage {
    let before: World
    let step: World.Step
    let after: World
    /// The states that the machines themselves chose, before the shell fed anything back.
    let unlock: [UnlockMachine.Effect]
    let biometrics: [BiometricLifecycle.Effect]
    let storageFailed: Bool

    /// The laws that this passage breaks, by name.
    var brokenLaws: [String] {
        var broken: [String] = []
        func law(_ name: String, _ holds: Bool) { if !holds { broken.append(name) } }
        unlocking(law)
        lockouts(law)
        prompts(law)
        keys(law)
        refusals(law)
        strongFactor(law)
        lifeCycle(law)
        systemMode(law)
        account(law)
        return broken
    }

    typealias Law = (_ name: String, _ holds: Bool) -> Void

    private func unlocking(_ law: Law) {
        let published = unlock.contains { if case .publishSession = $0 { true } else { false } }
        if case .made(let slot, let integrity) = step {
            let isFirst = before.machine.state == .locked && before.machine.mode == .local
            let isNew = isFirst && slot.keepsLedger && integrity == .intact
            law("K-01: a new vault opens by its first slot alone", published == isNew)
            return
        }
        guard case .proved(let slot, let integrity, let moment) = step else {
            // A session that finds tampering goes on with less.
            let narrowed = step == .tampering && before.machine.state.holdsSession
            law("P-107-01: a session without a proof", !published || narrowed)
            law("P-107-01: tampering leaves export alone", !published || after.machine.state.scope == .exportOnly)
            law(
                "P-107-01: unlocked without a proof",
                !after.machine.state.isUnlocked || before.machine.state.holdsSession
            )
            return
        }
        law("A36: a proof for a way in that was not asked", !published || before.isWaiting(for: slot))
        let blocked = moment == .storageUnreadable || moment == .resetPending
        switch slot {
        case .biometric:
            let demands = before.demands(at: moment)
            law("INV-107-01: biometrics opened against \(demands.rawValue)", !published || demands.isEmpty)
            law("INV-107-07: a changed set opened", !published || !before.facts.setChanged)
            law("INV-107-08: opened after three failures", !published || before.facts.biometricFailures < 3)
            let waiting = before.isWaiting(for: slot)
            law("P-107-01: a policy that can't be believed let a finger in", !published || integrity == .intact)
            law(
                "A2: tampering is not recorded",
                !waiting || integrity == .intact || unlock.tell(.vaultTampered)
            )
            law(
                "F-107-04: refused without a cause",
                published || !waiting || !demands.isEmpty || integrity == .tampered
            )
        case .system:
            let isNamed = before.machine.policy.allowsSystemMode
            law("P-107-01: a system slot opened where no policy names it", !published || isNamed)
            law("S-06: opened through a reset or unreadable storage", !published || !blocked)
            law("S-06: not trusted", published || !before.isWaiting(for: slot) || blocked)
        case .localSecret, .recovery, .password:
            law("A34: a strong factor opened through a reset or unreadable storage", !published || !blocked)
            law("A35: a strong factor was refused", published || !before.isWaiting(for: slot) || blocked)
        }
        guard published else { return }
        let isFull = integrity == .intact && (slot != .recovery || before.machine.policy.recoveryOpensFully)
        let scope: SessionScope = isFull ? .full : .exportOnly
        law("P-107-01: the wrong scope", unlock.contains(.publishSession(scope)))
        if storageFailed {
            law("P-107-01: unlocked though it could not be acknowledged", !after.machine.state.isUnlocked)
        } else {
            law("P-107-01: published and not unlocked", after.machine.state == .unlocked(scope))
        }
        law("A2: tampering is not recorded", unlock.tell(.vaultTampered) == (integrity == .tampered))
        let earlier = unlock.prefix { if case .publishSession = $0 { false } else { true } }
        let success: AuditEventKind =
            switch slot {
            case .biometric: .biometricSuccess
            case .system: .systemSuccess
            case .localSecret, .recovery, .password: .passwordFallback
            }
        law("INV-107-10: a session is published before its event is written", Array(earlier).tell(success))
    }

    private func lockouts(_ law: Law) {
        let acknowledged = unlock.contains(where: \.acknowledges)
        var mayFall: Demands = acknowledged ? [.ledger, .epoch, .time, .lockout, .mismatches] : []
        // Another mode is another ledger, and only the strong factor or the system's prompt changes it.
        if step == .modeChanged { mayFall = [.ledger, .epoch, .time, .lockout, .mismatches] }
        if step == .biometrics(.enableRequested(nil)), before.biometrics != .enabled { mayFall.insert(.slot) }
        // A slot that is taken away takes along what spoke against it.
        if after.demands.contains(.slot) { mayFall.insert(.epoch) }
        // What a damaged ledger said is not known any more; that it is damaged demands more than it could.
        if step == .ledgerDamaged { mayFall.formUnion([.lockout, .mismatches]) }
        law("A34: fewer demands", before.demands.subtracting(after.demands).isSubset(of: mayFall))
        let isFullSession = unlock.contains(.publishSession(.full))
        let isStrong = if case .proved(let slot, _, _) = step { slot.isHeldByOwner && !isOffline } else { false }
        law("P-107-01: acknowledged without a full strong session", !acknowledged || isFullSession && isStrong)
        law("A10: attempts cleared by something weak", !unlock.contains(where: \.clearsAttempts) || isStrong)
    }

    private func prompts(_ law: Law) {
        let shown = unlock.filter { $0 == .showBiometricPrompt }.count
        guard case .request(let moment) = step else {
            law("A33: a prompt nobody asked for", shown == 0)
            law(
                "A33: prompting without a request",
                after.machine.state.promptedSlot != .biometric || before.machine.state.promptedSlot == .biometric
            )
            return
        }
        let demands = before.demands(at: moment).subtracting(before.facts.setChanged ? .slot : [])
        let mayPrompt = demands.isEmpty
        law("INV-107-01: a prompt against \(demands.rawValue)", shown == 0 || mayPrompt)
        let isReady =
            switch before.machine.state {
            case .locked, .biometricsFailed, .requiresStrongFactor: true
            case .unlocked: before.machine.mode == .local
            case .promptingBiometrics, .verifyingStrongFactor, .promptingSystem, .closedUntilReopened: false
            }
        law("B-03: a session answers for a finger", !isReady || shown == 1 || unlock.contains(where: \.isRefusal))
        law("B-03, INV-107-09: one prompt for one request", shown == (isReady && mayPrompt ? 1 : 0))
        if isReady, moment == .lockedOut, before.demands.isEmpty {
            law("C7: a lockout that was met is forgotten", storageFailed || after.facts.wasLockedOut)
        }
    }

    private func keys(_ law: Law) {
        let left = before.machine.state.holdsSession && !after.machine.state.holdsSession
        let died = step == .processDied || step == .rebooted
        // A write that failed on the way to a session is followed by a lock, which erases.
        law("P-107-06: keys outlive the session", !left || died || storageFailed || unlock.contains(.eraseKeys))
        if let erased = unlock.firstIndex(of: .eraseKeys) {
            let published = unlock.contains { if case .publishSession = $0 { true } else { false } }
            law("P-107-06: published and erased", !published)
            law(
                "P-107-06: something is done before the keys are gone",
                unlock[..<erased].allSatisfy(\.mayPrecedeErasure)
            )
        }
        switch step {
        case .lock, .idle:
            law("A36: a lock that doesn't lock", after.machine.state.isShut && unlock == [.eraseKeys])
        case .background:
            law("C17: not covered first", unlock.first == .coverScreen)
            law("C17: background", !before.machine.policy.locksInBackground || after.machine.state.isShut)
        default: break
        }
    }

    private func refusals(_ law: Law) {
        let counts = unlock.filter { $0 == .countBiometricFailures(1) }.count
        guard case .refused(let refusal) = step else {
            law("C7: a failure from nowhere", counts == 0)
            law(
                "F-107-06: a failure in a session that nobody is told of",
                step != .counted || !before.machine.state.isUnlocked
                    || unlock.contains(.refuse(.biometricsNotRecognised))
            )
            return
        }
        // What a prompt of the former mode came to says nothing in system mode.
        guard before.machine.mode == .local else { return }
        law("C7: the wrong count", counts == (refusal.countsAsFailure ? 1 : 0))
        law("C7: a lockout counts at once", unlock.contains(where: \.recordsLockout) == (refusal == .lockedOut))
        let revocations = unlock.filter { if case .revokeBiometrics = $0 { true } else { false } }
        law("C16: revocation", revocations == (refusal.revocation.map { [$0] } ?? []))
        law("A33: a refusal unlocks", !after.machine.state.isUnlocked || before.machine.state.holdsSession)
        if case .promptingBiometrics(let session?) = before.machine.state, !storageFailed {
            law("A33: a refusal ends the session it came in", after.machine.state == .unlocked(session))
            law(
                "A33: a refusal that nobody is told of",
                refusal.countsAsFailure || unlock.filter(\.isRefusal).count == 1
            )
        }
        guard before.machine.state == .promptingBiometrics(resuming: nil), !storageFailed else { return }
        if refusal.isCancel, !refusal.countsAsFailure {
            law("A33: a cancel that is not the end", unlock.count == 1 && after.machine.state.promptedSlot == nil)
        }
        if refusal == .unavailable { law("C16: locked, retryable", after.machine.state == .locked) }
        if case .readerFailed = refusal.meaning {
            let isDemanded = after.machine.state == .requiresStrongFactor(.biometricsUnavailable)
            law("B-03: a reader that failed keeps the PIN out", isDemanded)
            law("B-03: the code", unlock.last == .refuse(.biometricsUnavailable))
        }
        if refusal == .unclassified || refusal.revocation != nil {
            law("C16: the demand", after.machine.state == .requiresStrongFactor(.biometricsChanged))
            law("C16: the code", unlock.last == .refuse(.biometricsChanged))
        }
    }

    private func strongFactor(_ law: Law) {
        let opened = unlock.contains { if case .openSlot = $0 { true } else { false } }
        guard case .entered(let slot, let decision) = step else {
            law("A10: a slot opened without a secret", !opened)
            return
        }
        switch slot {
        case .localSecret, .offlinePassword:
            law("A10: tried although it must wait", !opened || decision == .allowed)
            law("S-06: a PIN is tried in system mode", !opened || before.machine.mode == .local)
            law("A10: counted after the try", !opened || unlock == [.recordAttempt, .openSlot(slot)])
            if opened { law("A10: the attempt is not kept", storageFailed || after.facts.wrongSecrets) }
        case .recovery:
            law("A35: the recovery key has to wait", opened || before.machine.state.isBusy)
        case .accountPassword:
            let mayTry = before.machine.mode == .local && !before.machine.state.isBusy
            law("F-107-05: what the service answered for has to wait", opened == mayTry)
            law("F-107-05: what the service counts is counted here", !unlock.contains(.recordAttempt))
        }
    }

    /// Whether the service was not there when the account's password was given.
    private var isOffline: Bool {
        if case .verifyingStrongFactor(.offlinePassword, _) = before.machine.state { true } else { false }
    }

    private func account(_ law: Law) {
        let forgives =
            unlock.contains(where: \.acknowledges) || unlock.contains(where: \.clearsBiometricFailures)
            || unlock.contains(where: \.clearsAttempts)
        law("F-107-05: a password that nobody answered for forgives", !isOffline || !forgives)
        guard case .heard(let word) = step else { return }
        let mayStay = word == .same || storageFailed || before.biometrics != .enabled
        law("F-107-09: the finger outlives \(word)", mayStay || after.biometrics != .enabled)
        law("F-107-09: a word that says nothing new disables", word != .same || after.biometrics == before.biometrics)
        law(
            "F-107-09: what rose is not remembered",
            word != .risen || before.biometrics != .enabled || !after.demands.isDisjoint(with: [.epoch, .slot])
        )
    }

    private func lifeCycle(_ law: Law) {
        let was = before.biometrics
        let became = after.biometrics
        law(
            "INV-107-07: enabled by something else than enabling",
            became != .enabled || was == .enabled || step == .biometrics(.enableRequested(nil))
        )
        law("F-107-02: half a slot", became != .enabling)
        if case .revoked = became {
            law("C8: revoked out of nothing", was == became || was == .enabled)
        }
        guard case .biometrics(.disableRequested) = step else { return }
        law("B-08: disable", storageFailed || became == .disabled)
        law("B-08: disable is refused", biometrics.allSatisfy { if case .refuse = $0 { false } else { true } })
        switch was {
        case .enabled, .revoked: law("B-08: artefacts stay", biometrics.contains(.removeSlot))
        case .enabling, .disabled: law("B-08: off stays off", biometrics.isEmpty)
        }
    }
}

extension World {
    fileprivate func isWaiting(for slot: SlotKind) -> Bool {
        switch (machine.state, slot) {
        case (.promptingBiometrics, .biometric): true
        case (.promptingSystem, .system): true
        case (.verifyingStrongFactor(let asked, _), _): asked.slot == slot
        case (.locked, _), (.promptingBiometrics, _), (.biometricsFailed, _), (.requiresStrongFactor, _),
            (.promptingSystem, _), (.closedUntilReopened, _), (.unlocked, _):
            false
        }
    }
}

extension UnlockMachine.State {
    fileprivate var isBusy: Bool {
        switch self {
        case .promptingBiometrics, .verifyingStrongFactor, .promptingSystem: true
        case .locked, .biometricsFailed, .requiresStrongFactor, .closedUntilReopened, .unlocked: false
        }
    }

    /// Locked, or closed in system mode, where a lock is no reopening.
    fileprivate var isShut: Bool { self == .locked || self == .closedUntilReopened }
}

extension UnlockMachine.Effect {
    fileprivate var isRefusal: Bool { if case .refuse = self { true } else { false } }

    /// What a late fact leaves in the ledger may be written before the keys go, and the screen may be covered.
    fileprivate var mayPrecedeErasure: Bool {
        switch self {
        case .countBiometricFailures, .recordLockout, .revokeBiometrics, .record, .coverScreen: true
        case .showBiometricPrompt, .showSystemPrompt, .recordAttempt, .openSlot, .clearBiometricFailures,
            .acknowledgeStrongUnlock, .clearAttempts, .publishSession, .eraseKeys, .refuse, .refuseUntil:
            false
        }
    }
}
