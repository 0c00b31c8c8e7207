import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// How a change is written: the new first, verified, then the old goes, in one transaction; then the anchor follows, and
// last what nothing refers to any more is deleted (K-09, K-10, A22).
extension Vault {
    /// The change that changes nothing yet, from the state that `lookAround` just read.
    ///
    /// - Throws: `.vaultTampered` where head or slots are not as the vault wrote them: what somebody else wrote must not be
    ///   authenticated anew; `.locked`.
    func change(by session: Session) throws(VaultError) -> Change {
        Change(of: try verifiedHead(for: session), ledger: state.ledger)
    }

    /// The stored head, which the session holds for the vault's own.
    ///
    /// - Throws: `.vaultTampered`, `.locked`.
    func verifiedHead(for session: Session) throws(VaultError) -> VerifiedHead {
        guard !session.isForgotten else { throw VaultError(.locked) }
        guard let head = session.verified(state.contents.head, slots: state.slots) else {
            throw VaultError(.vaultTampered)
        }
        return head
    }

    /// The change that begins a key: its head takes the place of what stands there, and vouches for nothing of it.
    func change(founding head: Head) -> Change {
        Change(founding: head, replacing: state.contents.head, ledger: state.ledger)
    }

    /// Ends an erase that was put off where a wallet goes: what a former app left may be the last copy of it (K-09).
    func endErase(in head: inout Head) {
        guard MigrationMachine(state: head.migrationState).handle(.walletDeleted).contains(.finish) else { return }
        head.migration = nil
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
        if let index = change.index { session.index = (state.head.generation, index, nil) }
    }

    /// Writes a change, and the rows of slots anew that are damaged; or all of them, where a page that can still be read takes
    /// no change: a table that is emptied whole needs no sound page.
    private func commitMending(
        _ change: Change,
        for session: Session,
        rows: () throws(VaultError) -> Void
    ) async throws(VaultError) {
        // In a vault that was just verified every row is known: any other row is damage, or belongs to nobody.
        let mayMend = !change.beginsKey && state.contents.lost.isDisjoint(with: [.slot, .slotCopy])
        let mendsFirst = mayMend && !state.slotsAreWhole
        let standing = bookkeeper.machine
        do throws(VaultError) {
            try await commit(change, mending: mendsFirst ? state.slots : nil, for: session, rows: rows)
        } catch {
            // What can't be written anew, or only over something else, is not worth the change. Nothing of it was stored.
            guard mayMend, error.code == .vaultDamaged || error.code == .vaultTampered else { throw error }
            bookkeeper.stand(as: standing)
            try await commit(change, mending: mendsFirst ? nil : state.slots, for: session, rows: rows)
        }
    }

    private func commit(
        _ change: Change,
        mending mended: [SlotRecord]?,
        for session: Session,
        rows: () throws(VaultError) -> Void
    ) async throws(VaultError) {
        let draft = try await draft(change, mending: mended, for: session)
        var unanchored: VaultError?
        var written = state
        if draft.isLedgerless {
            try store.transaction { () throws(VaultError) in
                try store.removeLedger()
                written = try write(draft, for: session, rows)
            }
        } else {
            unanchored = try await storeThenMoveAnchor(draft.change.ledger) { () throws(VaultError) in
                written = try write(draft, for: session, rows)
            }
        }
        keepsLeftovers = false
        defer { publish() }
        state = state.following(written, releasing: draft.released)
        await adopt(draft)
        await clearAway(after: draft, isAnchored: unanchored == nil)
        if unanchored?.code == .busy {
            // Another copy of the vault made a change first: this one is not the newest, and what it took the place of stays.
            if self.session?.scope == .full { apply(machine.handle(.tamperingFound)) }
            throw VaultError(.olderCopy)
        }
    }

    /// Decides what is written, and stores nothing.
    private func draft(
        _ change: Change,
        mending mended: [SlotRecord]?,
        for session: Session
    ) async throws(VaultError) -> CommitDraft {
        var change = change
        change.head.generation += 1
        // K-10, S-03: whatever is asked, a way in remains that the system can't close, and one mode stands alone.
        let kinds = change.head.kinds
        guard SlotRules.mayCommit(kinds, isHalfMigrated: change.head.migrationState == .half) else {
            throw VaultError(.consentMissing, "the last slot")
        }
        // A vault that was locked while the device was busy is no vault that was tampered with.
        guard !session.isForgotten else { throw VaultError(.locked) }
        change.ledger.slots = change.head.slots.map(\.id)
        var released: [VaultStore.Leftover] = []
        for item in releasedItems(by: change) {
            released.append(VaultStore.Leftover(item: item, tag: try await device.deletionTag(of: item)))
        }
        let head = try session.tagged(change.head)
        // A write of ours may damage what was read before it.
        session.ahead = nil
        change.ledger.head = head.digest
        let isLedgerless = UnlockMode(listed: kinds, standing: []) == .system
        return CommitDraft(change: change, mended: mended, released: released, head: head, isLedgerless: isLedgerless)
    }

    /// Goes on as the change that now stands asks: with its policy and mode, and without a session of a former key.
    private func adopt(_ draft: CommitDraft) async {
        let change = draft.change
        machine.adopt(change.head.policy, mode: state.mode)
        if draft.isLedgerless { retireLedger() }
        // A session of a former key opens nothing more.
        if let open = self.session, open.key != change.head.key { apply(machine.handle(.lockRequested)) }
        for told in change.records { record(told.kind, reason: told.reason) }
        if change.adding.contains(where: { $0.record.kind.keepsLedger }) { await settleOwnSecret() }
    }

