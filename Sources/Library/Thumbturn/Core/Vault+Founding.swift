import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite

// The first state of a vault, and of a key.
extension Vault {
    /// Makes the files of a vault with nothing in them, or takes over what an unfinished making or erasing left.
    static func make(
        in folder: String,
        device: Device,
        policy: VaultPolicy,
        configuration: VaultConfiguration
    ) async throws(VaultError) -> Vault {
        guard policy.isStorable else { throw VaultError(.usage, "no policy of a vault") }
        // Before a file of it is made.
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

    /// Refuses a simulated device that the policy does not name.
    static func requireTrust(in device: Device, under policy: VaultPolicy) throws(VaultError) {
        guard policy.allowsVault(on: device.store.assurance(of: .deviceOnly)) else {
            throw VaultError(.assuranceTooLow, "a simulated device")
        }
    }

    /// Looks at a folder that is to become a vault, under the lock: another process may have made one meanwhile (A38).
    ///
    /// - Parameter counts: whether guesses at a former app's PIN go on being counted.
    func lookAtEmptyFolder(counts: Bool = false) async throws(VaultError) {
        let contents = try Self.nothing(in: store)
        guard let head = state.founding else { throw VaultError(.vaultExists) }
        state = try LockedState(reading: contents, on: device.kind).founding(head).beside(state.sensor)
        bookkeeper.take(contents.ledger)
        removePartials()
        let counting = counts ? nil : try await endCounting()
        await purgeLeftovers()
        // It goes first: once there is a vault, nothing deletes another vault's device secret (A25).
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
    /// That is a local slot with a device secret of its own, the head, the ledger on another one, and what `fill` and `rows`
    /// add. The vault is unlocked afterwards.
    func begin(
        with masterKey: consuming MasterKey,
        secret: borrowing SecretBytes,
        fill: (inout Change, Session) throws(VaultError) -> Void = { _, _ in },
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) -> Session {
        try checkStrength(of: secret)
        return try await begin(with: masterKey, fill: fill, rows: rows) { (own, counts, session) throws(VaultError) in
            try await self.prepareLocalSlot(secret, item: own, ledgerItem: counts, for: session)
        }
    }

    /// The same with whatever slot `seal` makes for a device secret of its own and the ledger's.
    func begin(
        with masterKey: consuming MasterKey,
        fill: (inout Change, Session) throws(VaultError) -> Void = { _, _ in },
        rows: () throws(VaultError) -> Void = {},
        sealing seal: nonisolated(nonsending) (ItemName, ItemName, Session) async throws(VaultError) -> PreparedSlot
    ) async throws(VaultError) -> Session {
        guard let head = state.founding else { throw VaultError(.vaultExists) }
        try Self.requireTrust(in: device, under: head.policy)
        let session = newSession(masterKey)
        let proof = try await withNewLedger(Ledger(founding: session.vault)) { (item, ledger) throws(VaultError) in
            self.state = self.state.holding(ledger)
            return try await self.withOwnSecret(of: session.vault) { (own) throws(VaultError) in
                let slot = try await seal(own, item, session)
                return try await self.found(session, head, with: [slot], fill: fill, rows: rows)
            }
        }
        candidate = session
        apply(machine.handle(.vaultMade(proof)))
        publish()
        return session
    }

    /// Writes the first state of a key: the ways in, a head, the ledger that stands here, and what `fill` and `rows` add.
    ///
    /// - Returns: the proof that the first of the slots opens, read back after the commit.
    func found(
        _ session: Session,
        _ head: Head,
        with slots: [PreparedSlot],
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
        try await commit(change, for: session, rows: rows)
        state = state.found(.ready)
        guard let first = slots.first else { throw VaultError(.keyMissing) }
        return try first.verify(store.slotRecord(first.record.id), opens: session)
    }
}

// Guesses at a former app's PIN are counted from the first one on, when there is no slot yet and perhaps no vault. The
// ledger stands on a device secret then that only a note names; the slot that the PIN gets takes it over.
extension Vault {
    /// Gets a ledger ready for a guess.
    func prepareCounting() async throws(VaultError) {
        switch state.migration {
        case .legacy:
            if try await findCounting() != nil { return }
        case .half, .erasing, .full:
            if state.condition == .ready { return }
            // What was counted stands where a look could not write: only a count that can't be read begins anew.
            guard state.condition == .keyMissing else { throw VaultError(state.condition.refusal ?? .keyMissing) }
        }
        var beginning = Ledger(founding: state.head.vault)
        // What was counted with a damaged one is not known, so it costs the longest wait; it stays until what comes of the guess
        // has committed, or a reset.
        for item in state.countingSecrets where await device.presence(of: item) == .damaged {
            beginning.attempts = .unreliable(at: now)
        }
        try await withNewLedger(beginning) { (item, ledger) throws(VaultError) in
            self.state = self.state.holding(ledger)
            let slots = self.state.slotIDs
            // With its ledger the note is a wish to delete no more, but what the secret is found by.
            try await self.demand {
                () throws(VaultError) in
                try self.store.addLeftover(item)
            } _: {
                $0.slots = slots
            }
        }
        if state.migration != .legacy { state = state.found(.ready) }
    }

    /// Finds what guesses were counted with where there is no vault, and takes up its ledger.
    ///
    /// Anybody who can write the file can write a note. Only a ledger without slots, which its device secret authenticates and
    /// its counter fits, is believed; a vault's own never is like that.
    func findCounting() async throws(VaultError) -> ItemName? {
        guard let head = state.founding, bookkeeper.stored != nil else { return nil }
        for item in state.countingSecrets {
            guard let vault = item.vault, try await bookkeeper.loadKey(item, of: vault),
                let row = bookkeeper.authentic(of: vault), row.slots.isEmpty
            else { continue }
            let anchor = try await device.anchorPosition(of: item)
            let stands = LedgerMachine.standing(of: row, at: anchor) != .putBack
            // A damaged counter costs the longest wait, and not the count.
            guard anchor == nil ? await device.usedCounter(of: item) == .present : stands else { continue }
            var named = head
            named.vault = vault
            state = state.founding(named)
            try await hold(row, isKnown: true, at: anchor)
            return item
        }
        bookkeeper.forgetKey()
        return nil
    }

    /// Gives the count up where a vault of another origin is made: its device secret vouches that it may go.
    ///
    /// - Returns: what is to be deleted before that vault is made; nil where nothing was counted.
    func endCounting() async throws(VaultError) -> ItemName? {
        guard let head = state.founding, let item = try await findCounting() else { return nil }
        let tag = try await device.deletionTag(of: item)
        try store.addLeftover(item, tag: tag)
        state = state.noting(VaultStore.Leftover(item: item, tag: tag)).founding(head)
        bookkeeper.forgetKey()
        return item
    }
}
