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
        try await turn { () async throws(VaultError) in
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
    /// - Parameters:
    ///   - authorization: asked for unless the policy says otherwise (C5).
    ///   - reason: what the audit event says; no secret belongs there. Control characters are left out, and what follows the
    ///     64th character.
    /// - Throws: `.biometricsNotPurged` when biometrics are off but an artefact could not be deleted yet.
    public func disableBiometrics(
        _ authorization: consuming StrongAuthorization?,
        reason: String = "owner"
    ) async throws(VaultError) {
        let reason = String(reason.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(64))
        try await turn { () async throws(VaultError) in
            try requireCompleteMigration()
            let session: Session
            switch authorization {
            case .some(let authorization):
                session = try openSession(authorization)
            case .none:
                guard !state.head.policy.requiresSecretToDisable else { throw VaultError(.authorizationExpired) }
                session = try openSession()
            }
            let slot = state.biometricSlot
            var change = try change(by: session)
            try order(.disableRequested, reason: reason, into: &change)
            guard !change.removing.isEmpty else { return }
            try await commit(change, for: session)
            if let item = slot?.item, state.contents.leftovers.contains(where: { $0.item == item }) {
                throw VaultError(.biometricsNotPurged)
            }
        }
    }

    /// Makes the biometric slot anew with a fresh lease, where the hardware keeps one and the PIN was just given.
    ///
    /// It may fail: the key that there is ends with its own lease, and then the PIN is asked for.
    fileprivate func renewBiometrics() async {
        guard device.store.keepsLeases, state.biometrics == .enabled, state.capability.available,
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
