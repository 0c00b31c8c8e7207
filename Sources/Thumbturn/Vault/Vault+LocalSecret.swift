public import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

extension Vault {
    /// Changes the PIN or password.
    ///
    /// The new slot is written and opened before the old one goes; biometrics stay (C5, A22). The former slot's device secret
    /// goes with it: a copy of the vault from before opens with the recovery key alone, and says `keyMissing` to every PIN
    /// (A7). On a TPM or in files that holds as long as nobody kept a copy of the device's folder.
    ///
    /// - Parameters:
    ///   - secret: the new PIN or password, UTF-8.
    ///   - authorization: the strong factor, given just now. A finger is none (C15).
    /// - Throws: `.formerSecretRemains` where the new PIN counts and the device did not confirm that the former one's secret
    ///   is gone; each look tries again. `.systemModeOnly` in system mode, which ends with `disableSystemAuthentication`
    ///   alone; or why nothing was changed.
    public func changeLocalSecret(
        to secret: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            try requireLocalMode()
            let session = try openSession(authorization)
            try checkStrength(of: secret)
            guard let old = outside.slot(.localSecret), let former = old.item, outside.condition == .ready else {
                throw VaultError(.keyMissing)
            }
            var ledger = outside.ledger
            ledger.clearAttempts()
            if let ledgerItem = old.ledgerItem {
                try await replace(
                    [old],
                    by: secret,
                    ledger,
                    on: ledgerItem,
                    for: session,
                    recording: .localSecretChanged
                )
            } else {
                // A slot of an older release, whose own secret is the ledger's too.
                try await withNewLedger(ledger) { (ledgerItem, ledger) throws(VaultError) in
                    try await self.replace(
                        [old],
                        by: secret,
                        ledger,
                        on: ledgerItem,
                        for: session,
                        recording: .localSecretChanged
                    )
                }
            }
            try await requireAbsent(former)
        }
    }

    /// Refuses to call a former PIN's secret gone before the device confirmed it.
    func requireAbsent(_ former: ItemName) async throws(VaultError) {
        do throws(VaultError) {
            guard try await isAbsent(former), !outside.formerSecretRemains else {
                throw VaultError(.formerSecretRemains)
            }
        } catch {
            throw VaultError(.formerSecretRemains, error.diagnostic)
        }
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
        return try await turn { () async throws(VaultError) -> StrongAuthorization in
            let session = try openSession(authorization)
            try await replaceLocalSlot(secret, for: session, recording: .localSecretChanged)
            return try self.authorization(by: .recovery, in: session.id)
        }
    }

    /// Seals the slot anew where today's cost is higher than the one it was made with (A4).
    ///
    /// It may fail: the old one opens.
    func strengthen(_ slot: SlotRecord, _ secret: borrowing SecretBytes) async throws(VaultError) {
        guard let session, session.scope == .full, let item = slot.item, let cost = slot.argon2 else { return }
        let today = configuration.argon2.default
        guard cost.memoryKiB < today.memoryKiB || cost.passes < today.passes else { return }
        var change = try change(by: session)
        let stronger = await tolerating { () async throws(VaultError) in
            try await prepareLocalSlot(secret, item: item, ledgerItem: slot.ledgerItem, for: session)
        }
        if let stronger {
            try change.add(stronger)
            change.remove(slot)
            do throws(VaultError) {
                try await commit(change, for: session)
            } catch {
                // Another copy came first, and stands on what is here: nothing of it goes.
                guard error.code != .olderCopy else { throw error }
            }
        }
        // A lock that came meanwhile has won (A36).
        guard self.session === session else { throw VaultError(.locked) }
    }

    /// Removes what hardware that counts kept of slots that are gone: a cost upgrade, also one that a crash cut off, leaves a part.
    func removeFormerParts(of item: ItemName) async {
        guard let session, session.scope == .full else { return }
        let standing = outside.slots.filter { $0.item == item }.map(\.id)
        guard !standing.isEmpty else { return }
        do { try await device.store.keepParts(of: item, for: standing) } catch {
            configuration.tolerated(VaultError(.storageUnavailable, "former parts: \(error)"))
        }
    }

    /// Puts a new local slot with a new device secret and a new ledger into the place of every slot of either mode.
    func replaceLocalSlot(
        _ secret: borrowing SecretBytes,
        for session: Session,
        recording kind: AuditEventKind
    ) async throws(VaultError) {
        let now = device.clock()
        var ledger = Ledger(founding: session.vault)
        ledger.lastStrongAuthentication = now
        ledger.lastUse = now
        let removed = outside.slots.filter { $0.kind.mode != nil }
        let condition = outside.condition
        do throws(VaultError) {
            try await withNewLedger(ledger) { (ledgerItem, ledger) throws(VaultError) in
                self.outside.condition = .ready
                try await self.replace(
                    removed,
                    by: secret,
                    ledger,
                    on: ledgerItem,
                    for: session,
                    recording: kind
                )
            }
        } catch {
            outside.condition = condition
            throw error
        }
    }

    /// Puts a new local slot into the place of others, with a device secret of its own and a ledger on `ledgerItem`.
    private func replace(
        _ removed: [SlotRecord],
        by secret: borrowing SecretBytes,
        _ ledger: Ledger,
        on ledgerItem: ItemName,
        for session: Session,
        recording kind: AuditEventKind
    ) async throws(VaultError) {
        var change = try change(by: session)
        change.record(kind)
        change.ledger = ledger
        change.head.installation = try await currentInstallation()
        for slot in removed { change.remove(slot) }
        try await withLocalSlot(secret, on: ledgerItem, for: session) { (slot) throws(VaultError) in
            try change.add(slot)
            try await self.commit(change, for: session)
        }
    }

    /// Makes a device secret and seals a new local slot with it, and hands that to `body`, which commits it.
    ///
    /// Where that fails, the secret goes again.
    ///
    /// - Parameters:
    ///   - ledgerItem: the secret that the ledger stands on.
    ///   - policy: that of a key that begins; nil for the vault's.
    func withLocalSlot<Result>(
        _ secret: borrowing SecretBytes,
        on ledgerItem: ItemName,
        for session: Session,
        under policy: VaultPolicy? = nil,
        _ body: (PreparedSlot) async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        let made = try await makeDeviceSecret(of: session.vault)
        do throws(VaultError) {
            return try await body(
                prepareLocalSlot(secret, item: made.item, ledgerItem: ledgerItem, for: session, under: policy)
            )
        } catch {
            await discardUnlessNamed(made)
            throw error
        }
    }

    /// Seals a new local slot around the session's key, for a device secret that is there.
    func prepareLocalSlot(
        _ secret: borrowing SecretBytes,
        item: ItemName,
        ledgerItem: ItemName?,
        for session: Session,
        under policy: VaultPolicy? = nil
    ) async throws(VaultError) -> PreparedSlot {
        // Again, for what led here asked the device anew. And a PIN that is too short by now is not sealed anew at a higher
        // cost: its slot would say that it was chosen for what the device is worth now.
        try checkStrength(of: secret)
        try checkWorth(under: policy ?? outside.head.policy)
        let blank = blankSlot(
            .localSecret,
            for: session,
            argon2: configuration.argon2.default,
            item: item,
            ledgerItem: ledgerItem
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
    func checkWorth(under policy: VaultPolicy) throws(VaultError) {
        guard policy.allowsSecret(under: device.store.assurance(of: .deviceOnly)) else {
            throw VaultError(.assuranceTooLow, "the PIN's slot")
        }
    }

    func checkStrength(of secret: borrowing SecretBytes) throws(VaultError) {
        let assurance = device.store.assurance(of: .deviceOnly)
        let weakness = secret.withBytes { bytes in LocalSecretRules.weakness(of: bytes, under: assurance) }
        if let weakness { throw VaultError(weakness) }
    }
}
