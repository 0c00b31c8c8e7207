import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// Turns biometrics on: a new intermediate secret under the enrolled set, and a slot that it opens (B-07,
    /// F-107-02).
    ///
    /// One transaction: a failure at any step leaves biometrics off and nothing behind.
    ///
    /// - Parameters:
    ///   - consent: the owner's consent that everyone enrolled can open the vault.
    ///   - authorization: the strong factor, entered just now; a finger can't enrol itself (A28).
    /// - Throws: `.consentMissing` for a consent older than five minutes, `.biometricsUnavailable`, `.assuranceTooLow`,
    ///   `.biometricsAlreadyEnabled`, `.biometricsNotStored`, `.protectionDropped`, `.authorizationExpired`, `.locked`,
    ///   `.systemModeOnly`, or why storage failed.
    public func enableBiometrics(
        _ consent: BiometricConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await turn(asksSensor: true) { (turn) async throws(VaultError) in
            try requireLocalMode()
            let session = try openSession(authorization, in: turn)
            guard consent.agreedAt.isWithin(BiometricConsent.lifetime, before: device.clock()) else {
                throw VaultError(.consentMissing)
            }
            let obstacle = state.capability.obstacle(under: state.head.policy)
            let orders = BiometricLifecycle(state: state.biometrics).handle(.enableRequested(obstacle))
            for case .refuse(let code) in orders { throw VaultError(code) }
            isEnabling = true
            defer {
                isEnabling = false
                publish()
            }
            if orders.contains(.makeSlot) {
                try await makeBiometricSlot(for: session.id, in: turn) { change in
                    for case .record(let kind) in orders { change.record(kind) }
                }
            }
        }
    }

    /// Turns biometrics off, in any state, without a prompt and without reading the key (B-08).
    ///
    /// If the policy requires no secret for it, it needs no session: in a locked vault biometrics are revoked at once
    /// and the key is deleted; the slot is removed at the next strong unlock.
    ///
    /// - Parameters:
    ///   - authorization: required unless the policy says otherwise (C5).
    ///   - reason: the reason in the event's record: 1 to 64 of `A–Z a–z 0–9 . _ -`, otherwise it says `other`.
    /// - Throws: `.biometricsNotPurged` when biometrics are off but an artefact could not be deleted yet;
    ///   `.authorizationExpired` when the policy requires the strong factor; without it, `.keyMissing` when nothing
    ///   else would open the vault (K-10), and `.locked` for a locked vault whose head its ledger does not name.
    public func disableBiometrics(
        _ authorization: consuming StrongAuthorization?,
        reason: String = "owner"
    ) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            try requireCompleteMigration()
            switch authorization {
            case .some(let authorization):
                try await removeBiometrics(for: openSession(authorization, in: turn), reason, in: turn)
            case .none:
                guard !state.head.policy.requiresSecretToDisable else { throw VaultError(.authorizationExpired) }
                guard state.biometrics != .disabled else {
                    // An older head may say so although biometrics are on.
                    if state.headStanding == .putBack { throw VaultError(.locked) }
                    return
                }
                try await requireOtherWayIn()
                let session: Session
                do throws(VaultError) { session = try openSession(in: turn) } catch  where error.code == .locked {
                    return try await revokeBiometricsWhileLocked(reason, in: turn)
                }
                try await removeBiometrics(for: session, reason, in: turn)
            }
        }
    }

    /// Turns biometrics off for an owner who entered an account's password while its service could not be reached.
    package func disableBiometrics(_ offline: consuming OfflineAuthorization, reason: String) async throws(VaultError) {
        try await disableBiometrics(offline.takeAuthorization(), reason: reason)
    }

    private func removeBiometrics(for session: Session, _ reason: String, in turn: borrowing Turn)
        async throws(VaultError)
    {
        let slot = state.biometricSlot
        var change = try change(by: session)
        try order(.disableRequested, reason: reason, into: &change)
        guard !change.removing.isEmpty else { return }
        try await commit(change, for: session, in: turn)
        if let item = slot?.item, state.contents.leftovers.contains(where: { $0.item == item }) {
            throw VaultError(.biometricsNotPurged)
        }
    }

    /// Revokes biometrics in the ledger, since the head can't be written without a key; the next strong unlock removes
    /// the slot.
    private func revokeBiometricsWhileLocked(_ reason: String, in turn: borrowing Turn) async throws(VaultError) {
        // Another writer's head has no say about the policy.
        guard state.headStanding == .named else { throw VaultError(.locked) }
        guard let slot = state.biometricSlot, let item = slot.item else { return }
        try await revoke(slot, .disabledByOwner, saying: reason, in: turn)
        publish()
        guard await deleteRevoked(item) else { throw VaultError(.biometricsNotPurged) }
    }

    /// Refuses to turn biometrics off when nothing else opens the vault: a slot is a way in as long as the device has
    /// its items (K-10).
    private func requireOtherWayIn() async throws(VaultError) {
        if let refusal = state.condition.refusal { throw VaultError(refusal) }
        guard state.head.slot(.recovery) == nil else { return }
        for item in state.ledgerSlot?.items ?? [] {
            guard try await !device.isMissing(item) else { throw VaultError(.keyMissing) }
        }
    }

    /// Recreates the biometric slot with a fresh lease, if the hardware keeps leases and the PIN was just entered.
    ///
    /// Failure is tolerated: the existing key expires with its own lease, and then the PIN is required.
    fileprivate func renewBiometrics(in turn: borrowing Turn) async {
        guard device.store.keepsLeases, state.biometrics == .enabled, state.sensor?.available != false,
            let session, session.scope == .full, let former = state.biometricSlot?.item
        else { return }
        await tolerating { () async throws(VaultError) in
            try await makeBiometricSlot(for: session.id, ifStillThere: former, in: turn) {
                $0.record(.biometricEnabled)
            }
        }
    }
}

extension Guest {
    static let freshLease = Guest(
        afterStrong: { (vault, _, turn) async in await vault.renewBiometrics(in: turn) },
        afterPolicy: { (vault, turn) async in await vault.renewBiometrics(in: turn) }
    )
}
