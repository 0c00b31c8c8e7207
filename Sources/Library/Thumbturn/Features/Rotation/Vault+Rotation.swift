public import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

/// A new recovery key for a vault's new master key; it is not stored until the owner has typed it back.
public struct NewRecoveryKey: ~Copyable, Sendable {
    private let key: RandomSecret

    /// Creates a random key.
    public init() { key = .make() }

    /// Lends the key as ASCII text, which is not stored anywhere.
    ///
    /// - Throws: what `body` throws.
    public borrowing func show<Result>(_ body: (RawSpan) throws -> Result) throws -> Result {
        try RecoveryKey.text(of: key).withBytes(body)
    }

    /// Checks the key that the owner typed back.
    ///
    /// - Parameter typed: the key in upper or lower case, with or without its dashes.
    /// - Returns: the confirmed key, for `rekey`.
    /// - Throws: `.recoveryKeyMalformed`, or `.strongFactorRefused` for another key.
    public borrowing func confirmed(by typed: borrowing SecretBytes) throws(VaultError) -> ConfirmedRecoveryKey {
        let given = RecoveryKey.text(of: try RecoveryKey.parse(typed))
        guard SecretBytes.constantTimeEqual(given, RecoveryKey.text(of: key)) else {
            throw VaultError(.strongFactorRefused)
        }
        return ConfirmedRecoveryKey(key: key.copy())
    }
}

/// A new recovery key that the owner has confirmed.
public struct ConfirmedRecoveryKey: ~Copyable, Sendable {
    fileprivate let key: RandomSecret
}

// A new master key (A21): a leaked recovery key, backup or former PIN opens nothing from now on. Wallets in a leaked
// copy stay open to an attacker who has that copy and its key; their coins have to be moved.
extension Vault {
    /// Gives the vault a new master key: reseals every wallet and recreates every slot, in one transaction.
    ///
    /// The session ends, here and in other processes: the vault must be opened with the PIN or password again.
    /// Biometrics stay on if the device confirms that their item is unchanged; otherwise they are turned off.
    ///
    /// - Parameters:
    ///   - secret: the PIN or password from here on: the current one, or a new one.
    ///   - recoveryKey: the new recovery key; nil if the vault has none and should have none.
    ///   - seen: the inventory of a damaged vault as shown to the owner: wallets that open are kept and vouched for, by
    ///     name and number; those that do not open, or are missing by number, are given up, and with them a postponed
    ///     erase of a former app's copy. nil gives up nothing.
    ///   - authorization: the strong factor, entered just now.
    /// - Throws: `.recoveryKeyRequired` when there is a recovery key and no confirmed new one, `.systemModeOnly`,
    ///   `.vaultTampered` when a wallet does not open, or the inventory has changed; `.exportOnly` for an older copy,
    ///   or when the policy lets a recovery key only export; `.olderCopy` when the new key is in force but another copy
    ///   of the vault was changed first, `.formerSecretRemains` when the new key is in force but the device did not
    ///   confirm that the former PIN's secret is gone; or why nothing was changed.
    public func rekey(
        with secret: borrowing SecretBytes,
        recoveryKey: consuming ConfirmedRecoveryKey?,
        keeping seen: WalletInventory? = nil,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        let recovery = Self.slotSecret(recoveryKey)
        try await turn { (turn) async throws(VaultError) in
            try requirePIN()
            let former = try session(authorization, keeping: seen, in: turn)
            try checkStrength(of: secret)
            let slot = try await rekey(former, recovery, keeping: seen, in: turn) {
                (item, session) throws(VaultError) in
                try await self.prepareLocalSlot(secret, item: item, for: session)
            }
            try await requireAbsent(itemsOf: slot)
        }
    }

