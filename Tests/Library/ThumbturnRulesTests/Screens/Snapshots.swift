import ThumbturnRules

extension VaultSnapshot {
    /// A locked vault with nothing wrong, but for what is said.
    static func test(
        _ state: UnlockMachine.State = .locked,
        condition: Condition = .ready,
        mode: UnlockMode = .local,
        migration: MigrationMachine.State = .full,
        biometrics: BiometricLifecycle.State = .enabled,
        biometry: BiometricCapability.BiometryType = .touchID,
        reason: BiometricCapability.Reason? = nil,
        assurance: Assurance = .hardwareBound,
        policy: VaultPolicy = .wallet,
        device: DeviceKind = .apple,
        nextAttempt: AttemptDecision = .allowed,
        decision: UnlockDecision = .promptBiometrics,
        isCovered: Bool = false,
        asksForLongerSecret: Bool = false,
        hasRecoveryKey: Bool = false
    ) -> VaultSnapshot {
        VaultSnapshot(
            condition: condition,
            mode: mode,
            state: state,
            biometrics: biometrics,
            capability: BiometricCapability(
                biometryType: biometry,
                reasonIfUnavailable: reason,
                assurance: assurance
            ),
            migration: migration,
            slots: hasRecoveryKey ? [Slot(kind: .recovery, assurance: nil)] : [],
            policy: policy,
            device: device,
            assurance: assurance,
            asksForLongerSecret: asksForLongerSecret,
            failedAttempts: 2,
            failedBiometricAttempts: 1,
            nextAttempt: nextAttempt,
            decision: decision,
            isCovered: isCovered
        )
    }
}

extension UnlockMachine.State {
    /// Each state, with each scope and some reasons.
    static let samples: [UnlockMachine.State] =
        [
            .locked, .promptingBiometrics(resuming: nil), .promptingBiometrics(resuming: .full), .biometricsFailed,
            .verifyingStrongFactor(.localSecret, resuming: nil), .verifyingStrongFactor(.localSecret, resuming: .full),
            .promptingSystem(resuming: nil), .promptingSystem(resuming: .full), .closedUntilReopened,
            .unlocked(.full), .unlocked(.exportOnly),
        ] + StrongFactorReason.allCases.map(UnlockMachine.State.requiresStrongFactor)
}
