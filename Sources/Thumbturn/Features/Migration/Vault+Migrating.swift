import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// How a migration is carried out. The rules say what comes of an opened former wallet; each order is one transaction, in
// which the wallet is sealed, opened again and compared, and the way in is read back and opened, before it commits.
extension Vault {
    /// Path A: by the former PIN, where there is no vault yet.
    ///
    /// - Parameters:
    ///   - known: what was in it, where no guess has to be counted.
    ///   - pin: what becomes the vault's PIN.
    func begin(
        with former: LegacyContents,
        _ known: HeldSecret?,
        _ secret: borrowing SecretBytes,
        pin: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        let attempt = newAttempt()
        return try await turnOnFolder { () async throws(VaultError) -> StrongAuthorization in
            try await lookAtEmptyFolder(counts: known == nil)
            guard let known else {
                try await prepareCounting()
                do throws(VaultError) {
                    return try await migrate(former, secret, pin: pin, in: attempt)
                } catch {
                    throw error.code == .strongFactorRefused ? VaultError(.legacySecretRefused) : error
                }
            }
            let orders = MigrationMachine(state: state.migration).handle(.sealedOpened(.nowhere))
            guard orders.contains(.makeVault(.pin)) else { throw VaultError(.vaultExists) }
            let session = try await begin(with: .make(), secret: pin) { (change, session) throws(VaultError) in
                try self.fill(&change, with: known.bytes, from: former, for: session)
            }
            for case .record(let kind) in orders { record(kind) }
            return try authorization(by: .localSecret, in: session.id)
        }
    }

    /// Path B: by what lies behind biometrics, where there is no vault yet.
    ///
    /// - Returns: the fingerprint of the wallet that lay there.
    func begin(
        behind prompt: PromptText,
        _ migration: LegacyMigration,
        _ holds: LegacyBiometric,
        _ former: LegacyContents?,
        firstPIN: HeldSecret?
    ) async throws(VaultError) -> [UInt8]? {
        let attempt = newAttempt()
        return try await turnOnFolder { () async throws(VaultError) -> [UInt8]? in
            try await lookAtEmptyFolder(counts: true)
            // What the order makes is the vault's first slot.
            let obstacle = state.capability.obstacle(under: migration.policy)
            for case .refuse(let code) in BiometricLifecycle(state: .disabled).handle(.enableRequested(obstacle)) {
                throw VaultError(code)
            }
            if let firstPIN { try checkStrength(of: firstPIN.bytes) }
            try await prepareCounting()
            try await drive(.biometricUnlockRequested(decisionOnFormerPrompt), in: attempt) {
                (effect) throws(VaultError) in
                guard case .showBiometricPrompt = effect else { return try await self.carryOut(effect, prompt: nil) }
                let released: SecretBytes
                do throws(DeviceRefusal) {
                    released = try await migration.wallet.readBiometric(prompt)
                } catch {
                    return .biometricsRefused(error == .absent ? .revoked : error)
                }
                guard self.machine.state.promptedSlot == .biometric else {
                    return .biometricsRefused(.cancelledBySystem)
                }
                return try await self.migrate(released, holds, migration, former, firstPIN)
            }
            guard let session else { throw VaultError(.locked) }
            let wallets = tolerating { () throws(VaultError) in try standing(in: session) }
            return wallets?.keys.first.map { LegacyContents.fingerprint($0, in: session.vault) }
        }
    }

    /// What the owner of a half migrated vault wants besides.
    struct Completion {
        /// What the former wallet is called where the vault holds another one and both are kept.
        var otherName: WalletName?
        /// The words that ask for the finger once more.
        var prompt: PromptText?
        /// Whether a new key is taken for the vault's, and biometrics go.
        var takesNewKey = false
    }

