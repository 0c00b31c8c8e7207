import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// One change of a vault, put together before anything is written.
struct Change {
    var head: Head
    var ledger: Ledger
    /// Slots that come in.
    ///
    /// Each is read back and opened before the commit.
    var adding: [PreparedSlot] = []
    /// Wallets that come in.
    ///
    /// Each is read back before the commit.
    var wallets: [WalletRecord] = []
    /// Slots that go.
    var removing: [SlotRecord] = []

    /// Items of the secure store that nothing refers to after the commit.
    var releasing: [ItemName] = []

    /// Takes a slot out of the head, and its record out of the table; its item goes too, unless it is kept.
    mutating func remove(_ slot: SlotRecord, keeping kept: ItemName? = nil) {
        head.slots.removeAll { $0.id == slot.id }
        removing.append(slot)
        if let item = slot.item, item != kept { releasing.append(item) }
        if ledger.revocation?.slot == slot.id { ledger.revocation = nil }
    }

    mutating func add(_ slot: PreparedSlot) throws(VaultError) {
        head.slots.append(try slot.listing)
        adding.append(slot)
    }
}

// How a change is written: the new first, verified, then the old goes, in one transaction; then the anchor follows, and
// last what nothing refers to any more is deleted (K-09, K-10, A22).
extension Vault {
    /// The change that changes nothing yet, from the state that `lookAround` just read.
    var noChange: Change { Change(head: outside.head, ledger: outside.ledger) }

    /// Writes `change`; `rows` writes what belongs to it in the same transaction.
    func commit(
        _ change: Change,
        for session: Session,
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) {
        var change = change
        change.head.generation += 1
        change.head.format = Head.format
        let changesSlots = !change.adding.isEmpty || !change.removing.isEmpty
        if changesSlots { change.ledger.advance() }
        // K-10, S-03: whatever is asked, a way in remains that the system can't close, and one mode stands alone.
        let kinds = change.head.confirmedKinds
        guard SlotRules.mayCommit(kinds, isHalfMigrated: change.head.migrationState == .half) else {
            throw VaultError(.consentMissing, "the last slot")
        }
        // A vault that was locked while the device was busy is no vault that was tampered with.
        guard !session.isForgotten else { throw VaultError(.locked) }
        // Never authenticate anew what somebody else wrote: what this change started from must be the vault's own.
        guard outside.contents.head == nil || isAuthentic(for: session) else { throw VaultError(.vaultTampered) }
        change.ledger.slots = change.head.slots.map(\.id)
        var released: [VaultStore.Leftover] = []
        for item in change.releasing {
            released.append(VaultStore.Leftover(item: item, tag: try await deletionTag(of: item)))
        }
        let head = try session.authenticate(change.head)
        // System mode counts nothing, and has no device secret to authenticate a ledger with.
        let isLedgerless = UnlockMode(listed: kinds, standing: []) == .system
        let ledger = isLedgerless ? nil : try authenticate(change.ledger)
        try store.transaction { () throws(VaultError) in
            for slot in change.adding {
                try store.add(slot.record)
                try slot.verify(store.slotRecord(slot.record.id), opens: session)
                if let item = slot.record.item { try store.removeLeftover(item) }
            }
            for slot in change.removing { try store.removeSlot(slot.id) }
            for leftover in released { try store.addLeftover(leftover.item, tag: leftover.tag) }
            try rows()
            try insert(change.wallets)
            if let ledger { try store.setLedger(ledger) } else { try store.removeLedger() }
            try store.setHead(head)
            try store.raiseVersion()
        }
        keepsLeftovers = false
        outside.contents.head = head
        outside.contents.leftovers += released
        for slot in change.removing { outside.contents.slots.removeAll { $0.id == slot.id.bytes } }
        outside.head = change.head
        outside.ledger = change.ledger
        outside.slots.removeAll { slot in change.removing.contains { $0.id == slot.id } }
        for slot in change.adding {
            outside.slots.append(slot.record)
            outside.contents.slots.append((id: slot.record.id.bytes, record: try slot.record.bytes))
        }
        machine.adopt(change.head.policy, mode: outside.mode)
        lifecycle = BiometricLifecycle(state: outside.biometrics)
        // The change stands. A counter that can't follow now is one step behind, and the next look raises it.
        // That of a device secret which goes rises too: until it is gone, the file of before is behind it (A7).
        if changesSlots, let ledgerItem { _ = try? await raiseAnchor(to: change.ledger.sequence, ledgerItem) }
        if isLedgerless { retireLedger() }
        if !change.removing.isEmpty {
            try eraseDeleted()
            await purgeLeftovers()
        }
        publish()
    }

    /// Overwrites what was deleted, and removes the copies of it that a backup of another process left when it was cut off.
    func eraseDeleted() throws(VaultError) {
        removePartials()
        try store.eraseDeleted()
    }

    private func isAuthentic(for session: Session) -> Bool {
        session.integrity(of: outside.contents.head, slots: outside.slots) == .intact
    }

    /// The open session, for a call that changes or reads something; it counts as use.
    ///
    /// - Throws: `.locked`, or `.exportOnly` where `scope` asks for more than the session may do.
    func openSession(_ scope: SessionScope = .full) throws(VaultError) -> Session {
        if isIdle, let used = session?.lastActivity {
            apply(machine.handle(.idleLimitPassed))
            var ledger = outside.ledger
            ledger.lastUse = used
            try? write(ledger)
            publish()
        }
        guard let session else { throw VaultError(.locked) }
        if scope == .full, session.scope != .full { throw VaultError(.exportOnly) }
        if scope == .full { try requireCompleteMigration() }
        session.lastActivity = device.clock()
        return session
    }

