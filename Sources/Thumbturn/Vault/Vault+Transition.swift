import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

// How a change is written: the new first, verified, then the old goes, in one transaction; then the anchor follows, and
// last what nothing refers to any more is deleted (K-09, K-10, A22).
extension Vault {
    /// The change that changes nothing yet, from the state that `lookAround` just read.
    ///
    /// - Throws: `.vaultTampered` where head or slots are not as the vault wrote them: nobody authenticates anew what somebody
    ///   else wrote; `.locked`.
    func change(by session: Session) throws(VaultError) -> Change {
        guard !session.isForgotten else { throw VaultError(.locked) }
        guard let head = session.verified(outside.contents.head, slots: outside.slots) else {
            throw VaultError(.vaultTampered)
        }
        return Change(of: head, ledger: outside.ledger)
    }

    /// The change that begins a key: its head takes the place of what stands there, and vouches for nothing of it.
    func change(founding head: Head) -> Change {
        Change(founding: head, replacing: outside.contents.head, ledger: outside.ledger)
    }

    /// Writes `change`; `rows` writes what belongs to it in the same transaction.
    ///
    /// - Throws: `.vaultTampered` where a change of wallets would have taken the place of something else, and was undone: the
    ///   session may only export then.
    func commit(
        _ change: Change,
        for session: Session,
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) {
        do throws(VaultError) {
            try await commitMending(change, for: session, rows: rows)
        } catch {
            guard error.code == .vaultTampered || error.code == .vaultDamaged, change.index != nil,
                machine.state == .unlocked(.full)
            else { throw error }
            reportTampering()
            throw VaultError(.vaultTampered)
        }
        if let index = change.index { session.index = (outside.head.generation, index) }
    }

    /// Writes a change, and the rows of slots anew that are damaged; or all of them, where a page that can still be read takes
    /// no change: a table that is emptied whole needs no sound page.
    private func commitMending(
        _ change: Change,
        for session: Session,
        rows: () throws(VaultError) -> Void
    ) async throws(VaultError) {
        // Of a vault that was just verified every row is known: what else stands there is damage, or of nobody.
        let mayMend = !change.beginsKey && outside.contents.lost.isDisjoint(with: [.slot, .slotCopy])
        let mendsFirst = mayMend && !outside.slotsAreWhole
        let standing = bookkeeper
        do throws(VaultError) {
            try await commit(change, mending: mendsFirst ? outside.slots : nil, for: session, rows: rows)
        } catch {
            // What can't be written anew, or only over something else, is not worth the change. Nothing of it was stored.
            guard mayMend, error.code == .vaultDamaged || error.code == .vaultTampered else { throw error }
            bookkeeper = standing
            try await commit(change, mending: mendsFirst ? nil : outside.slots, for: session, rows: rows)
        }
    }

