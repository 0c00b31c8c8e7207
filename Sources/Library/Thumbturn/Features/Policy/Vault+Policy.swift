import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

// Changing the vault's policy. It is stored in the head, so it is changed by a commit like any other.
extension Vault {
    /// Changes the vault's policy: stricter parts apply at once, more lenient ones from the next strong unlock.
    ///
    /// The snapshot shows the waiting policy as `nextPolicy`. It takes effect once the PIN or password is entered
    /// again, or in system mode the device recognises its owner again; so does what a later call of this sets back.
    /// Biometrics never make a policy more lenient, and neither do the recovery key and an account's password without
    /// its service.
    ///
    /// Biometrics whose key has less assurance than the new policy requires are turned off. If nothing changes, nothing
    /// is written.
    ///
    /// - Parameters:
    ///   - authorization: the strong factor, entered just now.
    ///   - change: changes the policy as last requested, including waiting changes.
    /// - Throws: `.usage` for another strong factor, for a setting that needs a service when there is no account, for a
    ///   span below zero or above a century, and for sessions of less than 10 s; `.assuranceTooLow` when the PIN's or
    ///   the system's key has less assurance; `.recoveryKeyRequired` to forbid what
    ///   is the only way in now; `.authorizationExpired`, `.locked`, `.exportOnly`,
    ///   `.migrationIncomplete`, or why storage failed.
    public func setPolicy(
        _ authorization: consuming StrongAuthorization,
        _ change: @Sendable (inout VaultPolicy) -> Void
    ) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            let session = try openSession(authorization, in: turn)
            var changed = try self.change(by: session)
            let (former, waiting) = (changed.head.policy, changed.head.nextPolicy)
            var wished = waiting ?? former
            change(&wished)
            guard former.mayBecome(wished) else { throw VaultError(.usage, "no policy of this vault") }
            let policy = former.stricter(with: wished)
            // What is alone stays alone until there is a recovery key (K-10).
            guard policy.allowsSystemModeWithoutRecovery || changed.head.kinds != [.system] else {
                throw VaultError(.recoveryKeyRequired)
            }
            changed.head.policy = policy
            changed.head.nextPolicy = wished == policy ? nil : wished
            guard changed.head.policy != former || changed.head.nextPolicy != waiting else { return }
            if policy != former { changed.record(.policyChanged, reason: "stricter") }
            if changed.head.nextPolicy != waiting {
                changed.record(.policyChanged, reason: wished == policy ? "withdrawn" : "laxerLater")
            }
            try demandAssurance(of: policy, in: &changed)
            let forgets = former.allowsOfflinePassword && !policy.allowsOfflinePassword
            try await commit(changed, for: session, in: turn) { () throws(VaultError) in
                if forgets { try store.removeOfflineLogin() }
            }
            // A copy of the login in the log would open as well.
            if forgets { tolerating { () throws(VaultError) in try store.eraseDeleted() } }
            guard policy != former else { return }
            startIdleTimer()
            for guest in Guest.all { await guest.afterPolicy?(self, turn) }
        }
    }

    /// Refuses a policy under which no PIN could open, and removes biometrics that it does not allow.
    private func demandAssurance(of policy: VaultPolicy, in change: inout Change) throws(VaultError) {
        if state.mode == .local { try checkWorth(under: policy) }
        for slot in change.head.slots where slot.assurance.map({ $0 < policy.minimumAssurance }) == true {
            switch slot.kind {
            case .biometric: try order(.disableRequested, reason: "policy", into: &change)
            case .system: throw VaultError(.assuranceTooLow)
            case .localSecret, .password, .recovery: break
            }
        }
    }

    /// Puts the waiting policy into force, right after the strong factor was entered.
    ///
    /// Failure is tolerated: the stricter policy stays.
    fileprivate func adoptNextPolicy(in turn: borrowing Turn) async {
        guard configuration.adoptsPolicy, let session, session.scope == .full, state.head.nextPolicy != nil else {
            return
        }
        await tolerating { () async throws(VaultError) in
            var change = try change(by: session)
            guard let next = change.head.nextPolicy else { return }
            change.head.policy = next
            change.head.nextPolicy = nil
            change.record(.policyChanged, reason: "laxer")
            try await commit(change, for: session, in: turn)
        }
    }
}

extension Guest {
    static let nextPolicy = Guest(
        afterStrong: { (vault, _, turn) async in await vault.adoptNextPolicy(in: turn) },
        // System mode has nothing stronger than the device's own prompt.
        afterUnlock: { (vault, turn) async in if vault.state.mode == .system { await vault.adoptNextPolicy(in: turn) } }
    )
}
