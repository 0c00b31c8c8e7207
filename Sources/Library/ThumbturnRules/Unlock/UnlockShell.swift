// The part of carrying out an unlock's effects that needs no store and no device. Both the vault and the tests that
// explore every state use it, so that the proven laws hold for the real code, not only for a model.

extension UnlockMachine {
    /// Returns what replaces an effect that could not be carried out, and all that follow it.
    ///
    /// The rules may have opened a session that could not be acknowledged durably: it is not published then.
    package mutating func failed(at index: Int, of effects: [Effect]) -> [Effect] {
        var following = handle(.storageFailed)
        for case .publishSession in effects[index...] {
            following += handle(.lockRequested)
            break
        }
        return following
    }
}

extension UnlockMachine.Effect {
    /// The events that the effect's transaction tells.
    package var told: [AuditEventKind] {
        switch self {
        case .countBiometricFailures: [.biometricFailure]
        case .recordLockout(let kinds), .clearBiometricFailures(let kinds), .acknowledgeStrongUnlock(let kinds),
            .clearAttempts(let kinds), .record(let kinds):
            kinds
        case .showBiometricPrompt, .showSystemPrompt, .recordAttempt, .openSlot, .revokeBiometrics, .publishSession,
            .eraseKeys, .coverScreen, .refuse, .refuseUntil:
            []
        }
    }
}

extension Ledger {
    /// Records what an effect writes; `LedgerMachine` counts attempts, and the life cycle records revocations.
    package mutating func apply(_ effect: UnlockMachine.Effect, at now: ClockReading) {
        switch effect {
        case .countBiometricFailures(let count):
            biometricFailures &+= count
        case .recordLockout:
            wasLockedOut = true
        case .clearBiometricFailures:
            biometricFailures = 0
            lastUse = now
        case .clearAttempts:
            clearAttempts()
        case .acknowledgeStrongUnlock:
            acknowledgeStrongUnlock(at: now)
        case .recordAttempt, .revokeBiometrics, .showBiometricPrompt, .showSystemPrompt, .openSlot, .publishSession,
            .eraseKeys, .coverScreen, .record, .refuse, .refuseUntil:
            break
        }
    }
}

extension UnlockDecision {
    /// Why this decision revokes the biometric slot: the server's answer, or its silence (F-107-09).
    package var revocation: RevocationReason? {
        switch self {
        case .requireStrongFactor(.policyEpochOld): .passwordChanged
        case .requireStrongFactor(.serverUnheard): .serverWordMissing
        case .promptBiometrics, .promptSystem, .requireStrongFactor, .storageUnavailable, .resetPending: nil
        }
    }

    /// The code that refuses every kind of unlock; nil when storage can be read and no reset is pending.
    var obstacle: ErrorCode? {
        switch self {
        case .storageUnavailable: .storageUnavailable
        case .resetPending: .resetPending
        case .promptBiometrics, .promptSystem, .requireStrongFactor: nil
        }
    }
}
