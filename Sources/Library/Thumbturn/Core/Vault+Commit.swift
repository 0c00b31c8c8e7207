import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// How a change is written: one transaction writes the new, verifies it, and deletes the old; then the anchor follows,
// and last, items without references are deleted (K-09, K-10, A22).
extension Vault {
    /// Starts an empty change from the state that `lookAround` just read.
    ///
    /// - Throws: `.vaultTampered` when head or slots are not as the vault wrote them: a commit must not authenticate
    ///   another writer's data; `.locked`.
    func change(by session: Session) throws(VaultError) -> Change {
        Change(of: try verifiedHead(for: session), ledger: state.ledger)
    }

    /// Returns the stored head, verified with the session's key.
    ///
    /// - Throws: `.vaultTampered`, `.locked`.
    func verifiedHead(for session: Session) throws(VaultError) -> VerifiedHead {
        guard !session.isForgotten else { throw VaultError(.locked) }
        guard let head = session.verified(state.contents.head, slots: state.slots) else {
            throw VaultError(.vaultTampered)
        }
        return head
    }

    /// Starts the change that introduces a key: its head replaces the stored one without vouching for any of it.
    func change(founding head: Head) -> Change {
        Change(founding: head, replacing: state.contents.head, ledger: state.ledger)
    }

    /// Cancels a postponed erase when a wallet is deleted: the former app's data may be the last copy of it (K-09).
    func endErase(in head: inout Head) {
        guard MigrationMachine(state: head.migrationState).handle(.walletDeleted).contains(.finish) else { return }
        head.migration = nil
    }

    /// Writes `change`; `rows` writes what belongs to it in the same transaction.
    ///
    /// - Throws: `.vaultTampered` when a change of wallets would have overwritten something else; the change is undone,
    ///   and the session may only export from then on.
    func commit(
        _ change: Change,
        for session: Session,
        in turn: borrowing Turn,
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) {
        do throws(VaultError) {
            try await commitMending(change, for: session, in: turn, rows: rows)
        } catch {
            guard error.code == .vaultTampered || error.code == .vaultDamaged, change.index != nil,
                machine.state == .unlocked(.full)
            else { throw error }
            reportTampering()
            throw VaultError(.vaultTampered)
        }
        if let index = change.index { session.index = KnownWallets(index) }
    }

    /// Writes a change, and rewrites the rows of damaged slots.
    ///
    /// When a page can be read but not changed, rewrites all slots: emptying a whole table needs no sound page.
    private func commitMending(
        _ change: Change,
        for session: Session,
        in turn: borrowing Turn,
        rows: () throws(VaultError) -> Void
    ) async throws(VaultError) {
        // In a vault that was just verified every row is known: any other row is damage or a stray.
        let mayMend = !change.beginsKey && state.contents.lost.isDisjoint(with: [.slot, .slotCopy])
        let mendsFirst = mayMend && !state.slotsAreWhole
        let standing = bookkeeper.machine
        do throws(VaultError) {
            try await commit(change, mending: mendsFirst ? state.slots : nil, for: session, in: turn, rows: rows)
        } catch {
            // A failed repair must not cost the change. Nothing of it was stored.
            guard mayMend, error.code == .vaultDamaged || error.code == .vaultTampered else { throw error }
            bookkeeper.stand(as: standing)
            try await commit(change, mending: mendsFirst ? nil : state.slots, for: session, in: turn, rows: rows)
        }
    }

    private func commit(
        _ change: Change,
        mending mended: [SlotRecord]?,
        for session: Session,
        in turn: borrowing Turn,
        rows: () throws(VaultError) -> Void
    ) async throws(VaultError) {
        let draft = try await draft(change, mending: mended, for: session)
        var unanchored: VaultError?
        var written = state
        try await withTrail(of: draft.change, in: turn) { (entry) throws(VaultError) in
            if draft.isLedgerless {
                var entry = entry
                entry.position = .begun(at: nil)
                _ = try trail.transaction(telling: entry) { () throws(VaultError) in
                    try store.removeLedger()
                    written = try write(draft, for: session, in: turn, entry, rows)
                }
            } else {
                let ledger = draft.change.ledger
                unanchored = try await storeThenMoveAnchor(ledger, in: turn, telling: entry) { () throws(VaultError) in
                    written = try write(draft, for: session, in: turn, entry, rows)
                }
            }
        }
        keepsLeftovers = false
        defer { publish() }
        state = state.following(written, releasing: draft.released)
        adopt(draft)
        await clearAway(after: draft, isAnchored: unanchored == nil, in: turn)
        if unanchored?.code == .busy {
            // Another copy of the vault made a change first, so this copy is not the newest; keep what it replaced.
            if self.session?.scope == .full { restrict() }
            throw VaultError(.olderCopy)
        }
    }

