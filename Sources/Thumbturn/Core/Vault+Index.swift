import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// The index of all wallets, held against the head the first time a session needs it.
    ///
    /// - Throws: `.vaultTampered` when a row was changed, added, removed or put back; the session may only export then.
    func verifiedIndex(for session: Session) throws(VaultError) -> WalletIndex {
        guard let index = try index(for: session) else {
            reportTampering()
            throw VaultError(.vaultTampered)
        }
        return index
    }

    /// Lets the session only export from here on.
    func reportTampering() {
        apply(machine.handle(.tamperingFound))
        publish()
    }

    /// The index of all wallets; nil where it is not the one that the head names.
    private func index(for session: Session) throws(VaultError) -> WalletIndex? {
        let head = state.head
        if let index = session.index, index.generation == head.generation { return index.entries }
        guard let index = try storedIndex(), head.names(index) else { return nil }
        session.index = (head.generation, index)
        return index
    }

    /// The index of the rows that are there; nil where one of them is of another shape than a wallet's.
    func storedIndex() throws(VaultError) -> WalletIndex? {
        var entries: [WalletIndex.Entry] = []
        entries.reserveCapacity(Int(clamping: min(state.head.walletCount, 1 << 20)))
        do throws(VaultError) {
            try store.forEachWallet { (record) throws(VaultError) in
                entries.append(WalletIndex.Entry(id: record.id, digest: record.digest))
            }
        } catch  where error.code == .vaultDamaged {
            return nil  // A row of another shape is one that was changed.
        }
        return WalletIndex(entries: entries)
    }

    /// Writes new rows, and reads each back.
    func insert(_ records: [WalletRecord]) throws(VaultError) {
        for record in records {
            try store.add(record)
            guard try store.wallet(record.id) == record else {
                throw VaultError(.vaultTampered, "a new wallet can't be read back")
            }
        }
    }

    /// What every label says; nothing else is opened.
    func summaries(for session: Session) throws(VaultError) -> [WalletSummary] {
        try session.withMasterKey { (masterKey) throws(VaultError) in
            let key = masterKey.labelKey(of: session.vault)
            var summaries: [WalletSummary] = []
            try store.forEachWallet { (record) throws(VaultError) in
                summaries.append(try record.summary(key: key, vault: session.vault))
            }
            return summaries
        }
    }
}

extension Vault {
    func takeInventory(for session: Session) async throws(VaultError) -> WalletInventory {
        let isAuthentic = isAuthentic(for: session)
        if isAuthentic {
            do throws(VaultError) {
                if let whole = try wholeInventory(for: session) { return whole }
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

    /// The wallets where every row is as the head says; nil where one is not.
    private func wholeInventory(for session: Session) throws(VaultError) -> WalletInventory? {
        guard let index = try index(for: session) else { return nil }
        let wallets = try summaries(for: session)
        // The index may have been verified before a row was changed.
        guard wallets.count == index.count else { return nil }
        return WalletInventory(wallets: wallets.sorted { $0.name.text < $1.name.text }, isAuthentic: true)
    }
}
