import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// How a migration is carried out. The rules decide what happens with an opened former wallet; each order is one
// transaction, which seals the wallet, opens it again and compares, and reads back and opens the new slot, before it
// commits.
//
// This file has path A, and what all paths share; path B is in `Vault+MigratingByPrompt.swift`, C in
// `Vault+Completing.swift`.
extension Vault {
    /// Migrates by the former PIN when there is no vault yet (path A).
    ///
    /// - Parameters:
    ///   - known: the opened content, when no guess has to be counted.
    ///   - pin: the vault's future PIN.
    func begin(
        with former: LegacyContents,
        _ known: HeldSecret?,
        _ secret: borrowing SecretBytes,
        pin: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        let attempt = newAttempt()
        return try await turnOnFolder(asksSensor: configuration.asksSensor) {
            (turn) async throws(VaultError) -> StrongAuthorization in
            try await lookAtEmptyFolder(counts: known == nil, in: turn)
            guard let known else {
                try await prepareCounting(in: turn)
                do throws(VaultError) {
                    return try await migrate(former, secret, pin: pin, for: attempt, in: &turn)
                } catch {
                    throw error.code == .strongFactorRefused ? VaultError(.legacySecretRefused) : error
                }
            }
            let orders = MigrationMachine(state: state.migration).handle(.sealedOpened(.nowhere))
            guard orders.contains(.makeVault(.pin)) else { throw VaultError(.vaultExists) }
            let session = try await begin(with: .make(), secret: pin, in: turn) {
                (change, session) throws(VaultError) in
                try self.fill(&change, with: known.bytes, from: former, for: session)
            }
            return try authorization(by: .localSecret, in: session.id)
        }
    }

    /// Opens what is sealed under the former PIN as a strong unlock: the attempt is counted, then the content opened
    /// and placed.
    ///
    /// - Parameter opened: the session in which this began. If it ends in the meantime nothing is placed: the PIN alone
    ///   would turn biometrics off.
    func migrate(
        _ former: LegacyContents,
        _ secret: borrowing SecretBytes,
        pin: borrowing SecretBytes,
        _ wish: Completion = Completion(),
        beside opened: Session? = nil,
        for attempt: UnlockAttempt,
        in turn: inout Turn
    ) async throws(VaultError) -> StrongAuthorization {
        let id = try await unlock(by: .localSecret, for: attempt, in: &turn) { (turn) throws(VaultError) in
            let entropy: SecretBytes
            do throws(VaultError) {
                entropy = try former.open(with: secret)
            } catch {
                guard error.code == .legacySecretRefused else { throw error }
                return .strongSecretRefused
            }
            try await self.endAttempt(in: turn)
            guard opened == nil || opened === self.session else { throw VaultError(.locked) }
            let proof = try await self.place(entropy, from: former, pin: pin, wish, in: turn)
            return .proved(proof, self.promptDecision)
        }
        return try authorization(by: .localSecret, in: id)
    }

    private func place(
        _ entropy: borrowing SecretBytes,
        from former: LegacyContents,
        pin: borrowing SecretBytes,
        _ wish: Completion,
        in turn: borrowing Turn
    ) async throws(VaultError) -> UnlockProof {
        try checkStrength(of: pin)
        var proof: UnlockProof?
        var added: [WalletRecord] = []
        let event = MigrationMachine.Event.sealedOpened(
            try await reach(of: entropy, in: turn),
            keepsBoth: wish.otherName != nil && !isExchanged(former),
            // Revoked biometrics stay off; only the PIN can enable them again.
            takesNewKey: wish.takesNewKey || state.usableBiometrics != .enabled
        )
        for order in MigrationMachine(state: state.migration).handle(event) {
            switch order {
            case .makeVault: proof = try await makeVault(of: entropy, former, pin: pin, in: turn)
            case .replaceKey: proof = try await replaceKey(entropy, former, pin: pin, in: turn)
            case .wrapKey:
                proof = try await wrapKey(pin: pin, adding: added, mark: .erasing(sealed: former.digest), in: turn)
            case .addWallet:
                guard let name = wish.otherName, let session else { throw VaultError(.migrationConflict) }
                let isTaken = try verifiedWallets(for: session).summaries.contains { $0.name == name }
                guard !isTaken else { throw VaultError(.nameTaken) }
                added = [try sealFormer(entropy, former.migration.kind, named: name, for: session).0]
            case .refuse(let code): throw VaultError(code)
            case .record: break  // The change that sets the mark tells it.
            case .eraseBiometric, .eraseSealed, .finish: break  // A way in never orders these.
            }
        }
        guard let proof else { throw VaultError(.storageUnavailable) }
        return proof
    }