    /// Path C: by the former PIN, in a half migrated vault.
    func complete(
        with secret: borrowing SecretBytes,
        pin: borrowing SecretBytes,
        _ wish: Completion,
        in attempt: UnlockAttempt
    ) async throws(VaultError) -> StrongAuthorization {
        // Before the attempt is recorded, so that a fault of the store is no guess.
        let former = try await LegacyContents.require(configuration.legacy)
        try await prepareCounting()
        let prompt: PromptText
        do throws(VaultError) {
            return try await complete(former, with: secret, pin: pin, wish, in: attempt)
        } catch {
            guard error.code == .migrationNeedsBiometrics, let words = wish.prompt else { throw error }
            prompt = words
        }
        // The PIN was right, so nothing was counted.
        try await askForFinger(prompt, former, in: attempt)
        return try await complete(former, with: secret, pin: pin, wish, in: attempt)
    }

    private func complete(
        _ former: LegacyContents,
        with secret: borrowing SecretBytes,
        pin: borrowing SecretBytes,
        _ wish: Completion,
        in attempt: UnlockAttempt
    ) async throws(VaultError) -> StrongAuthorization {
        // Unless the former app was used again since, this is the wallet behind biometrics: if a session vouches for the head that
        // says so, for an editor of the file could else name a wallet and have another one erased unread.
        var source: [UInt8]?
        if session != nil, case .half(sealed: former.digest, let wallet)? = state.head.migration { source = wallet }
        let authorization = try await migrate(former, secret, pin: pin, wish, beside: session, in: attempt)
        await tolerating { () async throws(VaultError) in
            try await eraseFormer(former.migration, madeOf: source, nil)
        }
        return authorization
    }

    /// Opens the vault with the finger that made it, once the former PIN was right.
    ///
    /// - Throws: `.migrationNeedsBiometrics` where nobody was recognised.
    private func askForFinger(
        _ prompt: PromptText,
        _ former: LegacyContents,
        in attempt: UnlockAttempt
    ) async throws(VaultError) {
        // What the policy asks the PIN for is answered, if that is what the finger left behind: who puts a wallet of his own into
        // the former place does not prove himself by its PIN. A head that the ledger names is authentic while locked.
        if case .half(sealed: former.digest, _)? = state.head.migration, state.condition == .ready,
            state.headStanding == .named, state.ledger.attempts.isReliable
        {
            let now = device.clock()
            try ease { $0.acknowledgeStrongUnlock(at: now) }
        }
        do throws(VaultError) {
            _ = try await unlock(by: prompt, asking: UnlockMachine.Event.biometricUnlockRequested, in: attempt)
        } catch {
            guard error.code.category == .refused, error.code != .locked else { throw error }
            throw VaultError(.migrationNeedsBiometrics, error.code.text)
        }
    }

    /// Opens what is sealed under the former PIN as a strong unlock: counted first, then opened, then placed.
    ///
    /// - Parameter opened: the session that it began in. Where that ends meanwhile nothing is placed: the PIN alone would turn
    ///   biometrics off.
    private func migrate(
        _ former: LegacyContents,
        _ secret: borrowing SecretBytes,
        pin: borrowing SecretBytes,
        _ wish: Completion = Completion(),
        beside opened: Session? = nil,
        in attempt: UnlockAttempt
    ) async throws(VaultError) -> StrongAuthorization {
        let id = try await unlock(by: .localSecret, in: attempt) { () throws(VaultError) in
            let entropy: SecretBytes
            do throws(VaultError) {
                entropy = try former.open(with: secret)
            } catch {
                guard error.code == .legacySecretRefused else { throw error }
                return .strongSecretRefused
            }
            try await self.endAttempt()
            guard opened == nil || opened === self.session else { throw VaultError(.locked) }
            let proof = try await self.place(entropy, from: former, pin: pin, wish)
            return .proved(proof, self.promptDecision)
        }
        return try authorization(by: .localSecret, in: id)
    }

