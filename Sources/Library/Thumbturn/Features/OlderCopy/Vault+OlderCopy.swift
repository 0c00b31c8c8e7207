import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What the owner typed to take an older copy for the vault.
public struct OlderCopyConfirmation: Sendable {
    /// What has to be typed, letter for letter.
    public static let phrase = "OLDER"

    /// Takes what was typed.
    ///
    /// - Throws: `.confirmationMissing` for anything else than the phrase.
    public init(typed: String) throws(VaultError) {
        guard typed == Self.phrase else { throw VaultError(.confirmationMissing) }
    }
}

extension Vault {
    /// Takes an older copy for the vault: from here on it is the newest.
    ///
    /// Nothing else binds such a copy to the ledger, not even a right PIN. What was changed since it was made is lost, or was
    /// never seen here; what opened before opens after.
    ///
    /// - Parameters:
    ///   - confirmation: what the owner typed.
    ///   - authorization: the strong factor, given just now, in the session that may only export.
    /// - Throws: `.vaultTampered` where the copy itself was changed, `.exportOnly` where the policy lets a recovery key only
    ///   export, `.authorizationExpired`, `.locked`, or why storage failed.
    public func acceptOlderCopy(
        _ confirmation: OlderCopyConfirmation,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            let kind = authorization.slot
            let session = try openSession(authorization, .exportOnly)
            guard state.headStanding == .putBack else { return }
            if bookkeeper.row == nil, let ledgerItem {
                // A look does not touch the ledger of a copy whose PIN's own secret is gone.
                let anchor = try await device.anchorPosition(of: ledgerItem)
                try await hold(bookkeeper.authentic(of: state.head.vault), isKnown: true, at: anchor)
            }
            guard isAuthentic(for: session), let slot = state.slot(kind) else { throw VaultError(.vaultTampered) }
            guard kind != .recovery || state.head.policy.recoveryOpensFully else { throw VaultError(.exportOnly) }
            guard !state.mayBeFormer else {
                // Nothing is counted here until there is a PIN again, so there is no ledger that could name the head.
                acceptedHead = state.contents.head?.digest
                state = state.suspected(false)
                apply(machine.handle(.olderCopyAccepted(slot.proof(of: session, integrity: integrity(for: session)))))
                return publish()
            }
            let now = device.clock()
            var change = try change(by: session)
            change.ledger.acknowledgeStrongUnlock(at: now)
            // Its owner may have thought better of it since.
            change.head.nextPolicy = nil
            // A ledger that was made anew has forgotten every word of the service, which has just answered for the password.
            if kind == .password {
                change.ledger.lastServerContact = now
                change.ledger.policyEpoch = session.policyEpoch
            }
            try await commit(change, for: session)
            apply(machine.handle(.olderCopyAccepted(slot.proof(of: session, integrity: integrity(for: session)))))
            publish()
        }
    }
}