    /// Returns whether the sealed copy is not the one beside which the half-migrated vault was made.
    ///
    /// An attacker with an enrolled finger could plant a wallet of their own, and so give the vault their PIN (C15).
    private func isExchanged(_ former: LegacyContents) -> Bool {
        guard case .half(let sealed, _)? = state.head.migration else { return false }
        return sealed != former.digest
    }

    /// Returns whether the vault's key is in reach, and whether the vault already has the wallet.
    private func reach(
        of entropy: borrowing SecretBytes,
        in turn: borrowing Turn
    ) async throws(VaultError) -> MigrationMachine.Reach {
        guard state.migration != .legacy else { return .nowhere }
        if let session {
            guard session.scope == .full else { throw VaultError(.vaultTampered) }
            return .open(holdsWallet: try standing(in: session)[LegacyContents.digest(of: entropy)] != nil)
        }
        // Do not rely on the head: an attacker who wants a finger's wallet dropped would edit out its slot (A57).
        var slotIsDead = true
        for item in state.slots.compactMap(\.item) where slotIsDead { slotIsDead = try await device.isAbsent(item) }
        guard case .half(_, let wallet)? = state.head.migration else { throw VaultError(.locked) }
        let fingerprint = LegacyContents.fingerprint(LegacyContents.digest(of: entropy), in: state.head.vault)
        return .shut(holdsWallet: fingerprint == wallet, slotIsDead: slotIsDead)
    }

    private func makeVault(
        of entropy: borrowing SecretBytes,
        _ former: LegacyContents,
        pin: borrowing SecretBytes,
        in turn: borrowing Turn
    ) async throws(VaultError) -> UnlockProof {
        guard let item = ledgerItem else { throw VaultError(.keyMissing) }
        guard let head = state.founding else { throw VaultError(.vaultExists) }
        let session = newSession(.make())
        keys.propose(session)
        let slot = try await prepareLocalSlot(pin, item: item, for: session)
        return try await writeFirstState(session, head, with: [slot], in: turn) {
            (change, session) throws(VaultError) in
            try self.fill(&change, with: entropy, from: former, for: session)
        }
    }

    func fill(
        _ change: inout Change,
        with entropy: borrowing SecretBytes,
        from former: LegacyContents,
        for session: Session
    ) throws(VaultError) {
        let mark = Head.Migration.erasing(sealed: former.digest)
        try fill(&change, with: entropy, former.migration.kind, named: former.migration.name, mark, for: session)
    }

    /// Adds the one wallet of a new key to the change.
    func fill(
        _ change: inout Change,
        with entropy: borrowing SecretBytes,
        _ kind: WalletKind,
        named name: WalletName,
        _ mark: Head.Migration,
        for session: Session
    ) throws(VaultError) {
        let (record, _) = try sealFormer(entropy, kind, named: name, for: session)
        change.bring(try WalletDraft([record], in: folder), into: .empty)
        change.head.migration = mark
        change.record(mark.event)
    }

    /// Seals a former wallet, opens it again, and compares (K-06).
    ///
    /// The comparison is redundant, since AES-GCM opens only what was just sealed. It guards against a broken library,
    /// because the former copy is erased next.
    func sealFormer(
        _ entropy: borrowing SecretBytes,
        _ kind: WalletKind,
        named name: WalletName,
        for session: Session
    ) throws(VaultError) -> (WalletRecord, WalletSummary) {
        let (record, summary) = try seal(entropy, kind, named: name, for: session)
        let opened = try session.withMasterKey { (key) throws(VaultError) in
            try key.open(record.secret, kind: kind, wallet: record.id, vault: session.vault)
        }
        guard SecretBytes.constantTimeEqual(opened, entropy) else {
            throw VaultError(.storageUnavailable, "a former wallet opens as something else")
        }
        return (record, summary)
    }
}

extension Head.Migration {
    /// What the change tells that sets the mark.
    var event: AuditEventKind {
        switch self {
        case .half: .migrationBegan
        case .erasing: .migrationCompleted
        }
    }
}
