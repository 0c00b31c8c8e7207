import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Slots that are not stored yet, each with its items on the device; the items are discarded if the commit fails.
extension Vault {
    /// Creates an unsealed slot for the session's key.
    func blankSlot(
        _ kind: SlotKind,
        for session: Session,
        argon2: Argon2Parameters? = nil,
        item: ItemName? = nil,
        accountKey: Identifier? = nil,
        policyEpoch: UInt64? = nil
    ) -> SlotRecord {
        SlotRecord(
            vault: session.vault,
            id: .make(),
            kind: kind,
            device: device.kind,
            key: session.key,
            generation: state.head.generation + 1,
            argon2: argon2,
            item: item,
            accountKey: accountKey,
            policyEpoch: policyEpoch,
            createdAt: device.clock().wall
        )
    }
}

// The PIN's slot.
extension Vault {
    /// Replaces every slot of either mode by a new local slot and ledger on a new device secret.
    func replaceLocalSlot(
        _ secret: borrowing SecretBytes,
        for session: Session,
        recording kind: AuditEventKind,
        in turn: borrowing Turn
    ) async throws(VaultError) {
        let now = device.clock()
        var ledger = Ledger(founding: session.vault)
        ledger.lastStrongAuthentication = now
        ledger.lastUse = now
        let removed = state.slots.filter { $0.kind.mode != nil }
        let condition = state.condition
        do throws(VaultError) {
            try await withNewLedger(ledger, in: turn) { (item, ledger) throws(VaultError) in
                self.state = self.state.with(.ready)
                try await self.replace(
                    removed,
                    by: secret,
                    ledger,
                    on: item,
                    for: session,
                    recording: kind,
                    in: turn
                )
            }
        } catch {
            state = state.with(condition)
            throw error
        }
    }

    /// Replaces slots by a new local slot and a ledger, both on the device secret `item`.
    func replace(
        _ removed: [SlotRecord],
        by secret: borrowing SecretBytes,
        _ ledger: Ledger,
        on item: ItemName,
        for session: Session,
        recording kind: AuditEventKind,
        in turn: borrowing Turn
    ) async throws(VaultError) {
        var change = try change(by: session)
        change.record(kind)
        change.ledger = ledger
        change.head.installation = try await device.currentInstallation()
        for slot in removed { change.remove(slot) }
        try change.add(await prepareLocalSlot(secret, item: item, for: session))
        try await commit(change, for: session, in: turn)
    }

    /// Creates the device secret of the next slot, and passes it to `body` with the ledger; `body` commits.
    ///
    /// An attacker who read the former secret could keep writing rows (A8), so the ledger moves to the new one. Copies
    /// of a folder share only the former anchor: the first copy to move it continues, and the others count as older
    /// copies.
    ///
    /// - Throws: `.busy` when another copy was changed first, and this change was not made; and what `body` throws.
    func withNextLedger<Result>(
        _ ledger: Ledger,
        in turn: borrowing Turn,
        _ body: (ItemName, Ledger) async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        try await demand(in: turn) { _ in }
        return try await withNewLedger(ledger, in: turn, body)
    }

    /// Seals a new local slot around the session's key, with an existing device secret.
    func prepareLocalSlot(
        _ secret: borrowing SecretBytes,
        item: ItemName,
        for session: Session,
        under policy: VaultPolicy? = nil
    ) async throws(VaultError) -> PreparedSlot {
        // Check again: the device was queried on the way here, and its assurance may have changed. A PIN that is too
        // short by now must not be sealed at a higher cost: its slot would claim that it was chosen for the device's
        // current assurance.
        try checkStrength(of: secret)
        try checkWorth(under: policy ?? state.head.policy)
        let blank = blankSlot(
            .localSecret,
            for: session,
            argon2: configuration.argon2.default,
            item: item
        )
        let stretched = try blank.stretch(secret, limits: configuration.argon2)
        do throws(DeviceRefusal) {
            let authorisation = stretched.authorisation(salt: blank.salt)
            try await device.store.guardDeviceSecret(item, for: blank.id, with: authorisation)
        } catch {
            throw VaultError(error, at: .errand("device secret"))
        }
        guard let share = try await deviceShare(item, of: blank, under: stretched) else {
            throw VaultError(.storageUnavailable, "the device contradicts itself")
        }
        return try PreparedSlot(
            blank,
            for: session,
            under: .local(LocalSecret(stretched: stretched, deviceShare: share)),
            assurance: device.store.assurance(of: .deviceOnly)
        )
    }

    static let shareByteCount = 32