    private func commit(
        _ change: Change,
        mending mended: [SlotRecord]?,
        for session: Session,
        rows: () throws(VaultError) -> Void
    ) async throws(VaultError) {
        var change = change
        change.head.generation += 1
        change.head.format = Head.format
        // K-10, S-03: whatever is asked, a way in remains that the system can't close, and one mode stands alone.
        let kinds = change.head.confirmedKinds
        guard SlotRules.mayCommit(kinds, isHalfMigrated: change.head.migrationState == .half) else {
            throw VaultError(.consentMissing, "the last slot")
        }
        // A vault that was locked while the device was busy is no vault that was tampered with.
        guard !session.isForgotten else { throw VaultError(.locked) }
        change.ledger.slots = change.head.slots.map(\.id)
        var released: [VaultStore.Leftover] = []
        for item in releasedItems(by: change) {
            released.append(VaultStore.Leftover(item: item, tag: try await deletionTag(of: item)))
        }
        let head = try session.tagged(change.head)
        // System mode counts nothing, and has no device secret to authenticate a ledger with.
        let isLedgerless = UnlockMode(listed: kinds, standing: []) == .system
        change.ledger.head = head.digest
        var unanchored: VaultError?
        if isLedgerless {
            try store.transaction { () throws(VaultError) in
                try store.removeLedger()
                try write(change, mended, released, head, for: session, rows)
            }
        } else {
            unanchored = try await commit(change.ledger) { () throws(VaultError) in
                try write(change, mended, released, head, for: session, rows)
            }
        }
        keepsLeftovers = false
        defer { publish() }
        outside.contents.head = head
        outside.contents.leftovers += released
        let added = change.adding.map(\.record)
        try outside.contents.follow(mended: mended, removing: change.removing, adding: added)
        if mended != nil { outside.slotsAreWhole = true }
        outside.head = change.head
        outside.slots.removeAll { slot in change.removing.contains { $0.id == slot.id } }
        outside.slots += added
        machine.adopt(change.head.policy, mode: outside.mode)
        if isLedgerless { retireLedger() }
        // A session of a former key opens nothing more.
        if let open = self.session, open.key != change.head.key { apply(machine.handle(.lockRequested)) }
        for told in change.records { record(told.kind, reason: told.reason) }
        if change.adding.contains(where: { $0.record.kind == .localSecret }) { await settleOwnSecret() }
        // A slot's rows go from the log into the file at once: what damages the log afterwards leaves a vault.
        if !change.adding.isEmpty || !change.removing.isEmpty || mended != nil {
            // The change stands. What keeps the log from being written back now, such as another reader, undoes nothing.
            tolerating { () throws(VaultError) in try eraseDeleted() }
            if unanchored == nil {
                await purgeLeftovers(isVerified: self.session?.scope == .full && outside.condition == .ready)
            }
        }
        if unanchored?.code == .busy {
            // Another copy of the vault made a change first: this one is not the newest, and what it took the place of stays.
            if self.session?.scope == .full { apply(machine.handle(.tamperingFound)) }
            throw VaultError(.olderCopy)
        }
    }

    /// The items of the secure store that no slot names after the commit.
    private func releasedItems(by change: Change) -> [ItemName] {
        let staying = outside.slots.filter { slot in !change.removing.contains { $0.id == slot.id } }
        let kept = Set((staying + change.adding.map(\.record)).flatMap(\.items))
        return change.removing.flatMap(\.items).filter { !kept.contains($0) }
    }

    /// Writes the rows of a change, but for the ledger; within a transaction.
    private func write(
        _ change: Change,
        _ mended: [SlotRecord]?,
        _ released: [VaultStore.Leftover],
        _ head: VaultStore.TaggedRow,
        for session: Session,
        _ rows: () throws(VaultError) -> Void
    ) throws(VaultError) {
        // Where somebody deleted the lock's file, another process may have changed the vault meanwhile (A38).
        guard try store.head() == change.replaces else { throw VaultError(.busy) }
        try store.raiseVersion()
        if let mended { try store.setSlots(mended) }
        for slot in change.adding {
            try store.add(slot.record)
            try slot.verify(store.slotRecord(slot.record.id), opens: session)
            // That of a PIN's own secret stays until its anchor is used.
            let isLocal = slot.record.kind == .localSecret
            for item in slot.record.items where !isLocal || item != slot.record.item { try store.removeLeftover(item) }
        }
        for slot in change.removing { try store.removeSlot(slot.id) }
        for leftover in released { try store.addLeftover(leftover.item, tag: leftover.tag) }
        try rows()
        try insert(change.wallets)
        try store.setHead(head)
        try verify(change, head, mended)
    }

