@_spi(OpenedEnvelope) import ThumbturnRules

// The shell in small: feeds a step to the machine it concerns and carries out what that says.
extension World {
    /// Takes one step.
    ///
    /// - Parameter storageFails: whether the first durable write among the effects fails.
    /// - Returns: the effects of the unlock machine and of the life cycle, as they were ordered.
    mutating func take(
        _ step: Step,
        storageFails: Bool = false
    ) -> (unlock: [UnlockMachine.Effect], biometrics: [BiometricLifecycle.Effect]) {
        switch step {
        case .request(let moment):
            let decision = decision(at: moment)
            if let reason = decision.revocation { feed(.revoked(reason)) }
            let effects = machine.handle(.biometricUnlockRequested(decision))
            carryOut(effects, storageFails: storageFails)
            return (effects, [])
        case .proved(let slot, let integrity, let moment):
            let proof = UnlockProof(opened: slot, integrity: integrity)
            return handle(.proved(proof, decision(at: moment)), storageFails)
        case .refused(let refusal): return handle(.biometricsRefused(refusal), storageFails)
        case .systemRequest(let moment): return handle(.systemUnlockRequested(decision(at: moment)), storageFails)
        case .systemRefused(let refusal): return handle(.systemRefused(refusal), storageFails)
        case .counted: return handle(.biometricFailureCounted(total: facts.biometricFailures), storageFails)
        case .entered(let slot, let decision): return handle(.strongSecretEntered(slot, decision), storageFails)
        case .wrong: return handle(.strongSecretRefused, storageFails)
        case .made(let slot, let integrity):
            return handle(.vaultMade(UnlockProof(opened: slot, integrity: integrity)), storageFails)
        case .tampering: return handle(.tamperingFound, storageFails)
        case .storageFailed: return handle(.storageFailed, storageFails)
        case .lock: return handle(.lockRequested, storageFails)
        case .background: return handle(.movedToBackground, storageFails)
        case .idle: return handle(.idleLimitPassed, storageFails)
        case .heard(let word): return ([], hear(word, storageFails))
        case .biometrics(let event):
            let effects = BiometricLifecycle(state: biometrics).handle(event)
            // What was not written has not happened.
            if !storageFails { carryOut(effects) }
            return ([], effects)
        case .rebooted, .processDied, .idlePassed, .strongAged, .passwordChanged, .setChanged, .ledgerDamaged,
            .modeChanged:
            befall(step)
            return ([], [])
        }
    }

    /// Writes down what the server said; the life cycle's order is a second write, which may be the one that fails.
    private mutating func hear(_ word: Word, _ storageFails: Bool) -> [BiometricLifecycle.Effect] {
        var ledger = Ledger(founding: Identifier(high: 0, low: 0))
        ledger.policyEpoch = 5
        let reason = ledger.accept(word.spoken(after: 5), at: Moment.plain.clocks(.fresh, under: machine.policy).now)
        if ledger.policyEpoch != 5, biometrics == .enabled { facts.epochIsOld = true }
        guard let reason else { return [] }
        let effects = BiometricLifecycle(state: biometrics).handle(.revoked(reason))
        if !storageFails { carryOut(effects) }
        return effects
    }

    private mutating func handle(
        _ event: UnlockMachine.Event,
        _ storageFails: Bool
    ) -> ([UnlockMachine.Effect], [BiometricLifecycle.Effect]) {
        let effects = machine.handle(event)
        carryOut(effects, storageFails: storageFails)
        return (effects, [])
    }

    private mutating func carryOut(_ effects: [UnlockMachine.Effect], storageFails: Bool) {
        for (index, effect) in effects.enumerated() {
            if storageFails, effect.isWritten {
                _ = machine.failed(at: index, of: effects)
                return
            }
            write(effect)
        }
    }