    private func place(
        _ entropy: borrowing SecretBytes,
        from former: LegacyContents,
        pin: borrowing SecretBytes,
        _ wish: Completion
    ) async throws(VaultError) -> UnlockProof {
        try checkStrength(of: pin)
        var proof: UnlockProof?
        var added: [WalletRecord] = []
        let event = MigrationMachine.Event.sealedOpened(
            try await reach(of: entropy),
            keepsBoth: wish.otherName != nil && !isExchanged(former),
            // No finger whose right was taken away ever gets it back, but by the PIN.
            takesNewKey: wish.takesNewKey || state.usableBiometrics != .enabled
        )
        for order in MigrationMachine(state: state.migration).handle(event) {
            switch order {
            case .makeVault: proof = try await makeVault(of: entropy, former, pin: pin)
            case .replaceKey: proof = try await replaceKey(entropy, former, pin: pin)
            case .wrapKey: proof = try await wrapKey(pin: pin, adding: added, mark: .erasing(sealed: former.digest))
            case .addWallet:
                guard let name = wish.otherName, let session else { throw VaultError(.migrationConflict) }
                let isTaken = try verifiedWallets(for: session).summaries.contains { $0.name == name }
                guard !isTaken else { throw VaultError(.nameTaken) }
                added = [try sealFormer(entropy, named: name, for: session).0]
            case .record(let kind): record(kind)
            case .refuse(let code): throw VaultError(code)
            case .eraseBiometric, .eraseSealed, .finish: break  // Not orders of a way in.
            }
        }
        guard let proof else { throw VaultError(.storageUnavailable) }
        return proof
    }

    /// Whether a half migrated vault began beside another sealed copy.
    ///
    /// With a wallet of his own in its place, somebody with an enrolled finger could give the vault his PIN (C15).
    private func isExchanged(_ former: LegacyContents) -> Bool {
        guard case .half(let sealed, _)? = state.head.migration else { return false }
        return sealed != former.digest
    }

    /// Where the vault's key is, and whether it has the wallet already.
    private func reach(
        of entropy: borrowing SecretBytes
    ) async throws(VaultError) -> MigrationMachine.Reach {
        guard state.migration != .legacy else { return .nowhere }
        if let session {
            guard session.scope == .full else { throw VaultError(.vaultTampered) }
            return .open(holdsWallet: try standing(in: session)[LegacyContents.digest(of: entropy)] != nil)
        }
        // Not the head's word: an editor does not list the finger whose wallet he wants dropped (A57).
        var slotIsDead = true
        for item in state.slots.compactMap(\.item) where slotIsDead { slotIsDead = try await device.isAbsent(item) }
        guard case .half(_, let wallet)? = state.head.migration else { throw VaultError(.locked) }
        let fingerprint = LegacyContents.fingerprint(LegacyContents.digest(of: entropy), in: state.head.vault)
        return .shut(holdsWallet: fingerprint == wallet, slotIsDead: slotIsDead)
    }

    private func makeVault(
        of entropy: borrowing SecretBytes,
        _ former: LegacyContents,
        pin: borrowing SecretBytes
    ) async throws(VaultError) -> UnlockProof {
        guard let item = ledgerItem else { throw VaultError(.keyMissing) }
        guard let head = state.founding else { throw VaultError(.vaultExists) }
        let session = newSession(.make())
        candidate = session
        return try await withLocalSlot(pin, on: item, for: session) { (slot) throws(VaultError) in
            try await self.found(session, head, with: [slot]) { (change, session) throws(VaultError) in
                try self.fill(&change, with: entropy, from: former, for: session)
            }
        }
    }

