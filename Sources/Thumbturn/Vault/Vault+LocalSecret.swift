public import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// Changes the PIN or password.
    ///
    /// The new slot is written and opened before the old one goes; biometrics stay (C5, A22).
    ///
    /// - Parameters:
    ///   - secret: the new PIN or password, UTF-8.
    ///   - authorization: the strong factor, given just now. A finger is none (C15).
    /// - Throws: `.systemModeOnly` in system mode, which ends with `disableSystemAuthentication` alone.
    public func changeLocalSecret(
        to secret: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await enter()
        defer { endExclusively() }
        try requireLocalMode()
        let session = try openSession(authorization)
        try checkStrength(of: secret)
        guard let old = outside.slot(.localSecret), let item = old.item, outside.condition == .ready else {
            throw VaultError(.keyMissing)
        }
        var change = noChange
        try change.add(try await prepareLocalSlot(secret, item: item, for: session))
        change.remove(old, keeping: item)
        change.ledger.attempts = AttemptRecord()
        try await commit(change, for: session)
        record(.localSecretChanged)
    }

    /// Opens a vault whose device secret, PIN or system key is lost with its recovery key, and makes a new PIN or password: a new
    /// device secret, a new local slot and a new ledger in one transaction.
    ///
    /// Biometrics are off afterwards.
    ///
    /// - Parameters:
    ///   - key: the recovery key, as it was shown or typed.
    ///   - secret: the new PIN or password, UTF-8.
    /// - Throws: `.recoveryKeyMalformed`, `.recoveryMissing`, `.strongFactorRefused`, `.exportOnly` where the policy, or a
    ///   vault that was tampered with, lets recovery only export; then the session for that is open.
    @discardableResult
    public func recover(
        with key: borrowing SecretBytes,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        try checkStrength(of: secret)
        let authorization = try await unlock(withRecoveryKey: key)
        try await enter()
        defer { endExclusively() }
        let session = try openSession(authorization)
        try await replaceLocalSlot(secret, for: session)
        record(.localSecretChanged)
        return try self.authorization(by: .recovery, in: session.id)
    }

    /// Seals the slot anew where today's cost is higher than the one it was made with (A4).
    ///
    /// It may fail: the old one opens.
    func strengthen(_ slot: SlotRecord, _ secret: borrowing SecretBytes) async throws(VaultError) {
        guard let session, session.scope == .full, let item = slot.item, let cost = slot.argon2 else { return }
        let today = configuration.argon2.default
        guard cost.memoryKiB < today.memoryKiB || cost.passes < today.passes else { return }
        var change = noChange
        if let stronger = try? await prepareLocalSlot(secret, item: item, for: session) {
            try change.add(stronger)
            change.remove(slot, keeping: item)
            try? await commit(change, for: session)
        }
        // A lock that came meanwhile has won (A36).
        guard self.session === session else { throw VaultError(.locked) }
    }

    /// Puts a new local slot with a new device secret and a new ledger into the place of every slot but the recovery key's.
    func replaceLocalSlot(_ secret: borrowing SecretBytes, for session: Session) async throws(VaultError) {
        let now = device.clock()
        var change = noChange
        change.ledger = Ledger(founding: session.vault)
        change.ledger.lastStrongAuthentication = now
        change.ledger.lastUse = now
        change.head.installation = try await currentInstallation()
        for slot in outside.slots where slot.kind != .recovery { change.remove(slot) }
        let item = try await makeDeviceSecret(of: session.vault)
        let condition = outside.condition
        do throws(VaultError) {
            try change.add(try await prepareLocalSlot(secret, item: item, for: session))
            try await adoptLedgerKey(item)
            bookkeeper = LedgerMachine(founding: change.ledger)
            outside.condition = .ready
            try await commit(change, for: session)
        } catch {
            // Whether the commit took effect or not, the next look at the vault finds the key that its slot names.
            forgetLedgerKey()
            outside.condition = condition
            if outside.deviceSecret != item { await discard(VaultStore.Leftover(item: item)) }
            throw error
        }
    }

    /// Seals a new local slot around the session's key, for a device secret that is there.
    func prepareLocalSlot(
        _ secret: borrowing SecretBytes,
        item: ItemName,
        for session: Session
    ) async throws(VaultError) -> PreparedSlot {
        // Again, for what led here asked the device anew. And a PIN that is too short by now is not sealed anew at a higher
        // cost: its slot would say that it was chosen for what the device is worth now.
        try checkStrength(of: secret)
        try checkWorth()
        let blank = SlotRecord(
            vault: session.vault,
            id: .make(),
            kind: .localSecret,
            device: device.kind,
            key: outside.head.key,
            generation: outside.head.generation + 1,
            argon2: configuration.argon2.default,
            item: item,
            createdAt: device.clock().wall
        )
        let stretched = try blank.stretch(secret, limits: configuration.argon2)
        do throws(DeviceRefusal) {
            let authorisation = stretched.authorisation(salt: blank.salt)
            try await device.store.guardDeviceSecret(item, for: blank.id, with: authorisation)
        } catch {
            throw VaultError(.storageUnavailable, "device secret: \(error)")
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

    /// Refuses a PIN or password where the device is worth less than the policy asks for.
    ///
    /// Of a head that nobody has verified this is not asked: whoever edits it would shut the owner out.
    func checkWorth() throws(VaultError) {
        guard outside.head.policy.allowsSecret(under: device.store.assurance(of: .deviceOnly)) else {
            throw VaultError(.assuranceTooLow, "the PIN's slot")
        }
    }

    func checkStrength(of secret: borrowing SecretBytes) throws(VaultError) {
        let assurance = device.store.assurance(of: .deviceOnly)
        let weakness = secret.withBytes { bytes in LocalSecretRules.weakness(of: bytes, under: assurance) }
        if let weakness { throw VaultError(weakness) }
    }
}