    /// Reads all back that a change may have cost: in a damaged file a page that is taken for a free one may be another's.
    private func verify(
        _ change: Change,
        _ head: VaultStore.TaggedRow,
        _ mended: [SlotRecord]?
    ) throws(VaultError) {
        let lost = outside.contents.lost
        let written = try store.contentsSoFar(without: lost)
        let staying = (mended ?? outside.slots).filter { slot in !change.removing.contains { $0.id == slot.id } }
        let slots = written.slotRecords(listedBy: change.head)
        guard written.head == head, written.lost == lost,
            (staying + change.adding.map(\.record)).allSatisfy(slots.contains)
        else { throw VaultError(.vaultTampered) }
        guard change.head.walletIndexHash != outside.head.walletIndexHash else { return }
        guard try storedIndex()?.isNamed(by: change.head) == true else { throw VaultError(.vaultTampered) }
    }

    /// Stores the ledger of a change with the rest of it, and then moves the anchor.
    ///
    /// Once the rows are stored the change stands: an anchor that can't follow now is settled by the next look.
    ///
    /// - Returns: why the anchor did not follow: `.busy` where it stood elsewhere.
    private func commit(
        _ ledger: Ledger,
        _ rows: () throws(VaultError) -> Void
    ) async throws(VaultError) -> VaultError? {
        let before = outside.contents.ledger
        do throws(VaultError) {
            try await bookkeep(.demanded(ledger, mark: .make()), rows: rows)
            return nil
        } catch {
            guard outside.contents.ledger != before else { throw error }
            outside.ledger = ledger
            return error
        }
    }

    /// Does what a call can go on without: a failure is told to the app's log, and undoes nothing.
    ///
    /// - Returns: nil where it failed.
    @discardableResult
    func tolerating<Result: ~Copyable>(_ body: () throws(VaultError) -> Result) -> Result? {
        do { return try body() } catch {
            configuration.tolerated(error)
            return nil
        }
    }

    /// The same for what waits for the device.
    @discardableResult
    func tolerating<Result: ~Copyable>(_ body: () async throws(VaultError) -> Result) async -> Result? {
        do { return try await body() } catch {
            configuration.tolerated(error)
            return nil
        }
    }

    /// Overwrites what was deleted, and removes the copies of it that a backup of another process left when it was cut off.
    func eraseDeleted() throws(VaultError) {
        removePartials()
        try store.eraseDeleted()
    }

    func isAuthentic(for session: Session) -> Bool {
        session.verified(outside.contents.head, slots: outside.slots) != nil
    }

    /// What a session that opened says of the vault beside it, and the ledger of that.
    func integrity(for session: Session) -> VaultIntegrity {
        guard isAuthentic(for: session) else { return .tampered }
        return outside.headStanding == .putBack ? .putBack : .intact
    }

