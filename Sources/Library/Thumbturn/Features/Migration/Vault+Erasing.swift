import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The end of a migration: the former app's data is erased once an open session has verified the vault's wallets.
extension Vault {
    /// Erases the former app's data as far as the rules allow: first what is behind biometrics, then what is sealed.
    ///
    /// Never erases data that was sealed since the migration, or that contains another wallet.
    ///
    /// - Parameters:
    ///   - source: the fingerprint of the wallet behind biometrics, if it was read and has not changed since.
    ///   - prompt: the prompt for reading it now; nil shows none.
    /// - Throws: `.legacyNotErased`, `.migrationConflict`, `.locked`, `.exportOnly`, `.vaultTampered`.
    func eraseFormer(
        _ migration: LegacyMigration,
        madeOf source: [UInt8]? = nil,
        _ prompt: PromptText?,
        in turn: borrowing Turn
    ) async throws(VaultError) {
        let mark: [UInt8]
        var source = source
        switch state.head.migration {
        case .half(let sealed, let wallet)?: (mark, source) = (sealed, wallet)
        case .erasing(let sealed)?: mark = sealed
        case nil: return
        }
        guard let session, session.scope == .full else { throw VaultError(session == nil ? .locked : .exportOnly) }
        let wallets = try standing(in: session)
        guard !wallets.isEmpty else { throw VaultError(.legacyNotErased, "the vault has no wallet") }
        var sealed = try await LegacyContents.copy(of: migration, marked: mark)
        // Newly sealed data means that the former app was used again, so the wallet behind biometrics may be another
        // one too.
        if sealed == .other || (state.migration == .half && sealed != .same) { source = nil }
        let isCompared = wallets.keys.contains { LegacyContents.fingerprint($0, in: session.vault) == source }
        var biometric = try await biometricCopy(of: migration, beside: sealed, isCompared, wallets, prompt)
        let machine = MigrationMachine(state: state.migration)
        var goesOn = true
        while goesOn {
            goesOn = false
            let orders = machine.handle(.copiesFound(sealed: sealed, biometric: biometric))
            for order in orders {
                switch order {
                case .eraseBiometric:
                    try await erasing { () async throws(DeviceRefusal) in try await migration.wallet.eraseBiometric() }
                    biometric = .absent
                    goesOn = true
                case .eraseSealed:
                    try await erasing { () async throws(DeviceRefusal) in
                        try await migration.wallet.eraseSealed(digest: mark)
                    }
                    sealed = .absent
                    goesOn = true
                case .finish: try await finish(for: session, telling: orders, in: turn)
                case .record: break  // The change that removes the mark tells it.
                case .refuse(let code): throw VaultError(code)
                case .makeVault, .wrapKey, .replaceKey, .addWallet: break  // An end never orders these.
                }
            }
        }
    }

    /// Erases the former app's data after an unlock, which it must not fail: the snapshot shows what is left.
    fileprivate func eraseFormerQuietly(in turn: borrowing Turn) async {
        guard let migration = configuration.legacy else { return }
        await tolerating { () async throws(VaultError) in try await eraseFormer(migration, nil, in: turn) }
    }

    /// Opens every wallet of the vault.
    ///
    /// - Returns: each wallet by the SHA-256 of its secret; a digest of at least 128 random bits reveals nothing.
    /// - Throws: `.vaultTampered` when one does not match the head.
    func standing(in session: Session) throws(VaultError) -> [[UInt8]: Identifier] {
        let index = try verifiedIndex(for: session)
        return try session.withMasterKey { (key) throws(VaultError) in
            try withCleanStack { () throws(VaultError) in
                var labels = try WalletRecord.Labels(key: key.labelKey(of: session.vault), of: session.vault)
                var found: [[UInt8]: Identifier] = [:]
                try store.forEachWallet { (record) throws(VaultError) in
                    guard index.vouches(for: record) else { throw VaultError(.vaultTampered) }
                    let kind = try labels.open(record.label, of: record.id).kind
                    let secret = try key.open(record.secret, kind: kind, wallet: record.id, vault: session.vault)
                    found[LegacyContents.digest(of: secret)] = record.id
                }
                return found
            }
        }
    }

    private func finish(
        for session: Session,
        telling orders: [MigrationMachine.Effect],
        in turn: borrowing Turn
    ) async throws(VaultError) {
        var change = try change(by: session)
        change.head.migration = nil
        for case .record(let kind) in orders { change.record(kind) }
        try await commit(change, for: session, in: turn)
    }

    private func biometricCopy(
        of migration: LegacyMigration,
        beside sealed: MigrationMachine.Copy,
        _ isCompared: Bool,
        _ wallets: [[UInt8]: Identifier],
        _ prompt: PromptText?
    ) async throws(VaultError) -> MigrationMachine.Copy {
        let holds: LegacyBiometric?
        do throws(VaultError) { holds = try await LegacyContents.findBiometric(migration) } catch {
            throw VaultError(.legacyNotErased, error.diagnostic)
        }
        switch holds {
        case nil: return .absent
        // A PIN is no wallet. But it may be the only PIN for data that was sealed since then.
        case .pin?: return sealed == .same || sealed == .absent ? .same : .unknown
        case .mnemonic? where isCompared: return .same
        case .mnemonic?: break
        }
        guard let prompt else { return .unknown }
        let released: SecretBytes
        do throws(DeviceRefusal) { released = try await migration.wallet.readBiometric(prompt) } catch {
            configuration.tolerated(VaultError(error, at: .eraseLegacy))
            return .unknown
        }
        guard let entropy = try? LegacyContents.entropy(of: released) else { return .other }
        return wallets[LegacyContents.digest(of: entropy)] == nil ? .other : .same
    }

    private func erasing(_ erase: () async throws(DeviceRefusal) -> Void) async throws(VaultError) {
        do { try await erase() } catch { throw VaultError(error, at: .eraseLegacy) }
    }
}

extension Guest {
    static let formerErasure = Guest(afterUnlock: { (vault, turn) async in await vault.eraseFormerQuietly(in: turn) })
}