    /// Gives a vault that an account's password opens a new master key.
    ///
    /// - Parameter opening: the result of the login that proved the password.
    package func rekey(
        with opening: borrowing AccountOpening,
        recoveryKey: consuming ConfirmedRecoveryKey?,
        keeping seen: WalletInventory? = nil,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        let recovery = Self.slotSecret(recoveryKey)
        try await turn { (turn) async throws(VaultError) in
            let former = try session(authorization, keeping: seen, in: turn)
            let slot = try await rekey(former, recovery, keeping: seen, in: turn) {
                (item, session) throws(VaultError) in
                try await self.prepareAccountSlot(opening.keys, item: item, for: session)
            }
            // Replaces what was sealed under the former slot's secret, even if that remains.
            await keep(opening.offline, opening.contactKey, in: turn)
            try await requireAbsent(itemsOf: slot)
        }
    }

    private static func slotSecret(_ recoveryKey: consuming ConfirmedRecoveryKey?) -> SlotSecret? {
        switch consume recoveryKey {
        case .some(let confirmed): .recovery(confirmed.key.copy())
        case .none: nil
        }
    }

    /// Reseals the wallets and recreates the slots.
    ///
    /// - Parameter seal: seals the slot of the PIN or password for a device secret.
    /// - Returns: the former slot of the PIN or password.
    private func rekey(
        _ former: Session,
        _ recovery: borrowing SlotSecret?,
        keeping seen: WalletInventory?,
        in turn: borrowing Turn,
        sealing seal: nonisolated(nonsending) (ItemName, Session) async throws(VaultError) -> PreparedSlot
    ) async throws(VaultError) -> SlotRecord {
        guard let local = state.ledgerSlot, state.condition == .ready else {
            throw VaultError(state.condition.refusal ?? .keyMissing)
        }
        let isTypedBack = recovery != nil
        for kind in SlotKind.allCases where state.slot(kind) != nil {
            // Refuse any kind that is not recreated here, instead of dropping it silently. The PIN's slot is recreated
            // with the secret, the biometric one once the device confirms that the enrolled set is unchanged.
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
        // If rows have changed, it is unknown which wallet is missing.
        if seen?.isAuthentic == false { endErase(in: &head) }
        let session = newSession(.make(), named: head.key, of: head.vault)
        keys.propose(session)
        defer {
            keys.dropCandidate()
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
        try await addWaysIn(for: session, change, in: turn, seal)
        return local
    }

    /// Returns the session to start from: a full one; or, to keep what still opens, one that may only export because
    /// rows were changed.
    private func session(
        _ authorization: borrowing StrongAuthorization,
        keeping seen: WalletInventory?,
        in turn: borrowing Turn
    ) throws(VaultError) -> Session {
        // Not `.olderCopy`: that code means that a change was made.
        guard state.headStanding != .putBack else { throw VaultError(.exportOnly) }
        guard seen != nil else { return try openSession(authorization, in: turn) }
        let session = try openSession(authorization, .exportOnly, in: turn)
        try requireCompleteMigration()
        guard authorization.slot != .recovery || state.head.policy.recoveryOpensFully else {
            throw VaultError(.exportOnly)
        }
        return session
    }

    /// The wallets to keep.
    private enum Kept {
        /// All wallets that the head names.
        case all(WalletIndex)
        /// The wallets of a damaged vault that the owner saw open.
        case seen([Identifier: WalletSummary])
    }

    /// Returns the wallets to keep, read again: after the change, a missing one would go unnoticed.
    private func kept(of session: Session, as seen: WalletInventory?) async throws(VaultError) -> Kept {
        session.index = nil
        session.ahead = nil
        session.found = nil
        guard let seen else { return .all(try verifiedIndex(for: session)) }
        let inventory = try await takeInventory(for: session)
        guard inventory == seen else { throw VaultError(.vaultTampered) }
        return .seen(Self.namedApart(inventory.wallets))
    }

    /// Adds their ids to the names of wallets that share one: a row that was put back may have another wallet's name,
    /// and only the owner can tell which of them counts.
    private static func namedApart(_ wallets: [WalletSummary]) -> [Identifier: WalletSummary] {
        let named = Dictionary(grouping: wallets, by: \.name)
        return Dictionary(
            wallets.map { wallet in
                let name = named[wallet.name]?.count == 1 ? wallet.name : wallet.name.marked(by: wallet.id)
                let apart = WalletSummary(id: wallet.id, name: name, kind: wallet.kind, createdAt: wallet.createdAt)
                return (wallet.id, apart)
            }
        ) { first, _ in first }
    }

    /// Seals the wallets under the new key, and opens each again; their former rows are deleted in the same
    /// transaction.
    ///
    /// Only the digest of each stays in memory.
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

    /// Seals the wallets of a damaged vault, each from any row that still has it.
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
            // Let a lock in between; yielding takes as long as a wallet.
            if draft.entries.count.isMultiple(of: 32) { await Task.yield() }
        }
        // The search found by form those that SQLite can't reach.
        for id in Array(missing.keys) {
            guard let row = try former.found?.row(of: id),
                let record = try reseal(row, &missing, of: former, for: session)
            else { continue }
            try draft.append(record)
        }
        guard missing.isEmpty else { throw VaultError(.vaultTampered) }
        change.bring(draft, into: .empty)
    }

