import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// The index of all wallets, each row held against the head the first time a session needs it.
    ///
    /// - Throws: `.vaultTampered` when a row was changed, added, removed or put back; the session may only export then.
    func verifiedIndex(for session: Session) throws(VaultError) -> WalletIndex {
        if let known = knownIndex(of: session), known.isWhole { return known }
        let rows = try verifiedRows(for: session)
        session.index = (state.head.generation, rows.index, nil)
        return rows.index
    }

    /// The index with the buckets of some tags, which are all that is read where it stands as it was stored.
    ///
    /// - Throws: as above.
    func verifiedIndex(for session: Session, of tags: [Identifier]) throws(VaultError) -> WalletIndex {
        let found: WalletIndex?
        if let known = knownIndex(of: session) { found = known } else { found = try storedIndex() }
        guard var index = found else { return try verifiedIndex(for: session) }
        let missing = Set(tags.map(\.bucket)).filter { !index.knows($0) }
        for bucket in missing {
            let entries: [WalletIndex.Entry]
            do throws(VaultError) { entries = try store.entries(in: bucket) } catch  where error.code == .vaultDamaged {
                return try verifiedIndex(for: session)
            }
            // All rows decide, whatever it is that leads elsewhere.
            guard index.learn(entries, in: bucket) else { return try verifiedIndex(for: session) }
        }
        if !missing.isEmpty { session.index = (state.head.generation, index, nil) }
        return index
    }

    /// A wallet's row as the head names it.
    ///
    /// - Throws: `.walletMissing`, and as above.
    func verifiedRecord(
        _ id: Identifier,
        for session: Session
    ) throws(VaultError) -> (record: WalletRecord, index: WalletIndex) {
        do throws(VaultError) {
            if let record = try store.wallet(id) {
                let index = try verifiedIndex(for: session, of: [record.tag])
                if index.vouches(for: record) { return (record, index) }
            }
        } catch {
            guard error.code == .vaultDamaged else { throw error }
        }
        guard try verifiedIndex(for: session).contains(id) else { throw VaultError(.walletMissing) }
        // Its row is whole, and what finds that by its id is not.
        reportTampering()
        throw VaultError(.vaultTampered)
    }

    private func knownIndex(of session: Session) -> WalletIndex? {
        guard let known = session.index, known.generation == state.head.generation else { return nil }
        return known.entries
    }

    /// The index as it is stored, where the head names that.
    private func storedIndex() throws(VaultError) -> WalletIndex? {
        guard let bytes = try store.walletIndex(), state.head.walletCount > 0,
            let index = WalletIndex(stored: bytes, count: state.head.walletCount), state.head.names(index)
        else { return nil }
        return index
    }

    /// The index of all wallets with what every label says, in no order; nothing else is opened.
    ///
    /// - Parameter isFresh: whether they are those of now, whatever the session has verified.
    /// - Throws: as above, and `.vaultTampered` for a label that does not open, though all rows are as the head says.
    func verifiedWallets(
        for session: Session,
        isFresh: Bool = false
    ) throws(VaultError) -> (index: WalletIndex, summaries: [WalletSummary]) {
        if !isFresh, let known = session.index, known.generation == state.head.generation, let all = known.summaries {
            return (known.entries, all)
        }
        let rows = try verifiedRows(for: session)
        let summaries = try session.withLabelKey { (key) throws(VaultError) in
            try rows.summaries(key: key, vault: session.vault)
        }
        session.index = (state.head.generation, rows.index, summaries)
        return (rows.index, summaries)
    }

    private func verifiedRows(for session: Session) throws(VaultError) -> WalletRows {
        if var ahead = session.ahead.take(), try ahead.isOfNow(in: store), let read = try ahead.finish(in: store),
            state.head.names(read.index)
        {
            return read
        }
        if let rows = try walletRows(), state.head.names(rows.index) { return rows }
        // Where somebody deleted the lock's file, another process may have changed the vault meanwhile (A38).
        guard try store.head() == state.contents.head else { throw VaultError(.busy) }
        reportTampering()
        throw VaultError(.vaultTampered)
    }

    /// Lets the session only export from here on.
    func reportTampering() {
        apply(machine.handle(.tamperingFound))
        publish()
    }

    /// The rows that are there; nil where one of them is of another shape than a wallet's.
    func walletRows() throws(VaultError) -> WalletRows? {
        try WalletRows(reading: store, about: state.head.walletCount)
    }

    /// Stretches what was typed, and meanwhile reads the wallets on another core: the call after the unlock needs them all.
    ///
    /// The unlock does not grow by it: the reading rests once the derivation has ended, and goes on where somebody needs the
    /// rows. A cost that is refused reads nothing (A5).
    func stretch(
        _ secret: borrowing SecretBytes,
        as slot: SlotRecord,
        readingInto ahead: WalletsAhead
    ) throws(VaultError) -> StretchedSecret {
        let limits = configuration.argon2
        guard configuration.readsAhead, ahead.isWorthwhile, let cost = slot.argon2, !limits.areExceeded(by: cost) else {
            return try slot.stretch(secret, limits: limits)
        }
        return try beside { [store] in
            ahead.read(from: store)
        } stop: {
            ahead.stop(store)
        } _: { () throws(VaultError) in
            try slot.stretch(secret, limits: limits)
        }
    }

    /// Writes a new row, and reads it back.
    func insert(_ record: WalletRecord) throws(VaultError) {
        try store.add(record)
        guard try store.wallet(record.id) == record else {
            throw VaultError(.vaultTampered, "a new wallet can't be read back")
        }
    }
}

