import ThumbturnBase
import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// Several secrets of a former store in one transaction.
extension Vault {
    /// Moves every secret of a former app's store into the open vault, all or none, and erases them there.
    ///
    /// Nothing of the store is erased before all secrets were sealed, opened again, compared, and committed in one
    /// transaction (K-09). After an interruption call it again: a secret that the vault has is not added twice, and the
    /// erase goes on.
    ///
    /// - Parameters:
    ///   - former: the store; each secret has a name that becomes its wallet's.
    ///   - prompt: the text with which the store may ask for the owner.
    /// - Throws: `.legacyMissing` when the store is empty, what is wrong with a secret, `.nameTaken` when the vault has
    ///   another wallet of that name, or two secrets have one name, how the prompt ended, `.locked`, `.exportOnly`,
    ///   `.migrationIncomplete`, or why storage failed: then nothing changed. `.legacyNotErased` when all are in the
    ///   vault but the store still has some.
    /// - Returns: the wallets that were added.
    @discardableResult
    public func migrate(
        all former: some LegacyStore,
        _ prompt: PromptText
    ) async throws(VaultError) -> [WalletSummary] {
        var secrets = LegacySecrets()
        do throws(DeviceRefusal) { try await former.read(prompt, into: &secrets) } catch {
            throw VaultError(error, at: .readCredentials)
        }
        if let fault = secrets.fault { throw fault }
        let entries = secrets.entries
        guard !entries.isEmpty else { throw VaultError(.legacyMissing) }
        // Nothing may be lost in a pair of names that differ to the store and not to the vault.
        guard Set(entries.map(\.name)).count == entries.count else { throw VaultError(.nameTaken) }
        return try await turn { (turn) async throws(VaultError) -> [WalletSummary] in
            let added = try await add(entries, in: turn)
            // All are in the vault; what is left of the store does not undo that.
            guard session != nil else { throw VaultError(.legacyNotErased, "locked") }
            try await erase(entries, of: former, in: turn)
            return added
        }
    }

    private func add(
        _ entries: [LegacySecrets.Entry],
        in turn: borrowing Turn
    ) async throws(VaultError) -> [WalletSummary] {
        let session = try openSession(in: turn)
        let known = try standing(in: session)
        let (index, wallets) = try verifiedWallets(for: session)
        let names = Set(wallets.map(\.name))
        var records: [WalletRecord] = []
        var added: [WalletSummary] = []
        let kinds = Dictionary(wallets.map { ($0.id, $0.kind) }) { first, _ in first }
        for entry in entries {
            if let there = known[entry.digest] {
                // The bytes of words in a wallet of another kind are no words to its owner.
                guard kinds[there] == entry.kind else { throw VaultError(.nameTaken, "as another kind") }
                continue
            }
            guard !names.contains(entry.name) else { throw VaultError(.nameTaken) }
            let (record, summary) = try sealFormer(entry.secret.bytes, entry.kind, named: entry.name, for: session)
            records.append(record)
            added.append(summary)
        }
        guard !added.isEmpty else { return [] }
        var change = try change(by: session)
        change.record(.migrationCompleted, count: added.count)
        change.bring(try WalletDraft(records, in: folder), into: index)
        try await commit(change, for: session, in: turn)
        return added
    }

    private func erase(
        _ entries: [LegacySecrets.Entry],
        of former: some LegacyStore,
        in turn: borrowing Turn
    ) async throws(VaultError) {
        var count = 0
        var failure: VaultError?
        for entry in entries {
            do throws(DeviceRefusal) {
                if try await former.erase(entry.name, ifStill: entry.source) { count += 1 }
            } catch {
                failure = VaultError(error, at: .eraseLegacy)
            }
        }
        if count > 0 { try await tell([event(.legacyErased, count: count)], in: turn) }
        if let failure { throw failure }
    }
}
