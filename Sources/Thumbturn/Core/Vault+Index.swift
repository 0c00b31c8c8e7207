import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// The index of all wallets, held against the head the first time a session needs it.
    ///
    /// - Throws: `.vaultTampered` when a row was changed, added, removed or put back; the session may only export then.
    func verifiedIndex(for session: Session) throws(VaultError) -> WalletIndex {
        if let known = session.index, known.generation == state.head.generation { return known.entries }
        return try verified(storedIndex(), nil, for: session)
    }

    /// The same with what every label says, in no order; nothing else is opened.
    ///
    /// - Parameter isFresh: whether the rows are read now, whatever the session has read.
    func verifiedWallets(
        for session: Session,
        isFresh: Bool = false
    ) throws(VaultError) -> (index: WalletIndex, summaries: [WalletSummary]) {
        if !isFresh, let known = session.index, known.generation == state.head.generation, let all = known.summaries {
            return (known.entries, all)
        }
        let (index, summaries) = try labelledIndex(for: session)
        return try (verified(index, summaries, for: session), summaries)
    }

    private func verified(
        _ index: WalletIndex?,
        _ summaries: [WalletSummary]?,
        for session: Session
    ) throws(VaultError) -> WalletIndex {
        guard let index, state.head.names(index) else {
            // Where somebody deleted the lock's file, another process may have changed the vault meanwhile (A38).
            guard try store.head() == state.contents.head else { throw VaultError(.busy) }
            reportTampering()
            throw VaultError(.vaultTampered)
        }
        session.index = (state.head.generation, index, summaries)
        return index
    }

    /// Lets the session only export from here on.
    func reportTampering() {
        apply(machine.handle(.tamperingFound))
        publish()
    }

    /// The index of the rows that are there, and what their labels say; nil where one of them is of another shape than a wallet's.
    ///
    /// - Throws: `.vaultTampered` for a label that does not open, though all rows are as the head says.
    private func labelledIndex(
        for session: Session
    ) throws(VaultError) -> (index: WalletIndex?, summaries: [WalletSummary]) {
        try session.withLabelKey { (key) throws(VaultError) in
            try withCleanStack { () throws(VaultError) in
                var labels = try WalletRecord.Labels(key: key, of: session.vault)
                var summaries: [WalletSummary] = []
                var refusal: VaultError?
                let index = try storedIndex { id, label in
                    do throws(VaultError) { summaries.append(try labels.open(label, of: id)) } catch { refusal = error }
                }
                if let refusal, index.map(state.head.names) == true { throw refusal }
                return (index, summaries)
            }
        }
    }

    /// The index of the rows that are there; nil where one of them is of another shape than a wallet's.
    ///
    /// - Parameter look: lent the label of each row.
    func storedIndex(
        _ look: (Identifier, _ label: RawSpan) -> Void = { _, _ in }
    ) throws(VaultError) -> WalletIndex? {
        var entries: [WalletIndex.Entry] = []
        entries.reserveCapacity(Int(clamping: min(state.head.walletCount, 1 << 20)))
        var digester = WalletRecord.Digester()
        do throws(VaultError) {
            let order = try store.scanWallets { (id, label, secret) throws(VaultError) in
                let digest = digester.digest(of: id, label: label, secret: secret)
                entries.append(WalletIndex.Entry(id: id, digest: digest))
                look(id, label)
            }
            return WalletIndex(entries: order.map { entries[$0] })
        } catch  where error.code == .vaultDamaged {
            return nil  // A row of another shape is one that was changed.
        }
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
}

extension Vault {
    func takeInventory(for session: Session) async throws(VaultError) -> WalletInventory {
        let isAuthentic = isAuthentic(for: session)
        if isAuthentic {
            do throws(VaultError) {
                let wallets = try verifiedWallets(for: session, isFresh: true).summaries
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
