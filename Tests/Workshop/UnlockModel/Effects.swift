package import ThumbturnRules

// What the orders of the rules come to, which the vault learns by carrying them out.

extension UnlockMachine.Effect {
    /// Whether the effect only counts once it is written.
    var isDurable: Bool {
        switch self {
        case .countBiometricFailures, .recordLockout, .recordAttempt, .revokeBiometrics, .clearBiometricFailures,
            .acknowledgeStrongUnlock, .clearAttempts:
            true
        case .showBiometricPrompt, .showSystemPrompt, .openSlot, .publishSession, .eraseKeys, .coverScreen, .record,
            .refuse, .refuseUntil:
            false
        }
    }

    /// Whether a storage fault keeps it from being carried out.
    var isWritten: Bool { isDurable || !told.isEmpty }

    var acknowledges: Bool { if case .acknowledgeStrongUnlock = self { true } else { false } }

    var clearsAttempts: Bool { if case .clearAttempts = self { true } else { false } }

    var clearsBiometricFailures: Bool { if case .clearBiometricFailures = self { true } else { false } }

    var recordsLockout: Bool { if case .recordLockout = self { true } else { false } }
}

extension [UnlockMachine.Effect] {
    /// Whether one of the effects tells an event.
    func tell(_ kind: AuditEventKind) -> Bool { contains { $0.told.contains(kind) } }
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
