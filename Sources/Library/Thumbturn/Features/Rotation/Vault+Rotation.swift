public import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

/// A recovery key that was made for a vault's new master key: it is stored nowhere until its owner has typed it back.
public struct NewRecoveryKey: ~Copyable, Sendable {
    private let key: RandomSecret

    /// Makes one.
    public init() {
        key = .make()
    }

    /// Lends the key as text, ASCII; nothing keeps it.
    ///
    /// - Throws: what `body` throws.
    public borrowing func show<Result>(_ body: (RawSpan) throws -> Result) throws -> Result {
        try RecoveryKey.text(of: key).withBytes(body)
    }

    /// Takes the key as its owner typed it back.
    ///
    /// - Parameter typed: the key in any case, with or without its dashes.
    /// - Returns: what `rekey` asks for.
    /// - Throws: `.recoveryKeyMalformed`, or `.strongFactorRefused` for another key.
    public borrowing func confirmed(
        by typed: borrowing SecretBytes
    ) throws(VaultError) -> ConfirmedRecoveryKey {
        let given = RecoveryKey.text(of: try RecoveryKey.parse(typed))
        guard SecretBytes.constantTimeEqual(given, RecoveryKey.text(of: key)) else {
            throw VaultError(.strongFactorRefused)
        }
        return ConfirmedRecoveryKey(key: key.copy())
    }
}

/// A new recovery key that its owner has.
public struct ConfirmedRecoveryKey: ~Copyable, Sendable {
    fileprivate let key: RandomSecret
}

// A new master key (A21): it ends what a leaked recovery key, backup or former PIN opens from now on. Wallets that lay in a
// leaked copy stay open to whoever has that copy and its key; they have to be moved.
extension Vault {
    /// Gives the vault a new master key: every wallet is sealed anew, and every way in is made anew, in one transaction.
    ///
    /// The session ends, here and in other processes: the vault opens with the PIN or password again. Biometrics stay on where
    /// the device confirms that their item is unchanged; else they are off.
    ///
    /// - Parameters:
    ///   - secret: the PIN or password from here on: the present one, or a new one.
    ///   - recoveryKey: the new recovery key; nil where the vault has none and is to have none.
    ///   - seen: the wallets of a damaged vault as its owner saw them: what opens is kept and vouched for, by its name and in its
    ///     number; what does not open, or is missing by number, is given up, and with it
    ///     the erase of a former app's copy that was put off. nil gives up nothing.
    ///   - authorization: the strong factor, given just now.
    /// - Throws: `.recoveryKeyRequired` where there is a recovery key and no new one was typed back, `.systemModeOnly`,
    ///   `.vaultTampered` where a wallet does not open, or the wallets are not as the owner saw them; `.exportOnly` for an
    ///   older copy that was put back, or where the policy lets a recovery key only export; `.olderCopy` where the new key
    ///   counts and another copy of the vault was changed first, `.formerSecretRemains` where the new key counts and the device
    ///   did not confirm that the former PIN's secret is gone; or why nothing was changed.
    public func rekey(
        with secret: borrowing SecretBytes,
        recoveryKey: consuming ConfirmedRecoveryKey?,
        keeping seen: WalletInventory? = nil,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        let recovery = Self.slotSecret(recoveryKey)
        try await turn { () async throws(VaultError) in
            try requirePIN()
            let former = try session(authorization, keeping: seen)
            try checkStrength(of: secret)
            let slot = try await rekey(former, recovery, keeping: seen) { (own, counts, session) throws(VaultError) in
                try await self.prepareLocalSlot(secret, item: own, ledgerItem: counts, for: session)
            }
            try await requireAbsent(itemsOf: slot)
        }
    }

    /// The same for a vault that an account's password opens.
    ///
    /// - Parameter opening: what the login brought by which that was proved.
    package func rekey(
        with opening: borrowing AccountOpening,
        recoveryKey: consuming ConfirmedRecoveryKey?,
        keeping seen: WalletInventory? = nil,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        let recovery = Self.slotSecret(recoveryKey)
        try await turn { () async throws(VaultError) in
            let former = try session(authorization, keeping: seen)
            let slot = try await rekey(former, recovery, keeping: seen) { (own, counts, session) throws(VaultError) in
                try await self.prepareAccountSlot(opening.keys, item: own, ledgerItem: counts, for: session)
            }
            // What lay under the former slot's secret, also where that remains.
            await keep(opening.offline, opening.contactKey)
            try await requireAbsent(itemsOf: slot)
        }
    }