    /// Seals the wallet in a row again.
    ///
    /// - Parameter missing: the wallets not found yet; a row of any other wallet is dropped.
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
            // A wallet that lost its label gets its id as name, and a new date.
            let date = known.isLabelled ? known.createdAt : device.clock().wall
            let named = WalletSummary(id: known.id, name: known.name, kind: opened.summary.kind, createdAt: date)
            wallet = named
            return try session.row(of: named, opened.secret)
        }
        if let wallet { missing[wallet.id] = nil }
        return record
    }

    /// Creates the slots of PIN and biometrics around the new key, and commits.
    private func addWaysIn(
        for session: Session,
        _ change: Change,
        in turn: borrowing Turn,
        _ seal: nonisolated(nonsending) (ItemName, Session) async throws(VaultError) -> PreparedSlot
    ) async throws(VaultError) {
        // A sensor that was not queried counts as usable.
        guard state.biometrics == .enabled, state.sensor?.available != false, let biometric = state.biometricSlot?.item
        else { return try await addOwnSlot(for: session, change, in: turn, seal) }
        var isUnchanged = true
        do throws(VaultError) {
            try await withBiometricKey(in: turn) { (intermediate, item) throws(VaultError) in
                // Ask after the new item is stored: enrolling a finger after that ends the new item, and enrolling one
                // before has ended this one (A28).
                isUnchanged = try await !device.isMissing(biometric)
                guard isUnchanged else { throw VaultError(.biometricsChanged) }
                var change = change
                try change.add(prepareBiometricSlot(intermediate, item: item, for: session))
                try await addOwnSlot(for: session, change, in: turn, seal)
            }
        } catch {
            guard !isUnchanged else { throw error }
            try await addOwnSlot(for: session, change, in: turn, seal)
        }
    }

    private func addOwnSlot(
        for session: Session,
        _ change: Change,
        in turn: borrowing Turn,
        _ seal: nonisolated(nonsending) (ItemName, Session) async throws(VaultError) -> PreparedSlot
    ) async throws(VaultError) {
        try await withNextLedger(change.ledger, in: turn) { (item, ledger) throws(VaultError) in
            var change = change
            change.ledger = ledger
            try change.add(await seal(item, session))
            try await commit(change, for: session, in: turn) { () throws(VaultError) in
                try store.removeWallets()
            }
        }
    }
}

extension Session {
    /// Creates a wallet's row under this session's key: sealed, and opened again.
    fileprivate func row(of wallet: WalletSummary, _ secret: borrowing SecretBytes) throws(VaultError) -> WalletRecord {
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
