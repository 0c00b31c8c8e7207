import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// The open session, for a call that changes or reads something; it counts as use.
    ///
    /// - Throws: `.locked`, or `.exportOnly` where `scope` asks for more than the session may do.
    func openSession(_ scope: SessionScope = .full) throws(VaultError) -> Session {
        if isIdle, let idle = session {
            apply(machine.handle(.idleLimitPassed))
            if !idle.isUndated {
                let used = idle.lastActivity
                tolerating { () throws(VaultError) in try ease { $0.lastUse = used } }
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

    /// The open session, for a call that needs the strong factor given just now.
    func openSession(
        _ authorization: borrowing StrongAuthorization,
        _ scope: SessionScope = .full
    ) throws(VaultError) -> Session {
        let session = try openSession(scope)
        // What another process took away meanwhile vouches for nothing here.
        guard session.id == authorization.session, state.slots.contains(where: { $0.id == authorization.record }),
            authorization.at.isWithin(StrongAuthorization.lifetime, before: device.clock())
        else { throw VaultError(.authorizationExpired) }
        return session
    }

    /// Vouches that the slot of this kind, as it stands now, was opened just now.
    ///
    /// - Throws: `.locked` where there is none any more.
    func authorization(by kind: SlotKind, in session: Identifier) throws(VaultError) -> StrongAuthorization {
        guard let record = state.slot(kind)?.id else { throw VaultError(.locked) }
        return StrongAuthorization(slot: kind, record: record, session: session, at: device.clock())
    }

    /// Refuses what needs a PIN or biometrics where the vault has neither.
    func requireLocalMode() throws(VaultError) {
        guard state.mode == .system else { return }
        throw VaultError(state.condition == .keyMissing ? .keyMissing : .systemModeOnly)
    }

    /// Refuses what needs a PIN where the vault has none: an account's password opens it, or what the device asks for.
    ///
    /// Beside a PIN's slot a head that names an account was edited, which keeps no PIN out.
    func requirePIN() throws(VaultError) {
        try requireLocalMode()
        guard state.head.account == nil || state.slot(.localSecret) != nil else { throw VaultError(.accountRequired) }
    }

    /// Refuses every change of a half migrated vault: its key is only behind biometrics, which the system can close (A57).
    func requireCompleteMigration() throws(VaultError) {
        for case .refuse(let code) in MigrationMachine(state: state.migration).handle(.changeRequested) {
            throw VaultError(code)
        }
    }
}