    /// The open session, for a call that needs the strong factor given just now.
    func openSession(
        _ authorization: consuming StrongAuthorization,
        _ scope: SessionScope = .full
    ) throws(VaultError) -> Session {
        let session = try openSession(scope)
        // What another process took away meanwhile vouches for nothing here.
        guard session.id == authorization.session, outside.slot(authorization.slot) != nil,
            case .elapsed(_, let age) = ClockReading.relation(from: authorization.at, to: device.clock()),
            age <= StrongAuthorization.lifetime
        else { throw VaultError(.authorizationExpired) }
        return session
    }

    /// After a strong unlock: clears failures, dates it, and folds what restricts the vault into its head.
    func acknowledgeStrongUnlock() async throws(VaultError) {
        guard let candidate else { return }
        let now = device.clock()
        var change = noChange
        change.ledger.attempts = AttemptRecord()
        change.ledger.biometricFailures = 0
        change.ledger.wasLockedOut = false
        change.ledger.lastStrongAuthentication = now
        change.ledger.lastUse = now
        guard outside.condition == .ready else { return }  // Nothing to write a ledger with: recovery makes it anew.
        if case .revoked = outside.biometrics, let slot = outside.biometricSlot { change.remove(slot) }
        let installation = try await currentInstallation()
        if installation != change.head.installation {
            change.head.installation = installation
        } else if change.removing.isEmpty {
            return try write(change.ledger)
        }
        try await commit(change, for: candidate)
    }

    func currentInstallation() async throws(VaultError) -> Identifier {
        do { return try await device.installation() } catch {
            throw VaultError(.storageUnavailable, "installation: \(error)")
        }
    }

    /// Locks the session once its limit has passed.
    ///
    /// The limit counts with sleep, which a timer need not, so it looks often.
    func startIdleTimer() {
        idleTimer?.cancel()
        idleTimer = Task { [weak self] in
            while !Task.isCancelled {
                guard let rest = await self?.timeUntilIdle else { return await self?.lockIfIdle() ?? () }
                try? await Task.sleep(nanoseconds: UInt64(min(rest.count, 30_000)) * 1_000_000)
            }
        }
    }

    /// How long until the open session is idle; nil once it is, or when there is none.
    private var timeUntilIdle: Milliseconds? {
        guard let session, !isIdle else { return nil }
        let used = max(device.clock().boottime - session.lastActivity.boottime, .zero)
        return max(outside.head.policy.locksAfterIdle - used, .zero) + Milliseconds(1)
    }
}

// Items of the secure store. A name is noted as a leftover before the item is made, so that a crash leaves no orphan; the
// commit that refers to it takes the note away.
extension Vault {
    /// Makes a device secret, and looks that it is there.
    ///
    /// Its counter comes with the first commit that names it.
    func makeDeviceSecret(of vault: Identifier) async throws(VaultError) -> ItemName {
        let name = ItemName(vault: vault, purpose: .deviceSecret, unique: .make())
        try store.addLeftover(name)
        do throws(DeviceRefusal) {
            try await device.store.makeDeviceSecret(name)
            try await checkProtection(of: name, access: .deviceOnly)
        } catch {
            await discard(VaultStore.Leftover(item: name))
            throw VaultError(error)
        }
        return name
    }

    /// Stores the intermediate secret of a slot behind what the device asks for.
    ///
    /// It never prompts.
    ///
    /// - Throws: `.protectionDropped`, or what `refused` makes of any other refusal.
    func storeIntermediateSecret(
        _ secret: borrowing RandomSecret,
        for purpose: ItemName.Purpose,
        access: AccessControl,
        refused: (DeviceRefusal) -> VaultError
    ) async throws(VaultError) -> ItemName {
        let name = ItemName(vault: outside.head.vault, purpose: purpose, unique: .make())
        try store.addLeftover(name)
        do throws(DeviceRefusal) {
            let lease = access == .currentBiometrySet ? outside.head.policy.lease : nil
            try await device.store.save(secret.copyBytes(), as: name, access: access, lease: lease)
            try await checkProtection(of: name, access: access)
        } catch {
            await discard(VaultStore.Leftover(item: name))
            throw error == .weakerThanAsked ? VaultError(.protectionDropped) : refused(error)
        }
        return name
    }

    /// Reads the attributes back: a platform that drops one is refused (A32).
    private func checkProtection(of name: ItemName, access: AccessControl) async throws(DeviceRefusal) {
        guard let stored = try await device.store.describe(name) else { throw .unavailable }
        guard stored == ItemDescription(access: access, staysOnDevice: true) else { throw .weakerThanAsked }
    }

    /// Deletes an item that nothing refers to, its counter and its note.
    ///
    /// Where that fails, the note stays and it is tried again at the next start.
    ///
    /// - Returns: whether the item is gone.
    @discardableResult
    func discard(_ leftover: VaultStore.Leftover) async -> Bool {
        do {
            // A commit whose sync failed may lie in the log whole, and would count after a crash. It is written over first:
            // else the item could be deleted, and the slot that names it come back.
            try store.renewLeftover(leftover)
            try await device.store.delete(leftover.item)
            try await device.anchor.remove(for: leftover.item)
            try store.removeLeftover(leftover.item)
            return true
        } catch {
            return false
        }
    }
}

extension VaultPolicy {
    /// How long hardware that can tell lets a finger's key live after the PIN was given.
    ///
    /// Idle time is not part of it: that counts from the last use, which no hardware knows.
    fileprivate var lease: ItemLease? {
        guard strongFactorAfterReboot || strongFactorMaxAge != nil else { return nil }
        return ItemLease(thisBootOnly: strongFactorAfterReboot, duration: strongFactorMaxAge)
    }
}