    private static func slotSecret(_ recoveryKey: consuming ConfirmedRecoveryKey?) -> SlotSecret? {
        switch consume recoveryKey {
        case .some(let confirmed): .recovery(confirmed.key.copy())
        case .none: nil
        }
    }

    /// - Parameter seal: seals the slot of the PIN or password for a device secret of its own and the ledger's.
    /// - Returns: the former one's.
    private func rekey(
        _ former: Session,
        _ recovery: borrowing SlotSecret?,
        keeping seen: WalletInventory?,
        sealing seal: nonisolated(nonsending) (ItemName, ItemName, Session) async throws(VaultError) -> PreparedSlot
    ) async throws(VaultError) -> SlotRecord {
        guard let local = state.ledgerSlot, state.condition == .ready else {
            throw VaultError(state.condition.refusal ?? .keyMissing)
        }
        let isTypedBack = recovery != nil
        for kind in SlotKind.allCases where state.slot(kind) != nil {
            // A kind that is not made anew here would be left behind unsaid. The PIN's slot is made anew with the secret, and
            // the finger's once the device says that the enrolled set is the same.
            switch kind {
            case .localSecret, .password, .biometric: break
            case .recovery: guard isTypedBack else { throw VaultError(.recoveryKeyRequired) }
            case .system: throw VaultError(.systemModeOnly)
            }
        }
        var head = try verifiedHead(for: former).head
        let kept = try await kept(of: former, as: seen)
        guard !former.isForgotten else { throw VaultError(.locked) }

        head.key = .make()
        head.slots = []
        head.awaitedRecoveryKey = nil
        // Where rows are not all as they were, it can't be said which wallet is missing.
        if seen?.isAuthentic == false { endErase(in: &head) }
        let session = newSession(.make(), named: head.key, of: head.vault)
        candidate = session
        defer {
            forgetCandidate()
            publish()
        }
        var change = change(founding: head)
        change.record(.vaultRekeyed)
        for slot in state.slots { change.remove(slot) }
        switch kept {
        case .all(let index): try await self.seal(index, of: former, for: session, into: &change)
        case .seen(let wallets): try await self.seal(wallets, of: former, for: session, into: &change)
        }
        switch recovery {
        case .some(let key): try change.add(prepareRecoverySlot(key, for: session))
        case .none: break
        }
        try await addWaysIn(for: session, change, seal)
        return local
    }

    /// The session to start from: a full one; or for the sake of what still opens, one that may only export since rows were
    /// changed.
    private func session(
        _ authorization: borrowing StrongAuthorization,
        keeping seen: WalletInventory?
    ) throws(VaultError) -> Session {
        // Not "older copy": that says of a change that it stands.
        guard state.headStanding != .putBack else { throw VaultError(.exportOnly) }
        guard seen != nil else { return try openSession(authorization) }
        let session = try openSession(authorization, .exportOnly)
        try requireCompleteMigration()
        guard authorization.slot != .recovery || state.head.policy.recoveryOpensFully else {
            throw VaultError(.exportOnly)
        }
        return session
    }

    /// What is kept.
    private enum Kept {
        /// All wallets, which the head names.
        case all(WalletIndex)
        /// Of a damaged vault what its owner saw open.
        case seen([Identifier: WalletSummary])
    }

    /// The wallets that are kept, as they are stored now: afterwards it would go unnoticed that one is missing.
    private func kept(of session: Session, as seen: WalletInventory?) async throws(VaultError) -> Kept {
        session.index = nil
        session.ahead = nil
        session.found = nil
        guard let seen else { return .all(try verifiedIndex(for: session)) }
        let inventory = try await takeInventory(for: session)
        guard inventory == seen else { throw VaultError(.vaultTampered) }
        return .seen(Dictionary(inventory.wallets.map { ($0.id, $0) }) { first, _ in first })
    }

    /// Seals the wallets under the new key, and opens each again; what they were sealed as goes in the same transaction.
    ///
    /// Of each only its digest stays in memory.
    private func seal(
        _ index: WalletIndex,
        of former: Session,
        for session: Session,
        into change: inout Change
    ) async throws(VaultError) {
        let draft = WalletDraft(in: folder)
        try await forEachWallet(of: index, in: former) { (wallet) throws(VaultError) in
            try draft.append(session.row(of: wallet.summary, wallet.secret))
        }
        change.bring(draft, into: .empty)
    }