    /// Seals the wallet under a new key beside its former envelope, and takes that and its slot away in the same transaction.
    ///
    /// The former key is out of reach, so nothing of the former head is vouched for: neither its rules nor its other rows. It
    /// is safe because a half migrated vault holds nothing but the one wallet (A57).
    private func replaceKey(
        _ entropy: borrowing SecretBytes,
        _ former: LegacyContents,
        pin: borrowing SecretBytes
    ) async throws(VaultError) -> UnlockProof {
        let slots = state.slots
        var wallets: [Identifier] = []
        try store.forEachWallet { (record) throws(VaultError) in wallets.append(record.id) }
        guard wallets.count <= 1, state.contents.slotCount == slots.count,
            slots.allSatisfy({ $0.kind == .biometric })
        else { throw VaultError(.vaultTampered) }
        guard let item = ledgerItem else { throw VaultError(.keyMissing) }
        let head = Head(
            vault: state.head.vault,
            key: .make(),
            device: device.kind,
            installation: state.head.installation,
            policy: former.migration.policy
        )
        let session = newSession(.make(), named: head.key, of: head.vault)
        candidate = session
        return try await withLocalSlot(pin, on: item, for: session, under: head.policy) { (slot) throws(VaultError) in
            try await self.found(session, head, with: [slot]) { (change, session) throws(VaultError) in
                for slot in slots { change.remove(slot) }
                try self.fill(&change, with: entropy, from: former, for: session)
            } rows: { () throws(VaultError) in
                for wallet in wallets { try self.store.removeWallet(wallet) }
            }
        }
    }

    /// Wraps the key of the open session under the PIN too: nothing is sealed anew, and biometrics stay.
    private func wrapKey(
        pin: borrowing SecretBytes,
        adding records: [WalletRecord],
        mark: Head.Migration
    ) async throws(VaultError) -> UnlockProof {
        guard let session else { throw VaultError(.locked) }
        guard let item = ledgerItem else { throw VaultError(.keyMissing) }
        var change = try change(by: session)
        change.head.migration = mark
        if !records.isEmpty {
            var index = try verifiedIndex(for: session)
            index.add(records)
            change.wallets = records
            change.list(index)
        }
        return try await withLocalSlot(pin, on: item, for: session) { (slot) throws(VaultError) in
            try change.add(slot)
            try await self.commit(change, for: session)
            let opened = try session.withMasterKey { (key) throws(VaultError) in self.newSession(key.copy()) }
            self.candidate = opened
            return try slot.verify(self.store.slotRecord(slot.record.id), opens: opened)
        }
    }

    /// What the prompt of the former app released becomes the wallet of a vault that biometrics open.
    private func migrate(
        _ released: consuming SecretBytes,
        _ holds: LegacyBiometric,
        _ migration: LegacyMigration,
        _ former: LegacyContents?,
        _ firstPIN: HeldSecret?
    ) async throws(VaultError) -> UnlockMachine.Event {
        let entropy: SecretBytes
        var pin = firstPIN
        switch holds {
        case .mnemonic:
            entropy = try LegacyContents.entropy(of: released)
        case .pin:
            guard let former else { throw VaultError(.legacyMissing) }
            entropy = try former.open(with: released)
            // A PIN that our rules refuse completes nothing: its owner is asked for it, and for a better one.
            if (try? checkStrength(of: released)) != nil { pin = HeldSecret(released) }
        }
        let event = MigrationMachine.Event.biometricRead(pinIsKnown: pin != nil, sealedIsThere: former != nil)
        var proof: UnlockProof?
        for order in MigrationMachine(state: state.migration).handle(event) {
            switch order {
            case .makeVault(let ways):
                proof = try await makeVault(of: entropy, migration, former, firstPIN: ways == .both ? pin : nil)
            case .record(let kind): record(kind)
            case .refuse(let code): throw VaultError(code)
            case .wrapKey, .replaceKey, .addWallet, .eraseBiometric, .eraseSealed, .finish:
                break  // Not orders of a prompt.
            }
        }
        guard let proof else { throw VaultError(.storageUnavailable) }
        return .proved(proof, promptDecision)
    }