extension Vault {
    /// Every wallet, one by one.
    ///
    /// - Parameter opensAll: whether each secret is opened, also where head and rows are as the vault wrote them.
    func takeInventory(
        for session: Session,
        openingSecrets opensAll: Bool = false
    ) async throws(VaultError) -> WalletInventory {
        let isAuthentic = isAuthentic(for: session)
        if isAuthentic {
            do throws(VaultError) {
                let (index, wallets) = try verifiedWallets(for: session, isFresh: true)
                if opensAll { try await forEachWallet(of: index, in: session) { _ in } }
                return WalletInventory(wallets: wallets.sorted { $0.name.text < $1.name.text }, isAuthentic: true)
            } catch {
                // A file that can't be read now says nothing against itself.
                guard error.code == .vaultDamaged || error.code == .vaultTampered else { throw error }
                configuration.tolerated(error)
            }
        }
        if session.scope == .full { reportTampering() }
        var counting = WalletInventory.Counting()
        try session.withMasterKey { (key) throws(VaultError) in
            try store.forEachStoredWallet { counting.take($0, key: key, vault: session.vault) }
        }
        let count = isAuthentic ? Int(state.head.walletCount) : nil
        let reached = counting.inventory(of: count)
        guard !isAuthentic || reached.missingCount > 0 || !reached.damaged.isEmpty else { return reached }
        let found = try await search(for: session, into: &counting)
        session.found = found
        return counting.inventory(of: count, unreadPages: found.unreadPages)
    }

    /// Opens the wallets one by one, as they lie in the file, and lends each.
    ///
    /// A lock gets in between some of them: to let one in takes as long as a wallet.
    ///
    /// - Parameter index: what was verified.
    /// - Throws: `.locked`, `.vaultTampered` where one is not as it was verified, or does not open, why storage failed, and
    ///   what `body` throws.
    func forEachWallet(
        of index: WalletIndex,
        in session: Session,
        _ body: (borrowing OpenedWallet) throws(VaultError) -> Void
    ) async throws(VaultError) {
        var last = Int64.min
        var count = 0
        while count < index.count {
            let rows = try store.wallets(behind: last)
            guard let end = rows.last?.row else { throw VaultError(.vaultTampered) }
            try withCleanStack { () throws(VaultError) in
                var labels = try session.labels()
                for (_, record) in rows {
                    try body(open(record, named: index, labels: &labels, in: session))
                }
            }
            (last, count) = (end, count + rows.count)
            await Task.yield()
        }
    }

    /// Opens a wallet by what its label says.
    ///
    /// - Throws: `.vaultTampered` where it is not as it was verified, or does not open.
    func open(
        _ record: WalletRecord,
        named index: WalletIndex,
        labels: inout WalletRecord.Labels,
        in session: Session
    ) throws(VaultError) -> OpenedWallet {
        guard index.vouches(for: record) else { throw VaultError(.vaultTampered) }
        let summary = try labels.open(record.label, of: record.id)
        let secret = try session.withMasterKey { (key) throws(VaultError) in
            try key.open(record.secret, kind: summary.kind, wallet: record.id, vault: session.vault)
        }
        return OpenedWallet(summary: summary, secret: secret)
    }

    /// Looks for wallets through the file, also where SQLite does not reach them; a lock ends it.
    func search(
        for session: Session,
        into counting: inout WalletInventory.Counting
    ) async throws(VaultError) -> WalletScan {
        var found = WalletScan(try store.scan(), of: session.vault)
        for number in 0..<found.pageCount {
            try session.withMasterKey { (key) throws(VaultError) in found.look(at: number, key: key, into: &counting) }
            await Task.yield()
        }
        return found
    }
}

extension Session {
    /// What opens labels.
    func labels() throws(VaultError) -> WalletRecord.Labels {
        try withLabelKey { (key) throws(VaultError) in try WalletRecord.Labels(key: key, of: vault) }
    }
}
