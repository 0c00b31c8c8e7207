import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite

// The first state of a vault, and of a key.
extension Vault {
    /// Creates the files of an empty vault, or reuses what an unfinished creation or erase left.
    static func make(
        in folder: String,
        device: Device,
        policy: VaultPolicy,
        configuration: VaultConfiguration
    ) async throws(VaultError) -> Vault {
        guard policy.isStorable else { throw VaultError(.usage, "no policy of a vault") }
        // Check before creating any file of the vault.
        let parent = Database.presence(of: folder) == .present ? folder : OpenFolder.parent(of: folder)
        if let need = FolderNeed.missing(in: parent) { throw VaultError(need) }
        let store: VaultStore
        do {
            store = try VaultStore(openingIn: folder, vfs: configuration.vfs)
        } catch  where error.code == .vaultMissing || error.code == .vaultDamaged {
            store = try VaultStore(creatingIn: folder, vfs: configuration.vfs)
        }
        let head = Head(
            vault: .make(),
            key: .make(),
            device: device.kind,
            installation: Identifier(high: 0, low: 0),
            policy: policy
        )
        return try Vault(
            folder: folder,
            device: device,
            configuration: configuration,
            store: store,
            state: LockedState(reading: nothing(in: store), on: device.kind).founding(head)
        )
    }

    /// Refuses a simulated device unless the policy allows one.
    static func requireTrust(in device: Device, under policy: VaultPolicy) throws(VaultError) {
        guard policy.allowsVault(on: device.store.assurance(of: .deviceOnly)) else {
            throw VaultError(.assuranceTooLow, "a simulated device")
        }
    }

    /// Checks a folder that is to become a vault, under the lock: another process may have created one in the meantime
    /// (A38).
    ///
    /// - Parameter counts: whether to keep counting guesses at a former app's PIN.
    func lookAtEmptyFolder(counts: Bool = false, in turn: borrowing Turn) async throws(VaultError) {
        let contents = try Self.nothing(in: store)
        guard let head = state.founding else { throw VaultError(.vaultExists) }
        state = try LockedState(reading: contents, on: device.kind).founding(head).sensing(state.sensor)
        bookkeeper.accept(contents.ledger)
        await acceptTrail(contents.trail)
        removePartials()
        let counting = counts ? nil : try await endCounting(in: turn)
        await purgeLeftovers(in: turn)
        // Delete it first: once there is a vault, no code deletes another vault's device secret (A25).
        if let counting, state.contents.leftovers.contains(where: { $0.item == counting }) {
            throw VaultError(.storageUnavailable, "what counted the guesses at a former PIN")
        }
    }

    private static func nothing(in store: VaultStore) throws(VaultError) -> VaultStore.Contents {
        let contents = try store.contents()
        guard contents.holdsNothing else { throw VaultError(.vaultExists) }
        return contents
    }

    /// Writes the first state of a vault around a master key, in one transaction.
    ///
    /// It consists of a local slot and the ledger, both on a new device secret, the head, and what `fill` and `rows` add.
    /// The vault is unlocked afterwards.
    func begin(
        with masterKey: consuming MasterKey,
        secret: borrowing SecretBytes,
        in turn: borrowing Turn,
        fill: (inout Change, Session) throws(VaultError) -> Void = { _, _ in },
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) -> Session {
        try checkStrength(of: secret)
        return try await begin(with: masterKey, in: turn, fill: fill, rows: rows) {
            (item, session) throws(VaultError) in
            try await self.prepareLocalSlot(secret, item: item, for: session)
        }
    }

    /// Writes the first state with the slot that `seal` makes from the device secret of slot and ledger.
    func begin(
        with masterKey: consuming MasterKey,
        in turn: borrowing Turn,
        fill: (inout Change, Session) throws(VaultError) -> Void = { _, _ in },
        rows: () throws(VaultError) -> Void = {},
        sealing seal: nonisolated(nonsending) (ItemName, Session) async throws(VaultError) -> PreparedSlot
    ) async throws(VaultError) -> Session {
        guard let head = state.founding else { throw VaultError(.vaultExists) }
        try Self.requireTrust(in: device, under: head.policy)
        let session = newSession(masterKey)
        let proof = try await withNewLedger(Ledger(founding: session.vault), in: turn) {
            (item, ledger) throws(VaultError) in
            self.state = self.state.holding(ledger)
            let slot = try await seal(item, session)
            return try await self.writeFirstState(session, head, with: [slot], in: turn, fill: fill, rows: rows)
        }
        keys.propose(session)
        apply(machine.handle(.vaultMade(proof)))
        publish()
        return session
    }

