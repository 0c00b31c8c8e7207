import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// Returns the open session for a call that changes or reads something; counts as activity.
    ///
    /// - Throws: `.locked`; `.exportOnly` or `.olderCopy` when `scope` asks for more than the session may do; what
    ///   `requireCompleteMigration` throws.
    func openSession(_ scope: SessionScope = .full, in turn: borrowing Turn) throws(VaultError) -> Session {
        if isIdle, let idle = session {
            apply(machine.handle(.idleLimitPassed))
            if !idle.isUndated {
                let used = idle.lastActivity
                tolerating { () throws(VaultError) in try easeWithRoom(in: turn) { $0.lastUse = used } }
            }
            publish()
        }
        guard let session else { throw VaultError(.locked) }
        if scope == .full, session.scope != .full {
            throw VaultError(integrity(for: session) == .putBack ? .olderCopy : .exportOnly)
        }
        if scope == .full { try requireCompleteMigration() }
        session.lastActivity = device.clock()
        return session
    }

    /// Returns the open session for a call that needs a recent proof of the strong factor.
    func openSession(
        _ authorization: borrowing StrongAuthorization,
        _ scope: SessionScope = .full,
        in turn: borrowing Turn
    ) throws(VaultError) -> Session {
        let session = try openSession(scope, in: turn)
        // An authorization by a slot that another process removed in the meantime is void.
        guard session.id == authorization.session, state.slots.contains(where: { $0.id == authorization.record }),
            authorization.at.isWithin(StrongAuthorization.lifetime, before: device.clock())
        else { throw VaultError(.authorizationExpired) }
        return session
    }

    /// Creates the authorization for the current slot of this kind, which was opened just now.
    ///
    /// - Throws: `.locked` when there is no such slot any more.
    func authorization(by kind: SlotKind, in session: Identifier) throws(VaultError) -> StrongAuthorization {
        guard let record = state.slot(kind)?.id else { throw VaultError(.locked) }
        return StrongAuthorization(slot: kind, record: record, session: session, at: device.clock())
    }

    /// Refuses a call that needs a PIN or biometrics when the vault has neither.
    func requireLocalMode() throws(VaultError) {
        guard state.mode == .system else { return }
        throw VaultError(state.condition == .keyMissing ? .keyMissing : .systemModeOnly)
    }

    /// Refuses a call that needs a PIN when an account's password or the system opens the vault instead.
    ///
    /// A head that names an account beside a PIN slot was edited; that must not keep the PIN out.
    func requirePIN() throws(VaultError) {
        try requireLocalMode()
        guard state.head.account == nil || state.slot(.localSecret) != nil else { throw VaultError(.accountRequired) }
    }

    /// Refuses every change of a half-migrated vault: its key is only behind biometrics, which the system can revoke
    /// (A57).
    func requireCompleteMigration() throws(VaultError) {
        for case .refuse(let code) in MigrationMachine(state: state.migration).handle(.changeRequested) {
            throw VaultError(code)
        }
    }
}
