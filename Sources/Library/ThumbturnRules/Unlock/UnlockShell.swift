// What the shell does with the effects of an unlock, as far as that needs no store and no device. The vault goes by it, and
// so does the walk over every state: no law holds of a model alone.

extension UnlockMachine.Effect {
    /// Whether it is nothing unless it is written.
    package var isDurable: Bool {
        switch self {
        case .countBiometricFailure, .recordLockout, .recordAttempt, .revokeBiometrics, .clearBiometricFailures,
            .acknowledgeStrongUnlock, .clearAttempts:
            true
        case .showBiometricPrompt, .showSystemPrompt, .openSlot, .publishSession, .eraseKeys, .coverScreen, .record,
            .refuse, .refuseUntil:
            false
        }
    }
}

extension UnlockMachine {
    /// What follows an effect that could not be carried out, in the place of it and of all behind it.
    ///
    /// The rules may have opened what could not be acknowledged durably: nothing is published then.
    package mutating func failed(at index: Int, of effects: [Effect]) -> [Effect] {
        var following = handle(.storageFailed)
        for case .publishSession in effects[index...] {
            following += handle(.lockRequested)
            break
        }
        return following
    }
}

extension Ledger {
    /// Takes in what an effect writes down; an attempt is counted by `LedgerMachine`, and a revocation by the life cycle.
    package mutating func take(_ effect: UnlockMachine.Effect, at now: ClockReading) {
        switch effect {
        case .countBiometricFailure:
            biometricFailures &+= 1
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
    /// Why the biometric slot's right ends with this word: what the server has to say, or its silence (F-107-09).
    package var revocation: RevocationReason? {
        switch self {
        case .requireStrongFactor(.policyEpochOld): .passwordChanged
        case .requireStrongFactor(.serverUnheard): .serverWordMissing
        case .promptBiometrics, .promptSystem, .requireStrongFactor, .storageUnavailable, .resetPending: nil
        }
    }

    /// What refuses everybody, however they ask; nil where storage can be read and no reset waits.
    var obstacle: ErrorCode? {
        switch self {
        case .storageUnavailable: .storageUnavailable
        case .resetPending: .resetPending
        case .promptBiometrics, .promptSystem, .requireStrongFactor: nil
        }
    }
}