    /// Overwrites and deletes what nothing refers to any more.
    ///
    /// The change stands, so whatever fails here undoes nothing.
    private func clearAway(after draft: CommitDraft, isAnchored: Bool) async {
        // A slot's rows go from the log into the file at once: what damages the log afterwards leaves a vault.
        guard !draft.change.adding.isEmpty || !draft.change.removing.isEmpty || draft.mended != nil else { return }
        // What keeps the log from being written back may be another reader.
        let isErased = tolerating({ () throws(VaultError) in try eraseDeleted() }) != nil
        guard isAnchored else { return }
        let isVerified = self.session?.scope == .full && state.condition == .ready
        await purgeLeftovers(isVerified: isVerified, logIsErased: isErased)
    }

    /// The items of the secure store that no slot names after the commit.
    private func releasedItems(by change: Change) -> [ItemName] {
        let staying = state.slots.filter { slot in !change.removing.contains { $0.id == slot.id } }
        let kept = Set((staying + change.adding.map(\.record)).flatMap(\.items))
        return change.removing.flatMap(\.items).filter { !kept.contains($0) }
    }

    /// Writes the rows of a change, but for the ledger; within a transaction.
    ///
    /// - Returns: what stands there then, read back.
    private func write(
        _ draft: CommitDraft,
        for session: Session,
        _ rows: () throws(VaultError) -> Void
    ) throws(VaultError) -> LockedState {
        let change = draft.change
        // Where somebody deleted the lock's file, another process may have changed the vault meanwhile (A38).
        guard try store.head() == change.replaces else { throw VaultError(.busy) }
        let formerCount = try store.byteCountSoFar()
        // Asked before anything is written, which may take the last of them.
        let former = try store.hasNoFreePages() ? session.index?.entries : nil
        let beside = try former == nil ? nil : store.rows(near: change.changed)
        try store.raiseVersion()
        if let mended = draft.mended { try store.setSlots(mended) }
        for slot in change.adding {
            try store.add(slot.record)
            try slot.verify(store.slotRecord(slot.record.id), opens: session)
            // The leftover note of a PIN's or password's own secret stays until its anchor is used.
            let keepsLedger = slot.record.kind.keepsLedger
            for item in slot.record.items where !keepsLedger || item != slot.record.item {
                try store.removeLeftover(item)
            }
        }
        for slot in change.removing { try store.removeSlot(slot.id) }
        for leftover in draft.released { try store.addLeftover(leftover.item, tag: leftover.tag) }
        try rows()
        try change.wallets?.forEach { (record) throws(VaultError) in try insert(record) }
        if let index = change.index { try store.setWalletIndex(index.bytes) }
        try store.setHead(draft.head)
        try keepRoom(for: change, besideMoreThan: formerCount)
        return try readBack(draft, after: former, beside: beside)
    }

    /// Keeps room before the disk is full of wallets, so that their owner can still open and delete them; within a transaction.
    ///
    /// Whatever brings wallets in passes here: one or many of them, a backup, a former app's, all of them under a new key. A way
    /// in that is new needs no room kept: it is what that is kept for.
    private func keepRoom(for change: Change, besideMoreThan former: Int) throws(VaultError) {
        let bytes = try store.byteCountSoFar()
        let holdsWallets = change.index != nil || (change.beginsKey && change.head.walletCount > 0)
        guard holdsWallets, bytes > former || change.bringsWallets else { return }
        do throws(VaultError) {
            try SpareRoom.keep(SpareRoom.byteCount(besideFileOf: bytes), in: folder)
        } catch {
            // A new name or a new key is refused by no lack of it: the owner may need them.
            guard change.replaces != nil, change.head.walletCount <= state.head.walletCount else { throw error }
            configuration.tolerated(error)
        }
    }

    /// Reads all back that a change may have cost: in a damaged file a page that is taken for a free one may be another's.
    ///
    /// - Parameters:
    ///   - former: the wallets before; nil where any row may have been written over.
    ///   - beside: the rows before which lie where wallets were written.
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

    /// Whether the wallets' rows are those of a change: of a few the buckets, and what lies in the same pages.
    private func holds(
        _ change: Change,
        after former: WalletIndex?,
        beside: VaultStore.RowsInPages?
    ) throws(VaultError) -> Bool {
        guard let index = change.index, let former, let beside, index.buckets(unlike: former).count <= 16 else {
            return try walletRows()?.index.isNamed(by: change.head) == true
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

    /// Stores the ledger of a change with the rest of it, and then moves the anchor.
    ///
    /// Once the rows are stored the change stands: an anchor that can't follow now is settled by the next look.
    ///
    /// - Returns: why the anchor did not follow: `.busy` where it stood elsewhere.
    private func storeThenMoveAnchor(
        _ ledger: Ledger,
        _ rows: () throws(VaultError) -> Void
    ) async throws(VaultError) -> VaultError? {
        let before = bookkeeper.stored
        do throws(VaultError) {
            try await demand(ledger, rows: rows)
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
    /// The change as it is to stand, with its generation and the ledger's names for it.
    let change: Change
    /// The rows of slots that are written anew, because some are damaged.
    let mended: [SlotRecord]?
    /// What no slot names afterwards, to be deleted.
    let released: [VaultStore.Leftover]
    /// The head with its tag.
    let head: VaultStore.TaggedRow
    /// System mode counts nothing, and has no device secret to authenticate a ledger with.
    let isLedgerless: Bool
}
