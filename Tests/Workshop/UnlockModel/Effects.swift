package import ThumbturnRules

// What the orders of the rules come to, which the vault learns by carrying them out.

extension UnlockMachine.Effect {
    /// Whether the effect only counts once it is written.
    var isDurable: Bool {
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

extension BiometricLifecycle.State {
    /// Returns the state after an order was carried out.
    package func after(_ effect: BiometricLifecycle.Effect) -> Self {
        switch effect {
        case .makeSlot: .enabled
        case .removeSlot: .disabled
        case .restrictSlot(let reason): .revoked(reason)
        case .record, .refuse: self
        }
    }
}

extension StrongSecret {
    /// The kind of slot that it opens.
    var slot: SlotKind {
        switch self {
        case .localSecret: .localSecret
        case .recovery: .recovery
        case .accountPassword, .offlinePassword: .password
        }
    }
}