    private mutating func write(_ effect: UnlockMachine.Effect) {
        switch effect {
        case .countBiometricFailures, .recordLockout:
            // One that was made anew forbids prompts already, whatever else it counts.
            if facts.ledgerIsReliable { facts.read(facts.ledger(after: effect)) }
        case .recordAttempt:
            facts.wrongSecrets = true
        case .revokeBiometrics:
            feed(.revoked(.biometricsChanged))
        case .clearBiometricFailures:
            facts.read(facts.ledger(after: effect))
        case .clearAttempts:
            // A ledger that was made anew goes on being told by the head that it does not name.
            let isReliable = facts.ledgerIsReliable
            facts.read(facts.ledger(after: effect))
            facts.ledgerIsReliable = isReliable
        case .acknowledgeStrongUnlock:
            if facts.epochIsOld { feed(.revoked(.passwordChanged)) }
            feed(.strongFactorGiven)
            facts.read(facts.ledger(after: effect))
            facts.age = .fresh
            facts.epochIsOld = false
        case .showBiometricPrompt, .showSystemPrompt, .openSlot, .publishSession, .eraseKeys, .coverScreen, .record,
            .refuse, .refuseUntil:
            break
        }
    }

    private mutating func feed(_ event: BiometricLifecycle.Event) {
        carryOut(BiometricLifecycle(state: biometrics).handle(event))
    }

    /// Forgets what was said of a slot that is no more, or of the one before the newest.
    private mutating func carryOut(_ effects: [BiometricLifecycle.Effect]) {
        let before = biometrics
        biometrics = effects.reduce(before) { $0.after($1) }
        guard biometrics != before else { return }
        facts.epochIsOld = false
        facts.setChanged = false
    }

    private mutating func befall(_ step: Step) {
        switch step {
        case .rebooted:
            if facts.age != .never { facts.age = .rebooted }
            restart()
        case .processDied:
            restart()
        case .idlePassed:
            if facts.age == .fresh { facts.age = .idleOver }
        case .strongAged:
            if facts.age == .fresh { facts.age = .strongOver }
        case .passwordChanged:
            facts.epochIsOld = true
        case .setChanged:
            facts.setChanged = true
        case .modeChanged:
            changeMode()
        case .ledgerDamaged where machine.mode == .system:
            break  // There is none.
        case .ledgerDamaged:
            facts.ledgerIsReliable = false
            facts.biometricFailures = 0
            facts.wasLockedOut = false
        default:
            break
        }
    }

    /// Biometrics and ledger end with the local mode, and a new ledger begins with it.
    private mutating func changeMode() {
        let mode: UnlockMode = machine.mode == .local ? .system : .local
        machine.adopt(machine.policy, mode: mode)
        biometrics = .disabled
        facts = Facts(age: mode == .local ? .fresh : .never)
    }

    private mutating func restart() {
        let mode = machine.mode
        machine = UnlockMachine(policy: machine.policy)
        machine.adopt(machine.policy, mode: mode)
    }
}

extension World.Facts {
    /// The ledger that says these, with what the product writes into it for an effect.
    fileprivate func ledger(after effect: UnlockMachine.Effect) -> Ledger {
        var ledger = Ledger(founding: Identifier(high: 0, low: 0))
        ledger.attempts = AttemptRecord(failures: wrongSecrets ? 1 : 0, isReliable: ledgerIsReliable)
        ledger.biometricFailures = biometricFailures
        ledger.wasLockedOut = wasLockedOut
        ledger.apply(effect, at: Moment.plain.clocks(.fresh, under: .wallet).now)
        return ledger
    }

    /// Goes by what a ledger says; more than three failures say no more than three.
    fileprivate mutating func read(_ ledger: Ledger) {
        wrongSecrets = ledger.attempts.failures > 0
        biometricFailures = min(ledger.biometricFailures, 3)
        wasLockedOut = ledger.wasLockedOut
        ledgerIsReliable = ledger.attempts.isReliable
    }
}
