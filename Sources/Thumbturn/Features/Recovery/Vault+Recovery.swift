import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

extension Vault {
    /// Makes a recovery key and shows it once.
    ///
    /// It counts only when `confirmRecoveryKey` was given it back; a recovery key that was confirmed before opens the
    /// vault until then.
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
            let text = RecoveryKey.text(of: key)
            let slot = try prepareRecoverySlot(.recovery(key), isConfirmed: false, for: session)
            var change = try change(by: session)
            for dead in recoverySlots(confirmed: false) { change.remove(dead) }
            try change.add(slot)
            change.record(.recoveryChanged, reason: "created")
            try await commit(change, for: session)
            return try text.withBytes(show)
        }
    }

    /// Takes the recovery key as its owner typed it back; from now on it counts, and an older one is removed.
    ///
    /// - Throws: `.recoveryKeyMalformed`, `.recoveryMissing`, `.strongFactorRefused` when it is another vault's or an
    ///   older one's.
    public func confirmRecoveryKey(_ typed: borrowing SecretBytes) async throws(VaultError) {
        let key = SlotSecret.recovery(try RecoveryKey.parse(typed))
        try await turn { () async throws(VaultError) in
            let session = try openSession()
            guard let slot = recoverySlots(confirmed: false).first ?? recoverySlots(confirmed: true).first else {
                throw VaultError(.recoveryMissing)
            }
            guard try slot.open(with: key) != nil else {
                throw VaultError(.strongFactorRefused)
            }
            guard recoverySlots(confirmed: false).contains(slot) else { return }
            var change = try change(by: session)
            for old in recoverySlots(confirmed: true) { change.remove(old) }
            for index in change.head.slots.indices where change.head.slots[index].id == slot.id {
                change.head.slots[index].isConfirmed = true
            }
            change.record(.recoveryChanged, reason: "confirmed")
            try await commit(change, for: session)
        }
    }

    /// Removes every recovery slot.
    ///
    /// - Throws: `.recoveryKeyRequired` in system mode, where nothing else is left that the system can't take away.
    public func removeRecoveryKey(_ authorization: consuming StrongAuthorization) async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            let session = try openSession(authorization)
            let slots = state.slots.filter { $0.kind == .recovery }
            guard !slots.isEmpty else { throw VaultError(.recoveryMissing) }
            guard state.mode == .local else { throw VaultError(.recoveryKeyRequired) }
            // K-10: what is left must really open, so the device secrets of the PIN's slot are looked for once more.
            guard let local = state.ledgerSlot else { throw VaultError(.keyMissing) }
            for item in local.items where try await device.isAbsent(item) { throw VaultError(.keyMissing) }
            var change = try change(by: session)
            for slot in slots { change.remove(slot) }
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
    /// A damaged head may name another one, or none. One that is authentic with its slots is believed: a key that was not typed
    /// back yet is no way in.
    private func recoverySlot(openedBy key: borrowing SlotSecret) throws(VaultError) -> SlotRecord? {
        for slot in state.slots where slot.kind == .recovery {
            guard let masterKey = try slot.open(with: key) else { continue }
            let opened = newSession(masterKey)
            if slot == state.slot(.recovery) || !isAuthentic(for: opened) { return slot }
        }
        return nil
    }

    private func recoverySlots(confirmed: Bool) -> [SlotRecord] {
        state.slots.filter { slot in
            slot.kind == .recovery
                && state.head.slots.contains { $0.id == slot.id && $0.isConfirmed == confirmed }
        }
    }
}