    /// Takes an older copy for the vault: from here on it is the newest.
    ///
    /// Nothing else binds such a copy to the ledger, not even a right PIN. What was changed since it was made is lost, or was
    /// never seen here; what opened before opens after.
    ///
    /// - Parameters:
    ///   - confirmation: what the owner typed.
    ///   - authorization: the strong factor, given just now, in the session that may only export.
    /// - Throws: `.vaultTampered` where the copy itself was changed, `.exportOnly` where the policy lets a recovery key only
    ///   export, `.authorizationExpired`, `.locked`, or why storage failed.
    public func acceptOlderCopy(
        _ confirmation: OlderCopyConfirmation,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            let kind = authorization.slot
            let session = try openSession(authorization, .exportOnly)
            guard outside.headStanding == .putBack else { return }
            if bookkeeper.row == nil, let ledgerItem {
                // A look does not touch the ledger of a copy whose PIN's own secret is gone.
                try await hold(authenticLedger(outside.contents.ledger), ledgerItem, isKnown: true)
            }
            guard isAuthentic(for: session), let slot = outside.slot(kind) else { throw VaultError(.vaultTampered) }
            guard kind != .recovery || outside.head.policy.recoveryOpensFully else { throw VaultError(.exportOnly) }
            let now = device.clock()
            var change = try change(by: session)
            change.ledger.acknowledgeStrongUnlock(at: now)
            try await commit(change, for: session)
            apply(machine.handle(.olderCopyAccepted(slot.proof(of: session, integrity: integrity(for: session)))))
            publish()
        }
    }

    /// The open session, for a call that changes or reads something; it counts as use.
    ///
    /// - Throws: `.locked`, or `.exportOnly` where `scope` asks for more than the session may do.
    func openSession(_ scope: SessionScope = .full) throws(VaultError) -> Session {
        if isIdle, let used = session?.lastActivity {
            apply(machine.handle(.idleLimitPassed))
            tolerating { () throws(VaultError) in try ease { $0.lastUse = used } }
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
        guard session.id == authorization.session, outside.slots.contains(where: { $0.id == authorization.record }),
            authorization.at.isWithin(StrongAuthorization.lifetime, before: device.clock())
        else { throw VaultError(.authorizationExpired) }
        return session
    }

    /// After a strong unlock: clears failures, dates it, and folds what restricts the vault into its head.
    func acknowledgeStrongUnlock() async throws(VaultError) {
        guard let candidate else { return }
        let now = device.clock()
        guard outside.condition == .ready else { return }  // Nothing to write a ledger with: recovery makes it anew.
        var change = try change(by: candidate)
        change.ledger.acknowledgeStrongUnlock(at: now)
        // From a table that can't be read nothing can be removed; the ledger keeps the finger out.
        if outside.contents.lost.isEmpty { try order(.strongFactorGiven, into: &change) }
        let installation = try await currentInstallation()
        let standing = bookkeeper
        if installation != change.head.installation {
            change.head.installation = installation
        } else if change.removing.isEmpty, outside.headStanding == .named, !outside.canMendSlots {
            return try ease { $0.acknowledgeStrongUnlock(at: now) }
        }
        do throws(VaultError) {
            try await commit(change, for: candidate)
        } catch {
            // A page that takes no change keeps nobody out: what was to be folded in goes on standing in the ledger.
            guard error.code == .vaultDamaged || error.code == .vaultTampered, outside.headStanding != .putBack else {
                throw error
            }
            configuration.tolerated(error)
            bookkeeper = standing
            try ease { $0.acknowledgeStrongUnlock(at: now) }
        }
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
        return max(policyInForce.locksAfterIdle - used, .zero) + Milliseconds(1)
    }
}

// Items of the secure store. A name is noted as a leftover before the item is made, so that a crash leaves no orphan; the
// commit that refers to it takes the note away.
extension Vault {
    /// Makes a device secret with its anchor, and looks that it is there.
    ///
    /// The anchor stands where no commit has used it. Until one has, the note deletes the secret, which is how what a crash
    /// leaves goes; afterwards nobody's word does but its own (A25). It does not vouch here: a copy of the file from now would
    /// delete it for ever.
    ///
    /// - Returns: the note, which stands until a commit names the secret.
    func makeDeviceSecret(of vault: Identifier) async throws(VaultError) -> VaultStore.Leftover {
        // No tag at all would look like the note of what guesses at a former app's PIN are counted with.
        let made = VaultStore.Leftover(item: ItemName(vault: vault, purpose: .deviceSecret, unique: .make()), tag: [])
        try store.addLeftover(made.item, tag: made.tag)
        do throws(VaultError) {
            do throws(DeviceRefusal) {
                try await device.store.makeDeviceSecret(made.item)
                try await checkProtection(of: made.item, access: .deviceOnly)
            } catch {
                throw VaultError(error)
            }
            try await makeAnchor(of: made.item, at: .founding(mark: .make()))
        } catch {
            await discard(made)
            throw error
        }
        return made
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

    /// Discards what was made for a commit, unless that stands and only something after it failed.
    func discardUnlessNamed(_ made: VaultStore.Leftover) async {
        if !outside.slots.contains(where: { $0.items.contains(made.item) }) { await discard(made) }
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
            configuration.tolerated(error as? VaultError ?? VaultError(.storageUnavailable, "leftover: \(error)"))
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