    /// Writes the first state of a key: its slots, a head, the current ledger, and what `fill` and `rows` add.
    ///
    /// - Returns: the proof that the first slot opens, read back after the commit.
    func writeFirstState(
        _ session: Session,
        _ head: Head,
        with slots: [PreparedSlot],
        in turn: borrowing Turn,
        fill: (inout Change, Session) throws(VaultError) -> Void,
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) -> UnlockProof {
        let now = device.clock()
        var change = change(founding: head)
        change.head.installation = try await device.currentInstallation()
        change.ledger.lastStrongAuthentication = now
        change.ledger.lastUse = now
        for slot in slots { try change.add(slot) }
        try fill(&change, session)
        try await commit(change, for: session, in: turn, rows: rows)
        state = state.with(.ready)
        guard let first = slots.first else { throw VaultError(.keyMissing) }
        return try first.verify(store.slotRecord(first.record.id), opens: session)
    }
}

// Guesses at a former app's PIN are counted from the first one on, when there is no slot yet and perhaps no vault. The
// ledger then uses a device secret that only a note names; the PIN's future slot takes it over.
extension Vault {
    /// Prepares a ledger to count a guess.
    func prepareCounting(in turn: borrowing Turn) async throws(VaultError) {
        switch state.migration {
        case .legacy:
            if try await findCounting(in: turn) != nil { return }
        case .half, .erasing, .full:
            if state.condition == .ready { return }
            // A look that could not write keeps the count; only an unreadable count is restarted.
            guard state.condition == .keyMissing else { throw VaultError(state.condition.refusal ?? .keyMissing) }
        }
        var first = Ledger(founding: state.head.vault)
        // The count under a damaged secret is unknown, so it costs the longest wait. The secret stays until a vault is
        // committed after the guess, or a reset.
        for item in state.countingSecrets where await device.presence(of: item) == .damaged {
            first.attempts = .unreliable(at: now)
        }
        try await withNewLedger(first, in: turn) { (item, ledger) throws(VaultError) in
            self.state = self.state.holding(ledger)
            let slots = self.state.slotIDs
            // Once a ledger exists, the note no longer asks for deletion: it tells where the secret is.
            try await self.demand(in: turn) {
                () throws(VaultError) in
                try self.store.addLeftover(item)
            } _: {
                $0.slots = slots
            }
        }
        if state.migration != .legacy { state = state.with(.ready) }
    }

    /// Finds the secret that counted guesses before there was a vault, and loads its ledger.
    ///
    /// Any process that can write the file can write a note. The only ledger accepted is one without slots that its
    /// device secret authenticates and its counter matches; a vault's own ledger never looks like that.
    func findCounting(in turn: borrowing Turn) async throws(VaultError) -> ItemName? {
        guard let head = state.founding, bookkeeper.stored != nil else { return nil }
        for item in state.countingSecrets {
            guard let vault = item.vault, try await bookkeeper.loadKey(item, of: vault),
                let row = bookkeeper.authentic(of: vault), row.slots.isEmpty
            else { continue }
            let anchor = try await device.anchorPosition(of: item)
            let stands = LedgerMachine.standing(of: row, at: anchor) != .putBack
            // A damaged counter costs the longest wait, but not the count.
            guard anchor == nil ? await device.usedCounter(of: item) == .present : stands else { continue }
            var named = head
            named.vault = vault
            state = state.founding(named)
            try await compare(row, isKnown: true, with: anchor, in: turn)
            return item
        }
        bookkeeper.forgetKey()
        return nil
    }

    /// Abandons the count when a vault of another origin is created: its device secret vouches for its own deletion.
    ///
    /// - Returns: the item to delete before that vault is created; nil when nothing was counted.
    func endCounting(in turn: borrowing Turn) async throws(VaultError) -> ItemName? {
        guard let head = state.founding, let item = try await findCounting(in: turn) else { return nil }
        let tag = try await device.deletionTag(of: item)
        try store.addLeftover(item, tag: tag)
        state = state.noting(VaultStore.Leftover(item: item, tag: tag)).founding(head)
        bookkeeper.forgetKey()
        return item
    }
}
