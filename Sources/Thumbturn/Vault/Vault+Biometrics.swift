import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

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
            let obstacle = outside.capability.obstacle(under: outside.head.policy)
            let orders = BiometricLifecycle(state: outside.biometrics).handle(.enableRequested(obstacle))
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

    /// Makes a slot, in the place of one that was revoked or whose lease runs out.
    ///
    /// - Parameters:
    ///   - former: an item that has to be there still, once the new one is.
    ///   - fill: what else belongs to the change.
    private func makeBiometricSlot(
        for id: Identifier,
        ifStillThere former: ItemName? = nil,
        _ fill: (inout Change) -> Void
    ) async throws(VaultError) {
        try await withBiometricKey { (intermediate, item) throws(VaultError) in
            // Whoever was enrolled meanwhile must not come in with the new key (A28).
            if let former, try await isAbsent(former) { throw VaultError(.biometricsChanged) }
            // The vault may have been locked while the device was busy: then there is no key to wrap any more.
            guard let session, session.id == id else { throw VaultError(.locked) }
            var change = try change(by: session)
            if let dead = outside.biometricSlot { change.remove(dead) }
            try change.add(prepareBiometricSlot(intermediate, item: item, for: session))
            change.head.installation = try await currentInstallation()
            change.ledger.biometricFailures = 0
            fill(&change)
            try await commit(change, for: session)
        }
    }

    /// Puts what the life cycle orders into a change.
    ///
    /// - Throws: what it refuses.
    func order(
        _ event: BiometricLifecycle.Event,
        reason: String? = nil,
        into change: inout Change
    ) throws(VaultError) {
        for order in BiometricLifecycle(state: outside.biometrics).handle(event) {
            switch order {
            case .removeSlot: if let slot = outside.biometricSlot { change.remove(slot) }
            case .record(let kind): change.record(kind, reason: reason)
            case .refuse(let code): throw VaultError(code)
            case .makeSlot, .restrictSlot: break  // Not part of a change that is there already.
            }
        }
    }

    /// Makes the biometric slot anew with a fresh lease, where the hardware keeps one and the PIN was just given.
    ///
    /// It may fail: the key that there is ends with its own lease, and then the PIN is asked for.
    func renewBiometrics() async {
        guard device.store.keepsLeases, outside.biometrics == .enabled, outside.capability.available,
            let session, session.scope == .full, let former = outside.biometricSlot?.item
        else { return }
        await tolerating { () async throws(VaultError) in
            try await makeBiometricSlot(for: session.id, ifStillThere: former) { $0.record(.biometricEnabled) }
        }
    }

    /// Stores a new intermediate secret under the enrolled set for `commit`, and deletes it again where that fails.
    func withBiometricKey<Result>(
        commit: (borrowing RandomSecret, ItemName) async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        let intermediate = RandomSecret.make()
        let item = try await storeIntermediateSecret(intermediate, for: .biometric, access: .currentBiometrySet) {
            VaultError(.biometricsNotStored, "\($0)")
        }
        do throws(VaultError) {
            return try await commit(intermediate, item)
        } catch {
            if outside.biometricSlot?.item != item { await discard(VaultStore.Leftover(item: item)) }
            throw error
        }
    }

    /// Seals a new biometric slot around the session's key, for an intermediate secret that is there.
    func prepareBiometricSlot(
        _ intermediate: borrowing RandomSecret,
        item: ItemName,
        for session: Session
    ) throws(VaultError) -> PreparedSlot {
        let blank = blankSlot(.biometric, for: session, item: item, policyEpoch: outside.head.policyEpoch)
        return try PreparedSlot(
            blank,
            for: session,
            under: .biometric(intermediate.copy()),
            assurance: device.store.assurance(of: .currentBiometrySet)
        )
    }

    /// Turns biometrics off, in whatever state they are, without a prompt and without reading the key (B-08).
    ///
    /// - Parameter authorization: asked for unless the policy says otherwise (C5).
    /// - Throws: `.biometricsNotPurged` when biometrics are off but an artefact could not be deleted yet.
    public func disableBiometrics(_ authorization: consuming StrongAuthorization?) async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            try requireCompleteMigration()
            let session: Session
            switch authorization {
            case .some(let authorization):
                session = try openSession(authorization)
            case .none:
                guard !outside.head.policy.requiresSecretToDisable else { throw VaultError(.authorizationExpired) }
                session = try openSession()
            }
            let slot = outside.biometricSlot
            var change = try change(by: session)
            try order(.disableRequested, reason: "owner", into: &change)
            guard !change.removing.isEmpty else { return }
            try await commit(change, for: session)
            if let item = slot?.item, outside.contents.leftovers.contains(where: { $0.item == item }) {
                throw VaultError(.biometricsNotPurged)
            }
        }
    }
}