    private func makeVault(
        of entropy: borrowing SecretBytes,
        _ migration: LegacyMigration,
        _ former: LegacyContents?,
        firstPIN: HeldSecret?
    ) async throws(VaultError) -> UnlockProof {
        guard let counting = ledgerItem else { throw VaultError(.keyMissing) }
        let session = newSession(.make())
        candidate = session
        // Where nothing was sealed under a PIN, nothing that ever will be is to be erased.
        let digest = former?.digest ?? SHA256.digest([])
        let wallet = LegacyContents.fingerprint(LegacyContents.digest(of: entropy), in: session.vault)
        let mark = firstPIN == nil ? Head.Migration.half(sealed: digest, wallet: wallet) : .erasing(sealed: digest)
        return try await withBiometricKey { (intermediate, item) throws(VaultError) in
            let biometric = try self.prepareBiometricSlot(intermediate, item: item, for: session)
            guard let firstPIN else {
                return try await self.found(session, with: [biometric], entropy, named: migration.name, mark)
            }
            return try await self.withLocalSlot(firstPIN.bytes, on: counting, for: session) {
                (slot) throws(VaultError) in
                try await self.found(session, with: [biometric, slot], entropy, named: migration.name, mark)
            }
        }
    }

    /// What the policy says to the prompt of a former app: the failures of before count, and no time has passed.
    private var decisionOnFormerPrompt: UnlockDecision {
        let now = device.clock()
        var context = state.context(at: now)
        context.resetIsPending = false
        context.biometricSlot = .ready
        context.lastStrongAuthentication = now
        context.lastUse = now
        return state.head.policy.decision(for: context)
    }
}

extension Vault {
    private func fill(
        _ change: inout Change,
        with entropy: borrowing SecretBytes,
        from former: LegacyContents,
        for session: Session
    ) throws(VaultError) {
        let mark = Head.Migration.erasing(sealed: former.digest)
        try fill(&change, with: entropy, named: former.migration.name, mark, for: session)
    }

    /// Writes the first state of a key that seals the one wallet.
    private func found(
        _ session: Session,
        with slots: [PreparedSlot],
        _ entropy: borrowing SecretBytes,
        named name: WalletName,
        _ mark: Head.Migration
    ) async throws(VaultError) -> UnlockProof {
        guard let head = state.founding else { throw VaultError(.vaultExists) }
        return try await found(session, head, with: slots) { (change, session) throws(VaultError) in
            try self.fill(&change, with: entropy, named: name, mark, for: session)
        }
    }

    /// Puts the one wallet of a new key into the change.
    private func fill(
        _ change: inout Change,
        with entropy: borrowing SecretBytes,
        named name: WalletName,
        _ mark: Head.Migration,
        for session: Session
    ) throws(VaultError) {
        let (record, _) = try sealFormer(entropy, named: name, for: session)
        let index = WalletIndex(entries: [WalletIndex.Entry(id: record.id, digest: record.digest)])
        change.wallets = [record]
        change.list(index)
        change.head.migration = mark
    }

    /// Seals a former wallet, opens what was sealed, and compares.
    func sealFormer(
        _ entropy: borrowing SecretBytes,
        named name: WalletName,
        for session: Session
    ) throws(VaultError) -> (WalletRecord, WalletSummary) {
        let (record, summary) = try seal(entropy, .mnemonic, named: name, for: session)
        let opened = try session.withMasterKey { (key) throws(VaultError) in
            try key.open(record.secret, kind: .mnemonic, wallet: record.id, vault: session.vault)
        }
        guard SecretBytes.constantTimeEqual(opened, entropy) else {
            throw VaultError(.storageUnavailable, "a former wallet opens as something else")
        }
        return (record, summary)
    }
}

extension Guest {
    /// In a half migrated vault the former PIN completes the migration.
    static let formerPIN = Guest(opensWithoutSlot: { (vault, secret, attempt) async throws(VaultError) in
        guard vault.state.migration == .half else { return nil }
        let wish = Vault.Completion(prompt: vault.configuration.legacy?.prompt)
        return try await vault.complete(with: secret, pin: secret, wish, in: attempt)
    })
}
