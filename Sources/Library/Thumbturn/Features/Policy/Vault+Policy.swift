import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

// The owner changes the vault's policy. It lies in the head, so a change of it is a change of the vault like any other.
extension Vault {
    /// Changes the vault's policy: what becomes stricter counts at once, what becomes laxer from the next strong unlock on.
    ///
    /// The snapshot shows what waits as `nextPolicy`. It counts once the PIN or password is given again, or in system mode the
    /// device recognises its owner again, also for the next call of this: what that sets back then counts at once. A finger
    /// never makes anything laxer, and neither do the recovery key and an account's password without its service.
    ///
    /// Biometrics whose key is worth less than the new policy asks for are off afterwards. Where nothing changes, nothing is
    /// written.
    ///
    /// - Parameters:
    ///   - authorization: the strong factor, given just now.
    ///   - change: changes the policy as its owner last wished it, with what waits.
    /// - Throws: `.usage` for another strong factor, for what only a service makes sense of where there is no account, for a
    ///   span below zero or above a century, and for sessions of less than 10 s; `.assuranceTooLow` where the PIN's key, or the
    ///   system's, is worth less; `.authorizationExpired`, `.locked`, `.exportOnly`, `.migrationIncomplete`, or why storage
    ///   failed.
    public func setPolicy(
        _ authorization: consuming StrongAuthorization,
        _ change: @Sendable (inout VaultPolicy) -> Void
    ) async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            let session = try openSession(authorization)
            var changed = try self.change(by: session)
            let (former, waiting) = (changed.head.policy, changed.head.nextPolicy)
            var wished = waiting ?? former
            change(&wished)
            guard former.mayBecome(wished) else { throw VaultError(.usage, "no policy of this vault") }
            let policy = former.stricter(with: wished)
            changed.head.policy = policy
            changed.head.nextPolicy = wished == policy ? nil : wished
            guard changed.head.policy != former || changed.head.nextPolicy != waiting else { return }
            if policy != former { changed.record(.policyChanged, reason: "stricter") }
            if changed.head.nextPolicy != waiting {
                changed.record(.policyChanged, reason: wished == policy ? "withdrawn" : "laxer, later")
            }
            try demandAssurance(of: policy, in: &changed)
            let forgets = former.allowsOfflinePassword && !policy.allowsOfflinePassword
            try await commit(changed, for: session) { () throws(VaultError) in
                if forgets { try store.removeOfflineLogin() }
            }
            // A copy of it in the log opens as well.
            if forgets { tolerating { () throws(VaultError) in try store.eraseDeleted() } }
            guard policy != former else { return }
            startIdleTimer()
            for guest in Guest.all { await guest.afterPolicy?(self) }
        }
    }

    /// Refuses a policy that no PIN could open under, and takes the biometrics out that it would not let in.
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

    /// Lets the policy count that its owner had asked for before; the strong factor was given just now.
    ///
    /// It may fail: the stricter one goes on.
    fileprivate func adoptNextPolicy() async {
        guard configuration.adoptsPolicy, let session, session.scope == .full, state.head.nextPolicy != nil else {
            return
        }
        await tolerating { () async throws(VaultError) in
            var change = try change(by: session)
            guard let next = change.head.nextPolicy else { return }
            change.head.policy = next
            change.head.nextPolicy = nil
            change.record(.policyChanged, reason: "laxer")
            try await commit(change, for: session)
        }
    }
}

extension Guest {
    static let nextPolicy = Guest(
        afterStrong: { (vault, _) async in await vault.adoptNextPolicy() },
        // In system mode there is nothing stronger than what the device asks for.
        afterUnlock: { (vault) async in if vault.state.mode == .system { await vault.adoptNextPolicy() } }
    )
}
