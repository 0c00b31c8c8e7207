import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The owner's typed confirmation that an older copy becomes the vault.
public struct OlderCopyConfirmation: Sendable {
    /// The exact text to type.
    public static let phrase = "OLDER"

    /// Checks the typed text.
    ///
    /// - Throws: `.confirmationMissing` for anything but the phrase.
    public init(typed: String) throws(VaultError) {
        guard typed == Self.phrase else { throw VaultError(.confirmationMissing) }
    }
}

extension Vault {
    /// Accepts an older copy as the vault: from here on it is the newest.
    ///
    /// Nothing else binds such a copy to the ledger, not even a right PIN. Changes since it was made are lost, or were
    /// never seen here; the same secrets open it as before.
    ///
    /// - Parameters:
    ///   - confirmation: the owner's typed confirmation.
    ///   - authorization: the strong factor, entered just now, in the session that may only export.
    /// - Throws: `.vaultTampered` when the copy itself was changed, `.exportOnly` when the policy lets a recovery key
    ///   only export, `.authorizationExpired`, `.locked`, or why storage failed.
    public func acceptOlderCopy(
        _ confirmation: OlderCopyConfirmation,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            let kind = authorization.slot
            let session = try openSession(authorization, .exportOnly, in: turn)
            guard state.headStanding == .putBack else { return }
            if bookkeeper.row == nil, let ledgerItem {
                // A look that could not write left no ledger.
                let anchor = try await device.anchorPosition(of: ledgerItem)
                try await compare(bookkeeper.authentic(of: state.head.vault), isKnown: true, with: anchor, in: turn)
            }
            guard isAuthentic(for: session), let slot = state.slot(kind) else { throw VaultError(.vaultTampered) }
            guard kind != .recovery || state.head.policy.recoveryOpensFully else { throw VaultError(.exportOnly) }
            guard !state.mayBeFormer else {
                // Nothing is counted here until there is a PIN again, so no ledger can name the head.
                try await tell([event(.olderCopyAccepted)], in: turn)
                acceptedHead = state.contents.head?.digest
                state = state.suspected(false)
                apply(machine.handle(.olderCopyAccepted(slot.proof(of: session, integrity: integrity(for: session)))))
                return publish()
            }
            let now = device.clock()
            var change = try change(by: session)
            change.ledger.acknowledgeStrongUnlock(at: now)
            // The owner may have changed their mind since.
            change.head.nextPolicy = nil
            // A recreated ledger has forgotten the service's answers, but the service has just confirmed the password.
            if kind == .password {
                change.ledger.lastServerContact = now
                change.ledger.policyEpoch = session.policyEpoch
            }
            change.beginsTrail = .putBack
            change.record(.olderCopyAccepted)
            try await commit(change, for: session, in: turn)
            apply(machine.handle(.olderCopyAccepted(slot.proof(of: session, integrity: integrity(for: session)))))
            publish()
        }
    }
}
