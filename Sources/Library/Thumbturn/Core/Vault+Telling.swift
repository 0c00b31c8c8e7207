import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// What others hear of a vault: snapshots, audit events, and the faults that undo nothing.
extension Vault {
    /// What an interface may know now.
    public var snapshot: VaultSnapshot {
        let (now, state) = (device.clock(), known)
        return VaultSnapshot(
            condition: state.condition,
            mode: state.mode,
            state: machine.state,
            biometrics: isEnabling ? .enabling : state.usableBiometrics,
            capability: state.capability,
            migration: state.migration,
            slots: state.summaries,
            recoveryKeyAwaitsCheck: state.head.awaitedRecoveryKey != nil,
            policy: state.head.policy,
            nextPolicy: state.head.nextPolicy,
            device: state.head.device,
            assurance: device.store.assurance(of: .deviceOnly),
            asksForLongerSecret: asksForLongerSecret(state),
            headIsReadable: state.headIsReadable,
            slotsAreWhole: state.slotsAreWhole,
            walletCount: Int(state.head.walletCount),
            failedAttempts: state.ledger.attempts.failures,
            ledgerIsReliable: state.ledger.attempts.isReliable,
            isOlderCopy: state.headStanding == .putBack,
            formerSecretRemains: state.formerSecretRemains,
            failedBiometricAttempts: state.ledger.biometricFailures,
            // An account's service counts for itself, and is always asked.
            nextAttempt: state.account == nil ? state.attemptDecision(at: now) : .allowed,
            decision: state.head.policy.decision(for: state.context(at: now)),
            isCovered: isCovered,
            isAuthentic: session.map { !$0.isBesideTampering }
        )
    }

    /// Whether a longer PIN is to be asked for, since the device is worth less than when it was chosen.
    private func asksForLongerSecret(_ state: LockedState) -> Bool {
        let assurance = device.store.assurance(of: .deviceOnly)
        guard let slot = state.slot(.localSecret), let listed = state.head.slots.first(where: { $0.id == slot.id }),
            let former = listed.assurance, LocalSecretRules.mayBeTooShort(chosenUnder: former, under: assurance)
        else { return false }
        return session?.secretSuffices != true
    }

    /// Every snapshot from now on, the present one first.
    public func snapshots() -> AsyncStream<VaultSnapshot> {
        watchers.add(snapshot) { [weak self] number in
            Task { [weak self] in await self?.forget(watcher: number) }
        }
    }

    private func forget(watcher number: UInt64) { watchers.remove(number) }

    /// Tells every watcher what is so now; time may have passed since the last word.
    public func publish() {
        guard !watchers.isEmpty else { return }
        watchers.tell(snapshot)
    }

    func record(_ kind: AuditEventKind, reason: String? = nil) {
        let now = device.clock()
        let state = state
        let succeeded = kind == .biometricSuccess || kind == .passwordFallback || kind == .systemSuccess
        configuration.audit(
            AuditEvent(
                kind: kind,
                at: now,
                biometryType: state.capability.biometryType,
                attemptCount: kind == .biometricFailure || kind == .biometricSuccess
                    ? state.ledger.biometricFailures : state.ledger.attempts.failures,
                unlockDuration: succeeded ? attempt.map { now.boottime - $0.startedAt.boottime } : nil,
                reason: reason
            )
        )
    }

    /// Does what a call can go on without: a failure is told to the app's log, and undoes nothing.
    ///
    /// - Returns: nil where it failed.
    @discardableResult
    func tolerating<Result: ~Copyable>(_ body: () throws(VaultError) -> Result) -> Result? {
        do { return try body() } catch {
            configuration.tolerated(error)
            return nil
        }
    }

    /// The same for what waits for the device.
    @discardableResult
    func tolerating<Result: ~Copyable>(_ body: () async throws(VaultError) -> Result) async -> Result? {
        do { return try await body() } catch {
            configuration.tolerated(error)
            return nil
        }
    }
}
