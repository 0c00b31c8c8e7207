import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

extension Vault {
    /// Makes a recovery key and shows it once.
    ///
    /// It opens nothing: the vault keeps a commitment to it alone, until `confirmRecoveryKey` was given it back. A recovery key
    /// that was typed back before opens the vault until then.
    ///
    /// - Parameters:
    ///   - authorization: the strong factor, given just now.
    ///   - show: lent the key as text, ASCII; nothing keeps it.
    /// - Throws: `.authorizationExpired`, `.locked`, `.exportOnly`, why storage failed, or what `show` throws.
    public func createRecoveryKey<Result: Sendable>(
        _ authorization: consuming StrongAuthorization,
        show: @Sendable (RawSpan) throws -> Result
    ) async throws -> Result {
        try await lendingTurn { () async throws -> Result in
            let session = try openSession(authorization)
            let key = RandomSecret.make()
            var change = try change(by: session)
            change.head.awaitedRecoveryKey = RecoveryKey.commitment(to: key, of: session.vault)
            change.record(.recoveryChanged, reason: "created")
            try await commit(change, for: session)
            return try RecoveryKey.text(of: key).withBytes(show)
        }
    }

    /// Takes the recovery key as its owner typed it back, and seals its slot; from now on it counts, and an older one is removed.
    ///
    /// A key that counts already is only tried.
    ///
    /// - Parameters:
    ///   - typed: the key in any case, with or without its dashes.
    ///   - authorization: the strong factor, given just now: a session alone, which a finger may have opened, replaces no key.
    /// - Throws: `.recoveryKeyMalformed`, `.recoveryMissing`, `.strongFactorRefused` when it is another vault's or an
    ///   older one's, `.authorizationExpired`, `.locked`, `.exportOnly`, or why storage failed.
    public func confirmRecoveryKey(
        _ typed: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        let key = try RecoveryKey.parse(typed)
        let secret = SlotSecret.recovery(key.copy())
        try await turn { () async throws(VaultError) in
            let session = try openSession(authorization)
            var change = try change(by: session)
            guard let awaited = change.head.awaitedRecoveryKey else {
                guard let slot = state.slot(.recovery) else { throw VaultError(.recoveryMissing) }
                guard try slot.open(with: secret) != nil else { throw VaultError(.strongFactorRefused) }
                return
            }
            guard RecoveryKey.commitment(to: key, of: session.vault) == awaited else {
                throw VaultError(.strongFactorRefused)
            }
            change.head.awaitedRecoveryKey = nil
            for old in recoverySlots { change.remove(old) }
            try change.add(prepareRecoverySlot(secret, for: session))
            change.record(.recoveryChanged, reason: "confirmed")
            try await commit(change, for: session)
        }
    }

    /// Removes the recovery slot, and forgets a key that was not typed back.
    ///
    /// - Throws: `.recoveryKeyRequired` in system mode, where nothing else is left that the system can't take away.
    public func removeRecoveryKey(_ authorization: consuming StrongAuthorization) async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            let session = try openSession(authorization)
            guard !recoverySlots.isEmpty || state.head.awaitedRecoveryKey != nil else {
                throw VaultError(.recoveryMissing)
            }
            guard state.mode == .local else { throw VaultError(.recoveryKeyRequired) }
            // K-10: what is left must really open, so the device secrets of the PIN's slot are looked for once more.
            guard let local = state.ledgerSlot else { throw VaultError(.keyMissing) }
            for item in local.items where try await device.isMissing(item) { throw VaultError(.keyMissing) }
            var change = try change(by: session)
            for slot in recoverySlots { change.remove(slot) }
            change.head.awaitedRecoveryKey = nil
            change.record(.recoveryChanged, reason: "removed")
            try await commit(change, for: session)
        }
    }

    /// Unlocks with the recovery key.
    ///
    /// It needs neither device secret nor ledger, so it opens what a lost device locked.
    ///
    /// - Parameter typed: the key in any case, with or without its dashes.
    /// - Returns: what calls that could cost coins ask for.
    /// - Throws: `.recoveryKeyMalformed`, `.recoveryMissing`, `.strongFactorRefused`, `.resetPending`, `.locked` when a lock
    ///   overtook it, or why storage failed.
    @discardableResult
    public func unlock(withRecoveryKey typed: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        let attempt = newAttempt()
        let key = SlotSecret.recovery(try RecoveryKey.parse(typed))
        return try await turn { () async throws(VaultError) -> StrongAuthorization in
            guard state.condition != .resetPending else { throw VaultError(.resetPending) }
            guard let slot = try recoverySlot(openedBy: key) ?? state.slot(.recovery) else {
                throw VaultError(.recoveryMissing)
            }
            let session = try await unlock(by: .recovery, in: attempt) { () throws(VaultError) in
                try self.open(slot, with: key)
            }
            return StrongAuthorization(slot: slot.kind, record: slot.id, session: session, at: device.clock())
        }
    }

    /// Opens a vault whose device secret, PIN or system key is lost with its recovery key, and makes a new PIN or password: a new
    /// device secret, a new local slot and a new ledger in one transaction.
    ///
    /// Biometrics are off afterwards.
    ///
    /// - Parameters:
    ///   - key: the recovery key, as it was shown or typed.
    ///   - secret: the new PIN or password, UTF-8.
    /// - Throws: `.recoveryKeyMalformed`, `.recoveryMissing`, `.strongFactorRefused`, `.exportOnly` where the policy, or a
    ///   vault that was tampered with, lets recovery only export; then the session for that is open.
    @discardableResult
    public func recover(
        with key: borrowing SecretBytes,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        try checkStrength(of: secret)
        let authorization = try await unlock(withRecoveryKey: key)
        return try await turn { () async throws(VaultError) -> StrongAuthorization in
            // A PIN would be a way round the account (P-107-01).
            guard state.head.account == nil else { throw VaultError(.exportOnly) }
            let session = try openSession(authorization)
            try await replaceLocalSlot(secret, for: session, recording: .localSecretChanged)
            return try self.authorization(by: .recovery, in: session.id)
        }
    }

    /// The slot that a recovery key opens: it has 256 bits, so nobody guesses it by trying them all.
    ///
    /// A damaged head may name another one, or none.
    private func recoverySlot(openedBy key: borrowing SlotSecret) throws(VaultError) -> SlotRecord? {
        for slot in recoverySlots where try slot.open(with: key) != nil { return slot }
        return nil
    }

    private var recoverySlots: [SlotRecord] { state.slots.filter { $0.kind == .recovery } }
}