    /// Decides what to write; stores nothing.
    private func draft(
        _ change: Change,
        mending mended: [SlotRecord]?,
        for session: Session
    ) async throws(VaultError) -> CommitDraft {
        var change = change
        change.head.generation += 1
        // K-10, S-03: every commit keeps a way in that the system can't close, and only one mode.
        let kinds = change.head.kinds
        let mayCommit = SlotRules.mayCommit(
            kinds,
            isHalfMigrated: change.head.migrationState == .half,
            ownerHoldsWords: change.head.policy.allowsSystemModeWithoutRecovery
        )
        guard mayCommit else {
            throw VaultError(.consentMissing, "the last slot")
        }
        // A vault that was locked while the device was busy has not been tampered with.
        guard !session.isForgotten else { throw VaultError(.locked) }
        change.ledger.slots = change.head.slots.map(\.id)
        var released: [VaultStore.Leftover] = []
        for item in releasedItems(by: change) {
            released.append(VaultStore.Leftover(item: item, tag: try await device.deletionTag(of: item)))
        }
        let head = try session.tagged(change.head)
        // Our own write may invalidate what was read ahead of it.
        session.ahead = nil
        change.ledger.head = head.digest
        let isLedgerless = UnlockMode(listed: kinds, standing: []) == .system
        let digests = try change.index.flatMap { (index) throws(VaultError) in
            try store.walletIndexIsLost() ? nil : index.bytes
        }
        return CommitDraft(
            change: change,
            mended: mended,
            released: released,
            head: head,
            digests: digests,
            isLedgerless: isLedgerless
        )
    }

    /// Applies the committed change: its policy and mode; ends a session of a replaced key.
    private func adopt(_ draft: CommitDraft) {
        let change = draft.change
        machine.adopt(change.head.policy, mode: state.mode)
        if draft.isLedgerless { retireLedger() }
        // A session of a replaced key opens nothing any more.
        if let open = self.session, open.key != change.head.key { apply(machine.handle(.lockRequested)) }
    }

    /// Overwrites and deletes what nothing refers to any more.
    ///
    /// The change is already committed: a failure here undoes nothing.
    private func clearAway(after draft: CommitDraft, isAnchored: Bool, in turn: borrowing Turn) async {
        // Moves the slots' rows from the log into the file at once: the vault then survives later damage to the log.
        guard !draft.change.adding.isEmpty || !draft.change.removing.isEmpty || draft.mended != nil else { return }
        // Another reader may keep the log from being written back.
        let isErased = tolerating({ () throws(VaultError) in try eraseDeleted(in: turn) }) != nil
        guard isAnchored else { return }
        let isVerified = self.session?.scope == .full && state.condition == .ready
        await purgeLeftovers(isVerified: isVerified, logIsErased: isErased, in: turn)
    }

    /// Returns the items of the secure store that no slot names after the commit.
    private func releasedItems(by change: Change) -> [ItemName] {
        let staying = state.slots.filter { slot in !change.removing.contains { $0.id == slot.id } }
        let kept = Set((staying + change.adding.map(\.record)).flatMap(\.items))
        return change.removing.flatMap(\.items).filter { !kept.contains($0) }
    }

    /// Writes the rows of a change, except the ledger; runs within a transaction.
    ///
    /// - Returns: the stored state, read back.
    private func write(
        _ draft: CommitDraft,
        for session: Session,
        in turn: borrowing Turn,
        _ entry: TrailEntry,
        _ rows: () throws(VaultError) -> Void
    ) throws(VaultError) -> LockedState {
        let change = draft.change
        // If the lock file was deleted, another process may have changed the vault in the meantime (A38).
        guard try store.head() == change.replaces else { throw VaultError(.busy) }
        let formerCount = try store.byteCountSoFar()
        // Check before writing: the write may use the last free page.
        let former = draft.digests == nil ? nil : try formerIndex(of: session)
        let beside = former == nil ? nil : try store.rows(near: change.changed)
        try store.raiseVersion()
        if let mended = draft.mended { try store.setSlots(mended) }
        for slot in change.adding {
            try store.add(slot.record)
            try slot.verify(store.slotRecord(slot.record.id), opens: session)
            for item in slot.record.items { try store.removeLeftover(item) }
        }
        for slot in change.removing { try store.removeSlot(slot.id) }
        if let beginning = entry.beginning {
            try store.renewNotes(of: beginning, after: state.contents.trailItems)
        }
        for leftover in draft.released { try store.addLeftover(leftover.item, tag: leftover.tag) }
        try rows()
        try change.wallets?.forEach { (record) throws(VaultError) in try insert(record) }
        if let digests = draft.digests { try store.setWalletIndex(digests) }
        try store.setHead(draft.head)
        try keepRoom(for: change, besideMoreThan: formerCount)
        // A new page moves rows, and may change the inner pages of the trees.
        let isInPlace = try store.byteCountSoFar() == formerCount
        return try readBack(draft, after: isInPlace ? former : nil, beside: beside)
    }

