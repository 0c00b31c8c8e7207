import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The end of a migration: what the former app left goes, once the vault's wallets stand in an open session.
extension Vault {
    /// Erases what the former app left, as far as the rules allow: what is behind biometrics first, what is sealed last.
    ///
    /// What it sealed since then, and what holds another wallet, is never erased.
    ///
    /// - Parameters:
    ///   - source: the fingerprint of the wallet behind biometrics, where it was read once and is still the same.
    ///   - prompt: to read it now; nil shows none.
    /// - Throws: `.legacyNotErased`, `.migrationConflict`, `.locked`, `.exportOnly`, `.vaultTampered`.
    func eraseFormer(
        _ migration: LegacyMigration,
        madeOf source: [UInt8]? = nil,
        _ prompt: PromptText?
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
        // What was sealed anew says that the former app was used again, so what is behind biometrics may be another wallet too.
        if sealed == .other || (state.migration == .half && sealed != .same) { source = nil }
        let isCompared = wallets.keys.contains { LegacyContents.fingerprint($0, in: session.vault) == source }
        var biometric = try await biometricCopy(of: migration, beside: sealed, isCompared, wallets, prompt)
        let machine = MigrationMachine(state: state.migration)
        var goesOn = true
        while goesOn {
            goesOn = false
            for order in machine.handle(.copiesFound(sealed: sealed, biometric: biometric)) {
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
                case .finish: try await finish(for: session)
                case .record(let kind): record(kind)
                case .refuse(let code): throw VaultError(code)
                case .makeVault, .wrapKey, .replaceKey, .addWallet: break  // Not orders of an end.
                }
            }
        }
    }

    /// The same after an unlock, which it must not fail: what is left shows in the snapshot.
    fileprivate func eraseFormerQuietly() async {
        guard let migration = configuration.legacy else { return }
        await tolerating { () async throws(VaultError) in try await eraseFormer(migration, nil) }
    }

    /// Opens every wallet of the vault.
    ///
    /// - Returns: the SHA-256 of each mnemonic's entropy, with its wallet. No digest reveals 128 random bits or more.
    /// - Throws: `.vaultTampered` when one does not stand as the head says.
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

    private func finish(for session: Session) async throws(VaultError) {
        var change = try change(by: session)
        change.head.migration = nil
        try await commit(change, for: session)
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
        // No wallet lies in it. But it may be the only PIN of what was sealed since then.
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
    static let formerErasure = Guest(afterUnlock: { vault in await vault.eraseFormerQuietly() })
}