    /// The same of a damaged vault, from whichever row still holds a wallet.
    private func seal(
        _ kept: [Identifier: WalletSummary],
        of former: Session,
        for session: Session,
        into change: inout Change
    ) async throws(VaultError) {
        var rows: [StoredWallet] = []
        try store.forEachStoredWallet { rows.append($0) }
        let draft = WalletDraft(in: folder)
        var missing = kept
        for row in rows {
            if let record = try reseal(row, &missing, of: former, for: session) { try draft.append(record) }
            // For a lock, which may wait for some of them: to let one in takes as long as a wallet.
            if draft.entries.count.isMultiple(of: 32) { await Task.yield() }
        }
        // Those that SQLite reaches no more were found by their form.
        for id in Array(missing.keys) {
            guard let row = try former.found?.row(of: id),
                let record = try reseal(row, &missing, of: former, for: session)
            else { continue }
            try draft.append(record)
        }
        guard missing.isEmpty else { throw VaultError(.vaultTampered) }
        change.bring(draft, into: .empty)
    }

    /// - Parameter missing: the wallets that were not met yet; a row of any other one is left behind.
    private func reseal(
        _ row: StoredWallet,
        _ missing: inout [Identifier: WalletSummary],
        of former: Session,
        for session: Session
    ) throws(VaultError) -> WalletRecord? {
        var wallet: WalletSummary?
        let record = try former.withMasterKey { (old) throws(VaultError) -> WalletRecord? in
            guard let opened = old.open(row, vault: session.vault), let known = missing[opened.summary.id] else {
                return nil
            }
            // A wallet whose label is lost begins anew under its id.
            let date = known.isLabelled ? known.createdAt : device.clock().wall
            let named = WalletSummary(id: known.id, name: known.name, kind: opened.summary.kind, createdAt: date)
            wallet = named
            return try session.row(of: named, opened.secret)
        }
        if let wallet { missing[wallet.id] = nil }
        return record
    }

    /// Makes the slots of PIN and finger around the new key, and commits.
    private func addWaysIn(
        for session: Session,
        _ change: Change,
        _ seal: nonisolated(nonsending) (ItemName, ItemName, Session) async throws(VaultError) -> PreparedSlot
    ) async throws(VaultError) {
        // A sensor that nobody looked at is none that can't be used.
        guard state.biometrics == .enabled, state.sensor?.available != false, let biometric = state.biometricSlot?.item
        else { return try await addOwnSlot(for: session, change, seal) }
        var isUnchanged = true
        do throws(VaultError) {
            try await withBiometricKey { (intermediate, item) throws(VaultError) in
                // Asked once the new one is stored. A finger enrolled after that ends the new one; one enrolled before has
                // ended this (A28).
                isUnchanged = try await !device.isMissing(biometric)
                guard isUnchanged else { throw VaultError(.biometricsChanged) }
                var change = change
                try change.add(prepareBiometricSlot(intermediate, item: item, for: session))
                try await addOwnSlot(for: session, change, seal)
            }
        } catch {
            guard !isUnchanged else { throw error }
            try await addOwnSlot(for: session, change, seal)
        }
    }

    private func addOwnSlot(
        for session: Session,
        _ change: Change,
        _ seal: nonisolated(nonsending) (ItemName, ItemName, Session) async throws(VaultError) -> PreparedSlot
    ) async throws(VaultError) {
        try await withNextLedger(change.ledger) { (item, ledger) throws(VaultError) in
            var change = change
            change.ledger = ledger
            try await withOwnSecret(of: session.vault) { (own) throws(VaultError) in
                try change.add(await seal(own, item, session))
                try await commit(change, for: session) { () throws(VaultError) in
                    try store.removeWallets()
                }
            }
        }
    }
}

extension Session {
    /// A wallet under this session's key: sealed, and opened again.
    fileprivate func row(
        of wallet: WalletSummary,
        _ secret: borrowing SecretBytes
    ) throws(VaultError) -> WalletRecord {
        let sealed = try withMasterKey { (key) throws(VaultError) in
            let sealed = try secret.withBytes { (bytes) throws(VaultError) in
                try key.seal(bytes, kind: wallet.kind, wallet: wallet.id, vault: vault)
            }
            let again = try key.open(sealed, kind: wallet.kind, wallet: wallet.id, vault: vault)
            guard SecretBytes.constantTimeEqual(secret, again) else {
                throw VaultError(.storageUnavailable, "a wallet opens as something else")
            }
            return sealed
        }
        return WalletRecord(id: wallet.id, tag: try tag(of: wallet.name), label: try seal(wallet), secret: sealed)
    }
}
