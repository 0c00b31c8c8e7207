import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// Returns the index of all wallets, verified against the head the first time a session needs it.
    ///
    /// - Throws: `.vaultTampered` when a row was changed, added, removed or rolled back; the session may only export
    ///   from then on.
    func verifiedIndex(for session: Session) throws(VaultError) -> WalletIndex {
        if let known = knownIndex(of: session), known.isWhole { return known }
        let rows = try verifiedRows(for: session)
        session.index = KnownWallets(rows.index)
        return rows.index
    }

    /// Returns the index with the buckets of `tags`, and reads only those if the stored index is intact.
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
            // When a bucket does not match, verify all rows.
            guard index.learn(entries, in: bucket) else { return try verifiedIndex(for: session) }
        }
        if !missing.isEmpty { session.index = KnownWallets(index) }
        return index
    }

    /// Returns a wallet's row, verified against the head.
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
        // The row is intact, but SQLite's index that finds it by its id is not.
        reportTampering()
        throw VaultError(.vaultTampered)
    }

    private func knownIndex(of session: Session) -> WalletIndex? {
        guard let known = session.index, state.head.names(known) else { return nil }
        return known.entries
    }

    /// Returns the stored index if it matches the head.
    private func storedIndex() throws(VaultError) -> WalletIndex? {
        guard let bytes = try store.walletIndex(), state.head.walletCount > 0,
            let index = WalletIndex(stored: bytes, count: state.head.walletCount), state.head.names(index)
        else { return nil }
        return index
    }

    /// Returns the index of all wallets and what every label says, unordered; opens no secrets.
    ///
    /// - Parameter isFresh: whether to read the rows again instead of using the session's cache.
    /// - Throws: as above, and `.vaultTampered` for a label that does not open although all rows match the head.
    func verifiedWallets(
        for session: Session,
        isFresh: Bool = false
    ) throws(VaultError) -> (index: WalletIndex, summaries: [WalletSummary]) {
        if !isFresh, let known = session.index, state.head.names(known), let all = known.summaries {
            return (known.entries, all)
        }
        let rows = try verifiedRows(for: session)
        let summaries = try session.withLabelKey { (key) throws(VaultError) in
            try rows.summaries(key: key, vault: session.vault)
        }
        session.index = KnownWallets(rows.index, summaries: summaries)
        return (rows.index, summaries)
    }

    private func verifiedRows(for session: Session) throws(VaultError) -> WalletRows {
        if var ahead = session.ahead.take(), try ahead.isOfNow(in: store), let read = try ahead.finish(in: store),
            state.head.names(read.index)
        {
            return read
        }
        if let rows = try walletRows(), state.head.names(rows.index) { return rows }
        // If the lock file was deleted, another process may have changed the vault in the meantime (A38).
        guard try store.head() == state.contents.head else { throw VaultError(.busy) }
        reportTampering()
        throw VaultError(.vaultTampered)
    }

    /// Restricts the session to exports from here on.
    func reportTampering() {
        restrict()
        publish()
    }

    /// Reads the wallets' rows; returns nil when a row does not have a wallet's shape.
    func walletRows() throws(VaultError) -> WalletRows? {
        try WalletRows(reading: store, about: state.head.walletCount)
    }

    /// Stretches the typed secret, and reads the wallets on another core in the meantime: the call after the unlock
    /// needs them all.
    ///
    /// This does not slow the unlock down: reading pauses when the derivation ends, and resumes when a call needs the
    /// rows. A refused cost reads nothing (A5).
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
    /// Lists all wallets, one by one.
    ///
    /// - Parameter opensAll: whether to open every secret, even when head and rows are as the vault wrote them.
    func takeInventory(
        for session: Session,
        openingSecrets opensAll: Bool = false
    ) async throws(VaultError) -> WalletInventory {
        let isAuthentic = isAuthentic(for: session)
        if isAuthentic {
            do throws(VaultError) {
                let (index, wallets) = try verifiedWallets(for: session, isFresh: true)
                if opensAll { try await forEachWallet(of: index, in: session) { _ in } }
                return WalletInventory(wallets: wallets, isAuthentic: true)
            } catch {
                // A file that can't be read at the moment is no evidence of tampering.
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

    /// Opens the wallets one by one, in file order, and lends each to `body`.
    ///
    /// A lock can interrupt between chunks of wallets: yielding takes as long as opening a wallet.
    ///
    /// - Parameter index: the verified index.
    /// - Throws: `.locked`; `.vaultTampered` when a wallet differs from the verified index or does not open; why
    ///   storage failed; what `body` throws.
    func forEachWallet(
        of index: WalletIndex,
        in session: Session,
        _ body: (borrowing OpenedWallet) throws(VaultError) -> Void
    ) async throws(VaultError) {
        var next = Int64.min
        var count = 0
        while count < index.count {
            let rows = try store.wallets(from: next)
            guard let end = rows.last?.row else { throw VaultError(.vaultTampered) }
            try withCleanStack { () throws(VaultError) in
                var labels = try session.labels()
                for (_, record) in rows {
                    try body(open(record, named: index, labels: &labels, in: session))
                }
            }
            (next, count) = (end == .max ? end : end + 1, count + rows.count)
            await Task.yield()
        }
    }

    /// Opens a wallet, using what its label says.
    ///
    /// - Throws: `.vaultTampered` when it differs from the verified index, or does not open.
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

    /// Scans the file for wallets, including those that SQLite can't reach; a lock ends the search.
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
    /// Returns the opener for labels.
    func labels() throws(VaultError) -> WalletRecord.Labels {
        try withLabelKey { (key) throws(VaultError) in try WalletRecord.Labels(key: key, of: vault) }
    }
}
