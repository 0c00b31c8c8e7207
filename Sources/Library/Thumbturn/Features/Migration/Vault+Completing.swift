import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Path C: in a half-migrated vault the PIN proves itself by opening the former app's data, and then opens the same
// vault.
extension Vault {
    /// The owner's further choices for a half-migrated vault.
    struct Completion {
        /// The former wallet's name when the vault has a different wallet and both are kept.
        var otherName: WalletName?
        /// The text of the prompt that asks for the finger once more.
        var prompt: PromptText?
        /// Whether to give the vault a new key, which turns biometrics off.
        var takesNewKey = false
    }

    /// Completes a half-migrated vault with the former PIN (path C).
    func complete(
        with secret: borrowing SecretBytes,
        pin: borrowing SecretBytes,
        _ wish: Completion,
        for attempt: UnlockAttempt,
        in turn: inout Turn
    ) async throws(VaultError) -> StrongAuthorization {
        // Read it before the attempt is recorded: a storage fault is no guess.
        let former = try await LegacyContents.require(configuration.legacy)
        try await prepareCounting(in: turn)
        let prompt: PromptText
        do throws(VaultError) {
            return try await complete(former, with: secret, pin: pin, wish, for: attempt, in: &turn)
        } catch {
            guard error.code == .migrationNeedsBiometrics, let words = wish.prompt else { throw error }
            prompt = words
        }
        // The PIN was right, so no failure was counted.
        try await askForFinger(prompt, former, for: attempt, in: &turn)
        return try await complete(former, with: secret, pin: pin, wish, for: attempt, in: &turn)
    }

    private func complete(
        _ former: LegacyContents,
        with secret: borrowing SecretBytes,
        pin: borrowing SecretBytes,
        _ wish: Completion,
        for attempt: UnlockAttempt,
        in turn: inout Turn
    ) async throws(VaultError) -> StrongAuthorization {
        // Unless the former app was used again since, this is the wallet behind biometrics. Believe that only if a
        // session verified the head: otherwise an attacker who edits the file could name a wallet and have another one
        // erased unread.
        var source: [UInt8]?
        if session != nil, case .half(sealed: former.digest, let wallet)? = state.head.migration { source = wallet }
        let authorization = try await migrate(former, secret, pin: pin, wish, beside: session, for: attempt, in: &turn)
        await tolerating { () async throws(VaultError) in
            try await eraseFormer(former.migration, madeOf: source, nil, in: turn)
        }
        return authorization
    }

    /// Opens the vault with the finger that created it, once the former PIN was right.
    ///
    /// - Throws: `.migrationNeedsBiometrics` when no finger or face was recognised.
    private func askForFinger(
        _ prompt: PromptText,
        _ former: LegacyContents,
        for attempt: UnlockAttempt,
        in turn: inout Turn
    ) async throws(VaultError) {
        // The PIN satisfies the policy only if it opened the data from which the vault was made: an attacker who plants
        // a wallet in the former place proves nothing with its PIN. A head that the ledger names is authentic while
        // locked.
        if case .half(sealed: former.digest, _)? = state.head.migration, state.condition == .ready,
            state.headStanding == .named, state.ledger.attempts.isReliable
        {
            let now = device.clock()
            try ease(in: turn, telling: []) { $0.acknowledgeStrongUnlock(at: now) }
        }
        do throws(VaultError) {
            _ = try await unlock(
                by: prompt,
                asking: UnlockMachine.Event.biometricUnlockRequested,
                for: attempt,
                in: &turn
            )
        } catch {
            guard error.code.category == .refused, error.code != .locked else { throw error }
            throw VaultError(.migrationNeedsBiometrics, error.code.text)
        }
    }

    /// Wraps the open session's key under the PIN too: nothing is resealed, and biometrics stay.
    func wrapKey(
        pin: borrowing SecretBytes,
        adding records: [WalletRecord],
        mark: Head.Migration,
        in turn: borrowing Turn
    ) async throws(VaultError) -> UnlockProof {
        guard let session else { throw VaultError(.locked) }
        guard let item = ledgerItem else { throw VaultError(.keyMissing) }
        var change = try change(by: session)
        change.head.migration = mark
        change.record(mark.event)
        if !records.isEmpty {
            change.bring(try WalletDraft(records, in: folder), into: try verifiedIndex(for: session))
        }
        let slot = try await prepareLocalSlot(pin, item: item, for: session)
        try change.add(slot)
        try await commit(change, for: session, in: turn)
        let opened = try session.withMasterKey { (key) throws(VaultError) in self.newSession(key.copy()) }
        keys.propose(opened)
        return try slot.verify(store.slotRecord(slot.record.id), opens: opened)
    }

    /// Seals the wallet under a new key, and removes its former envelope and slot in the same transaction.
    ///
    /// The former key is out of reach, so the new head vouches for nothing of the former one: neither its rules nor its
    /// other rows. This is safe because a half-migrated vault has only the one wallet (A57).
    func replaceKey(
        _ entropy: borrowing SecretBytes,
        _ former: LegacyContents,
        pin: borrowing SecretBytes,
        in turn: borrowing Turn
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
        keys.propose(session)
        let slot = try await prepareLocalSlot(pin, item: item, for: session, under: head.policy)
        return try await writeFirstState(session, head, with: [slot], in: turn) {
            (change, session) throws(VaultError) in
            for slot in slots { change.remove(slot) }
            try self.fill(&change, with: entropy, from: former, for: session)
        } rows: { () throws(VaultError) in
            for wallet in wallets { try self.store.removeWallet(wallet) }
        }
    }
}

extension Guest {
    /// In a half-migrated vault the former PIN completes the migration.
    static let formerPIN = Guest(opensWithoutSlot: { (vault, secret, attempt, turn) async throws(VaultError) in
        guard vault.state.migration == .half else { return nil }
        let wish = Vault.Completion(prompt: vault.configuration.legacy?.prompt)
        return try await vault.complete(with: secret, pin: secret, wish, for: attempt, in: &turn)
    })
}
