import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// What a vault reports: snapshots, and tolerated faults.
extension Vault {
    /// The vault's current state, for an interface.
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
            // An account's service counts attempts itself, and is always asked.
            nextAttempt: state.account == nil ? state.attemptDecision(at: now) : .allowed,
            decision: state.head.policy.decision(for: state.context(at: now)),
            isCovered: isCovered,
            isAuthentic: session.map { !$0.isBesideTampering }
        )
    }

    /// Returns whether to ask for a longer PIN, because the device's assurance has dropped since it was chosen.
    private func asksForLongerSecret(_ state: LockedState) -> Bool {
        let assurance = device.store.assurance(of: .deviceOnly)
        guard let slot = state.slot(.localSecret), let listed = state.head.slots.first(where: { $0.id == slot.id }),
            let former = listed.assurance, LocalSecretRules.mayBeTooShort(chosenUnder: former, under: assurance)
        else { return false }
        return session?.secretSuffices != true
    }

    /// Returns a stream of snapshots that starts with the current one.
    public func snapshots() -> AsyncStream<VaultSnapshot> {
        watchers.add(snapshot) { [weak self] number in
            Task { [weak self] in await self?.forget(watcher: number) }
        }
    }

    private func forget(watcher number: UInt64) { watchers.remove(number) }

    /// Sends every watcher the current snapshot; time may have passed since the last one.
    public func publish() {
        guard !watchers.isEmpty else { return }
        watchers.tell(snapshot)
    }

    /// Runs an optional step: its failure is reported to the app's log, and undoes nothing.
    ///
    /// - Returns: nil when it failed.
    @discardableResult
    func tolerating<Result: ~Copyable>(_ body: () throws(VaultError) -> Result) -> Result? {
        do { return try body() } catch {
            configuration.tolerated(error)
            return nil
        }
    }

    /// Runs an optional step that waits for the device.
    @discardableResult
    func tolerating<Result: ~Copyable>(_ body: () async throws(VaultError) -> Result) async -> Result? {
        do { return try await body() } catch {
            configuration.tolerated(error)
            return nil
        }
    }
}
