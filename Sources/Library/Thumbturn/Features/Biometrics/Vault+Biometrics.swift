import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// Turns biometrics on: a new intermediate secret under the enrolled set, and a slot that it opens (B-07, F-107-02).
    ///
    /// One transaction: a failure at any step leaves biometrics off and nothing behind.
    ///
    /// - Parameters:
    ///   - consent: the owner agreed that whoever is enrolled can open the vault.
    ///   - authorization: the strong factor, given just now; a finger can't enrol itself (A28).
    /// - Throws: `.consentMissing` for a consent older than five minutes, `.biometricsUnavailable`, `.assuranceTooLow`,
    ///   `.biometricsAlreadyEnabled`, `.biometricsNotStored`, `.protectionDropped`, `.authorizationExpired`, `.locked`,
    ///   `.systemModeOnly`, or why storage failed.
    public func enableBiometrics(
        _ consent: BiometricConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await turn(asksSensor: true) { () async throws(VaultError) in
            try requireLocalMode()
            let session = try openSession(authorization)
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
                try await makeBiometricSlot(for: session.id) { change in
                    for case .record(let kind) in orders { change.record(kind) }
                }
            }
        }
    }

    /// Turns biometrics off, in whatever state they are, without a prompt and without reading the key (B-08).
    ///
    /// Where the policy asks for no secret it needs no session: in a locked vault the finger's right ends at once and its key is
    /// deleted; its slot goes at the next strong unlock.
    ///
    /// - Parameters:
    ///   - authorization: asked for unless the policy says otherwise (C5).
    ///   - reason: what the audit event says; no secret belongs there. Control characters are left out, and what follows the
    ///     64th character.
    /// - Throws: `.biometricsNotPurged` when biometrics are off but an artefact could not be deleted yet;
    ///   `.authorizationExpired` where the policy asks for the strong factor; without that, `.keyMissing` where nothing else
    ///   would open the vault (K-10), and `.locked` for a locked vault whose head its ledger does not name.
    public func disableBiometrics(
        _ authorization: consuming StrongAuthorization?,
        reason: String = "owner"
    ) async throws(VaultError) {
        let reason = String(reason.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(64))
        try await turn { () async throws(VaultError) in
            try requireCompleteMigration()
            switch authorization {
            case .some(let authorization):
                try await removeBiometrics(for: openSession(authorization), reason)
            case .none:
                guard !state.head.policy.requiresSecretToDisable else { throw VaultError(.authorizationExpired) }
                guard state.biometrics != .disabled else {
                    // An older head may say so of a finger that is on.
                    if state.headStanding == .putBack { throw VaultError(.locked) }
                    return
                }
                try await requireOtherWayIn()
                let session: Session
                do throws(VaultError) { session = try openSession() } catch  where error.code == .locked {
                    return try await revokeBiometricsWhileLocked(reason)
                }
                try await removeBiometrics(for: session, reason)
            }
        }
    }

    /// The same for whoever gave an account's password while its service could not be reached.
    package func disableBiometrics(
        _ offline: consuming OfflineAuthorization,
        reason: String
    ) async throws(VaultError) {
        try await disableBiometrics(offline.takeAuthorization(), reason: reason)
    }

    private func removeBiometrics(for session: Session, _ reason: String) async throws(VaultError) {
        let slot = state.biometricSlot
        var change = try change(by: session)
        try order(.disableRequested, reason: reason, into: &change)
        guard !change.removing.isEmpty else { return }
        try await commit(change, for: session)
        if let item = slot?.item, state.contents.leftovers.contains(where: { $0.item == item }) {
            throw VaultError(.biometricsNotPurged)
        }
    }

    /// Without a key the head can't be written: the ledger takes the right away, and the next strong unlock the slot.
    private func revokeBiometricsWhileLocked(_ reason: String) async throws(VaultError) {
        // What somebody else wrote says nothing of the policy.
        guard state.headStanding == .named else { throw VaultError(.locked) }
        guard let slot = state.biometricSlot, let item = slot.item else { return }
        try await revoke(slot, .disabledByOwner, saying: reason)
        publish()
        guard await deleteRevoked(item) else { throw VaultError(.biometricsNotPurged) }
    }

    /// Refuses to take the finger away where nothing else opens: a slot is a way in as long as the device has what it needs
    /// (K-10).
    private func requireOtherWayIn() async throws(VaultError) {
        if let refusal = state.condition.refusal { throw VaultError(refusal) }
        guard state.head.slot(.recovery) == nil else { return }
        for item in state.ledgerSlot?.items ?? [] {
            guard try await !device.isMissing(item) else { throw VaultError(.keyMissing) }
        }
    }

    /// Makes the biometric slot anew with a fresh lease, where the hardware keeps one and the PIN was just given.
    ///
    /// It may fail: the key that there is ends with its own lease, and then the PIN is asked for.
    fileprivate func renewBiometrics() async {
        guard device.store.keepsLeases, state.biometrics == .enabled, state.sensor?.available != false,
            let session, session.scope == .full, let former = state.biometricSlot?.item
        else { return }
        await tolerating { () async throws(VaultError) in
            try await makeBiometricSlot(for: session.id, ifStillThere: former) { $0.record(.biometricEnabled) }
        }
    }
}

extension Guest {
    static let freshLease = Guest(
        afterStrong: { (vault, _) async in await vault.renewBiometrics() },
        afterPolicy: { (vault) async in await vault.renewBiometrics() }
    )
}