    /// Returns the device's share for a stretched secret; nil when hardware that counts attempts itself says that it is
    /// wrong.
    ///
    /// - Throws: `.attemptDelayed` while such hardware refuses every secret; `.keyMissing`, `.storageUnavailable`.
    func deviceShare(
        _ item: ItemName,
        of slot: SlotRecord,
        under stretched: borrowing StretchedSecret
    ) async throws(VaultError) -> SecretBytes? {
        let authorisation = stretched.authorisation(salt: slot.salt)
        do throws(DeviceRefusal) {
            let share = try await device.store.evaluate(item, for: slot.id, with: authorisation, input: slot.shareInput)
            // A shorter share would silently leave the device out of the key.
            guard share.byteCount == Self.shareByteCount else { throw .unclassified }
            return share
        } catch {
            if error == .wrongAuthorisation { return nil }
            throw VaultError(error, at: .useDeviceSecret)
        }
    }

    /// Refuses to treat a former slot's secret as gone until the device confirmed it.
    func requireAbsent(itemsOf former: SlotRecord) async throws(VaultError) {
        do throws(VaultError) {
            for item in former.items {
                guard try await device.isAbsent(item) else { throw VaultError(.formerSecretRemains) }
            }
            guard !state.formerSecretRemains else { throw VaultError(.formerSecretRemains) }
        } catch {
            throw VaultError(.formerSecretRemains, error.diagnostic)
        }
    }

    /// Refuses a PIN or password when the device's assurance is below what the policy requires.
    ///
    /// Not checked against an unverified head: an attacker who edits it could lock the owner out.
    func checkWorth(under policy: VaultPolicy) throws(VaultError) {
        guard policy.allowsSecret(under: device.store.assurance(of: .deviceOnly)) else {
            throw VaultError(.assuranceTooLow, "the PIN's slot")
        }
    }

    func checkStrength(of secret: borrowing SecretBytes) throws(VaultError) {
        if let weakness = device.weakness(of: secret) { throw VaultError(weakness) }
    }
}

// The biometric slot.
extension Vault {
    /// Creates a slot, replacing one that was revoked or whose lease is running out.
    ///
    /// - Parameters:
    ///   - former: an item that must still exist after the new one was stored.
    ///   - fill: adds what else belongs to the change.
    func makeBiometricSlot(
        for id: Identifier,
        ifStillThere former: ItemName? = nil,
        in turn: borrowing Turn,
        _ fill: (inout Change) -> Void
    ) async throws(VaultError) {
        try await withBiometricKey(in: turn) { (intermediate, item) throws(VaultError) in
            // A person who was enrolled in the meantime must not get in with the new key (A28).
            if let former, try await device.isMissing(former) { throw VaultError(.biometricsChanged) }
            // The vault may have been locked while the device was busy; then there is no key left to wrap.
            guard let session, session.id == id else { throw VaultError(.locked) }
            var change = try change(by: session)
            if let dead = state.biometricSlot { change.remove(dead) }
            try change.add(prepareBiometricSlot(intermediate, item: item, for: session))
            change.head.installation = try await device.currentInstallation()
            change.ledger.biometricFailures = 0
            fill(&change)
            try await commit(change, for: session, in: turn)
        }
    }

    /// Stores a new intermediate secret under the enrolled set for `commit`, and discards it if that fails.
    func withBiometricKey<Result>(
        in turn: borrowing Turn,
        commit: (borrowing RandomSecret, ItemName) async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        let intermediate = RandomSecret.make()
        let item = try await storeIntermediateSecret(intermediate, behind: .currentBiometrySet, in: turn)
        do throws(VaultError) {
            return try await commit(intermediate, item)
        } catch {
            if state.biometricSlot?.item != item { await discard(VaultStore.Leftover(item: item), in: turn) }
            throw error
        }
    }

    /// Seals a new biometric slot around the session's key, for a stored intermediate secret.
    func prepareBiometricSlot(
        _ intermediate: borrowing RandomSecret,
        item: ItemName,
        for session: Session
    ) throws(VaultError) -> PreparedSlot {
        let blank = blankSlot(.biometric, for: session, item: item, policyEpoch: state.head.policyEpoch)
        return try PreparedSlot(
            blank,
            for: session,
            under: .biometric(intermediate.copy()),
            assurance: device.store.assurance(of: .currentBiometrySet)
        )
    }

    /// Adds to a change what the biometric life cycle orders for an event.
    ///
    /// - Throws: the life cycle's refusal.
    func order(_ event: BiometricLifecycle.Event, reason: String? = nil, into change: inout Change) throws(VaultError) {
        for order in BiometricLifecycle(state: state.biometrics).handle(event) {
            switch order {
            case .removeSlot: if let slot = state.biometricSlot { change.remove(slot) }
            case .record(let kind): change.record(kind, reason: reason)
            case .refuse(let code): throw VaultError(code)
            case .makeSlot, .restrictSlot: break  // Not part of an existing change.
            }
        }
    }
}

// The recovery key's slot.
extension Vault {
    /// Seals a recovery slot around the session's key.
    func prepareRecoverySlot(_ key: borrowing SlotSecret, for session: Session) throws(VaultError) -> PreparedSlot {
        let blank = blankSlot(.recovery, for: session)
        return try PreparedSlot(blank, for: session, under: key, assurance: nil)
    }
}
