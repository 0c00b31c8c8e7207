import ThumbturnBase
public import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// Imports former apps' wallets into the open vault, all or none, and erases the former apps' data.
    ///
    /// A single wallet is remembered until it is erased, unless `VaultConfiguration.legacy` names another. The erase is
    /// retried when the vault is opened with that wallet named there, or when the wallet is passed here again. Several
    /// wallets are not remembered: one that could not be erased and is passed again is refused with
    /// `.legacyAlreadyMigrated`.
    ///
    /// - Parameters:
    ///   - migrations: the former wallets, each with its own name.
    ///   - secret: the PIN or password that all of them are sealed under, UTF-8.
    ///   - progress: called as they are opened, which takes most of the time.
    /// - Throws: `.legacyMissing`, `.legacyMalformed`, `.legacyVersionUnknown`, `.legacySecretRefused`,
    ///   `.legacyChecksumWrong`, `.legacyAlreadyMigrated`, `.nameTaken`, `.attemptDelayed`, `.locked`, `.exportOnly`,
    ///   `.migrationIncomplete`, or why storage failed: then nothing changed, in the vault or the former apps.
    ///   `.legacyNotErased` when the wallets are in the vault but some of the former apps' data still exists.
    /// - Returns: the imported wallets, without one that was already in the vault and only had to be erased.
    @discardableResult
    public func migrate(
        _ migrations: [LegacyMigration],
        with secret: borrowing SecretBytes,
        progress: @Sendable (WorkProgress) -> Void = { _ in }
    ) async throws(VaultError) -> [WalletSummary] {
        try await turn { (turn) async throws(VaultError) -> [WalletSummary] in
            _ = try openSession(in: turn)
            var isErasing = false
            if case .erasing? = state.head.migration { isErasing = true }
            let (formers, remains) = try await LegacyContents.read(migrations, besideRemains: isErasing)
            let added = try await add(formers, with: secret, in: turn, progress)
            // The wallets are in the vault; report what is left of the former apps, without undoing that.
            guard session != nil else { throw VaultError(.legacyNotErased, "locked") }
            try await erase(formers, remains, in: turn)
            return added
        }
    }

    private func add(
        _ formers: [LegacyContents],
        with secret: borrowing SecretBytes,
        in turn: borrowing Turn,
        _ progress: (WorkProgress) -> Void
    ) async throws(VaultError) -> [WalletSummary] {
        let session = try openSession(in: turn)
        var known = try standing(in: session)
        let (index, wallets) = try verifiedWallets(for: session)
        var names = Set(wallets.map(\.name))
        known.reserveCapacity(known.count + formers.count)
        names.reserveCapacity(names.count + formers.count)
        var records: [WalletRecord] = []
        var added: [WalletSummary] = []
        let machine = MigrationMachine(state: state.migration)
        let erasing = state.head.migration
        try await counting(formers, in: turn) { () async throws(VaultError) in
            for former in formers {
                // Let a lock in between (A36); for formats without Argon2id, yielding takes as long as a wallet.
                if former.sealed.format.cost != nil || added.count.isMultiple(of: 32) { await Task.yield() }
                guard !session.isForgotten else { throw VaultError(.locked) }
                let entropy = try former.open(with: secret)
                let digest = LegacyContents.digest(of: entropy)
                // A wallet that was imported before but not erased, and that the vault still has.
                if known[digest] != nil, erasing == .erasing(sealed: former.digest) { continue }
                let reach = MigrationMachine.Reach.open(holdsWallet: known[digest] != nil)
                for case .refuse(let code) in machine.handle(.sealedOpened(reach)) {
                    throw VaultError(code, "wallet \(added.count + 1)")
                }
                guard names.insert(former.migration.name).inserted else { throw VaultError(.nameTaken) }
                let (record, summary) = try sealFormer(
                    entropy,
                    former.migration.kind,
                    named: former.migration.name,
                    for: session
                )
                known[digest] = record.id
                records.append(record)
                added.append(summary)
                progress(WorkProgress(done: added.count, total: formers.count))
            }
        }
        guard !added.isEmpty else { return [] }
        var change = try change(by: session)
        change.record(.migrationCompleted, count: added.count)
        change.bring(try WalletDraft(records, in: folder), into: index)
        if formers.count == 1, let former = formers.first, change.head.migration == nil, await canRemember(former) {
            change.head.migration = .erasing(sealed: former.digest)
        }
        try await commit(change, for: session, in: turn)
        return added
    }

    /// Returns whether only this wallet can end a mark: an app whose configuration names another wallet would mistake
    /// the mark.
    private func canRemember(_ former: LegacyContents) async -> Bool {
        guard let own = configuration.legacy else { return true }
        let isSame = await tolerating { () async throws(VaultError) -> Bool in
            guard let sealed = try await LegacyContents.readSealed(own) else { return false }
            return LegacyContents.digest(of: sealed) == former.digest
        }
        return isSame == true
    }

    /// Counts a guess at a PIN that can only be guessed at here, in the vault's own ledger.
    ///
    /// A right PIN clears no failures: it is the former app's, and proves nothing about the vault's.
    private func counting(
        _ formers: [LegacyContents],
        in turn: borrowing Turn,
        _ open: () async throws(VaultError) -> Void
    ) async throws(VaultError) {
        // System mode has no ledger.
        guard formers.contains(where: { $0.migration.wallet.countsGuesses }), bookkeeper.hasKey else {
            return try await open()
        }
        switch state.attemptDecision(at: device.clock()) {
        case .allowed: break
        case .wait(let span): throw delayed(span)
        case .suspended: throw VaultError(.localSecretSuspended)
        }
        configuration.attempting(true)
        defer { configuration.attempting(false) }
        let counted = try await countAttempt(in: turn)
        do throws(VaultError) {
            try await open()
        } catch {
            guard error.code != .legacySecretRefused else {
                try await endAttempt(in: turn)
                try await tell([event(.passwordFailure, trying: .localSecret)], endsAttempt: true, in: turn)
                throw error
            }
            await tolerating { () async throws(VaultError) in try await takeBackAttempt(at: counted, in: turn) }
            throw error
        }
        try await takeBackAttempt(at: counted, in: turn)
    }

    /// Erases the data of wallets that were just opened, compared, and stored in the vault.
    private func erase(_ formers: [LegacyContents], _ remains: [LegacyMigration], in turn: borrowing Turn)
        async throws(VaultError)
    {
        let mark = state.head.migration
        let isMarked = { (former: LegacyContents) in mark == .erasing(sealed: former.digest) }
        var failure: VaultError?
        for migration in formers.filter(isMarked).map(\.migration) + remains {
            do throws(VaultError) { try await eraseFormer(migration, nil, in: turn) } catch { failure = error }
        }
        let erased = await LegacyContents.erase(formers.filter { !isMarked($0) })
        if erased.count > 0 {
            try await tell([event(.legacyErased, count: erased.count)], in: turn)
        }
        if let failure = erased.failure ?? failure { throw failure }
    }
}