    /// Reserves room before wallets fill the disk, so that the owner can still open and delete them; runs within a
    /// transaction.
    ///
    /// Covers every way that wallets come in: one or several, a backup, a former app's, all of them under a new key. A
    /// new way in reserves nothing: the room is kept for it.
    private func keepRoom(for change: Change, besideMoreThan former: Int) throws(VaultError) {
        let bytes = try store.byteCountSoFar()
        let holdsWallets = change.index != nil || (change.beginsKey && change.head.walletCount > 0)
        guard holdsWallets, bytes > former || change.bringsWallets else { return }
        do throws(VaultError) {
            try SpareRoom.keep(SpareRoom.byteCount(besideFileOf: bytes), in: folder)
        } catch {
            // Lack of room must not refuse a rename or a new key: the owner may need either.
            guard change.replaces != nil, change.head.walletCount <= state.head.walletCount else { throw error }
            configuration.tolerated(error)
        }
    }

    /// Reads back everything that a change may have damaged: in a corrupt file, a page listed as free may still be in
    /// use.
    ///
    /// - Parameters:
    ///   - former: the wallets before the change; nil when any row may have been overwritten.
    ///   - beside: the rows that were in the same pages as the written wallets, before the change.
    private func readBack(
        _ draft: CommitDraft,
        after former: WalletIndex?,
        beside: VaultStore.RowsInPages?
    ) throws(VaultError) -> LockedState {
        let change = draft.change
        let lost = state.contents.lost
        let written = try LockedState(reading: store.contentsSoFar(without: lost), on: device.kind)
        let staying = (draft.mended ?? state.slots).filter { slot in !change.removing.contains { $0.id == slot.id } }
        guard written.contents.head == draft.head, written.contents.lost == lost,
            (staying + change.adding.map(\.record)).allSatisfy(written.slots.contains)
        else { throw VaultError(.vaultTampered) }
        if change.head.walletIndexHash != state.head.walletIndexHash {
            guard try holds(change, after: former, beside: beside) else { throw VaultError(.vaultTampered) }
        }
        return written
    }

    /// Returns the wallets before a change; nil if a write may overwrite any row.
    ///
    /// That is so if the file has a free page, or if the stored digests are not those that were verified.
    private func formerIndex(of session: Session) throws(VaultError) -> WalletIndex? {
        guard try store.hasNoFreePages(), let known = session.index, state.head.names(known) else { return nil }
        return try store.walletIndex() == known.entries.bytes ? known.entries : nil
    }

    /// Returns whether the wallets' rows match a change: for a small one, checks the changed buckets and the rows in
    /// the same pages.
    private func holds(
        _ change: Change,
        after former: WalletIndex?,
        beside: VaultStore.RowsInPages?
    ) throws(VaultError) -> Bool {
        guard let index = change.index, let former, let beside,
            index.buckets(unlike: former).count <= WalletIndex.mostReadAlone
        else {
            return try walletRows().map { change.head.names($0.index) } == true
        }
        var read = index
        for bucket in index.buckets(unlike: former) {
            guard try read.learn(store.entries(in: bucket), in: bucket) else { return false }
        }
        let now = try store.rows(in: beside.range).filter { $0.id != change.changed }
        let before = beside.rows.filter { $0.id != change.changed }
        guard now.starts(with: before) else { return false }
        return try store.walletIndex() == index.bytes
    }

    /// Stores the ledger of a change together with its rows, then moves the anchor.
    ///
    /// Once the rows are stored the change is committed: if the anchor can't follow now, the next look repairs it.
    ///
    /// - Returns: why the anchor did not follow: `.busy` when it was not where the ledger expected it.
    private func storeThenMoveAnchor(
        _ ledger: Ledger,
        in turn: borrowing Turn,
        telling entry: TrailEntry,
        _ rows: () throws(VaultError) -> Void
    ) async throws(VaultError) -> VaultError? {
        let before = bookkeeper.stored
        do throws(VaultError) {
            try await demand(ledger, in: turn, telling: entry, rows: rows)
            return nil
        } catch {
            guard bookkeeper.stored != before else { throw error }
            state = state.holding(ledger)
            return error
        }
    }
}

/// What a commit writes.
private struct CommitDraft {
    /// The change as it will be stored, with its generation and the names that go into the ledger.
    let change: Change
    /// The slots whose rows are rewritten because some are damaged.
    let mended: [SlotRecord]?
    /// Items that no slot names after the change, to be deleted.
    let released: [VaultStore.Leftover]
    /// The head with its tag.
    let head: VaultStore.TaggedRow
    /// The digests of the wallets' buckets; nil if they stay, or if their table is damaged.
    ///
    /// Without them all rows are read back.
    let digests: [UInt8]?
    /// System mode counts no attempts, and has no device secret to authenticate a ledger with.
    let isLedgerless: Bool
}
