import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

extension Vault {
    /// Creates a recovery key and shows it once.
    ///
    /// It opens nothing yet: the vault stores only a commitment to it, until `confirmRecoveryKey` receives it back. A
    /// previously confirmed recovery key opens the vault until then.
    ///
    /// - Parameters:
    ///   - authorization: the strong factor, entered just now.
    ///   - show: receives the key as ASCII text, which is not stored anywhere.
    /// - Throws: `.authorizationExpired`, `.locked`, `.exportOnly`, why storage failed, or what `show` throws.
    public func createRecoveryKey<Result: Sendable>(
        _ authorization: consuming StrongAuthorization,
        show: @Sendable (RawSpan) throws -> Result
    ) async throws -> Result {
        try await lendingTurn { (turn) async throws -> Result in
            let session = try openSession(authorization, in: turn)
            let key = RandomSecret.make()
            var change = try change(by: session)
            change.head.awaitedRecoveryKey = RecoveryKey.commitment(to: key, of: session.vault)
            change.record(.recoveryChanged, reason: "created")
            try await commit(change, for: session, in: turn)
            return try RecoveryKey.text(of: key).withBytes(show)
        }
    }

    /// Confirms the recovery key that the owner typed back, and seals its slot; the key is then in force, and replaces
    /// an older one.
    ///
    /// Without a key awaiting confirmation, only checks that the typed key opens the current slot.
    ///
    /// - Parameters:
    ///   - typed: the key in upper or lower case, with or without its dashes.
    ///   - authorization: the strong factor, entered just now: an open session is not enough, since a finger may have
    ///     opened it.
    /// - Throws: `.recoveryKeyMalformed`, `.recoveryMissing`, `.strongFactorRefused` when it is another vault's or an
    ///   older key, `.authorizationExpired`, `.locked`, `.exportOnly`, or why storage failed.
    public func confirmRecoveryKey(
        _ typed: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        let key = try RecoveryKey.parse(typed)
        let secret = SlotSecret.recovery(key.copy())
        try await turn { (turn) async throws(VaultError) in
            let session = try openSession(authorization, in: turn)
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
            try await commit(change, for: session, in: turn)
        }
    }

    /// Removes the recovery slot, and forgets an unconfirmed key.
    ///
    /// - Throws: `.recoveryKeyRequired` in system mode, where the system can take away every other way in.
    public func removeRecoveryKey(_ authorization: consuming StrongAuthorization) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            let session = try openSession(authorization, in: turn)
            guard !recoverySlots.isEmpty || state.head.awaitedRecoveryKey != nil else {
                throw VaultError(.recoveryMissing)
            }
            guard state.mode == .local else { throw VaultError(.recoveryKeyRequired) }
            // K-10: the remaining way in must really open, so check the device secret of the PIN's slot again.
            guard let local = state.ledgerSlot else { throw VaultError(.keyMissing) }
            for item in local.items where try await device.isMissing(item) { throw VaultError(.keyMissing) }
            var change = try change(by: session)
            for slot in recoverySlots { change.remove(slot) }
            change.head.awaitedRecoveryKey = nil
            change.record(.recoveryChanged, reason: "removed")
            try await commit(change, for: session, in: turn)
        }
    }

    /// Unlocks with the recovery key.
    ///
    /// Needs neither device secret nor ledger, so it also works after the device was lost.
    ///
    /// - Parameter typed: the key in upper or lower case, with or without its dashes.
    /// - Returns: the authorization that calls which could cost coins require.
    /// - Throws: `.recoveryKeyMalformed`, `.recoveryMissing`, `.strongFactorRefused`, `.resetPending`, `.locked` when a
    ///   lock came first, or why storage failed.
    @discardableResult
    public func unlock(withRecoveryKey typed: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        let attempt = newAttempt()
        let key = SlotSecret.recovery(try RecoveryKey.parse(typed))
        return try await turn { (turn) async throws(VaultError) -> StrongAuthorization in
            guard state.condition != .resetPending else { throw VaultError(.resetPending) }
            guard let slot = try recoverySlot(openedBy: key) ?? state.slot(.recovery) else {
                throw VaultError(.recoveryMissing)
            }
            let session = try await unlock(by: .recovery, for: attempt, in: &turn) { _ throws(VaultError) in
                try self.open(slot, with: key)
            }
            return StrongAuthorization(slot: slot.kind, record: slot.id, session: session, at: device.clock())
        }
    }

    /// Opens a vault that lost its device secret, PIN or system key with its recovery key, and sets a new PIN or
    /// password.
    ///
    /// One transaction writes a new device secret, a new local slot and a new ledger. Biometrics are off afterwards.
    ///
    /// - Parameters:
    ///   - key: the recovery key, as shown or typed.
    ///   - secret: the new PIN or password, UTF-8.
    /// - Throws: `.recoveryKeyMalformed`, `.recoveryMissing`, `.strongFactorRefused`, `.exportOnly` when the policy, or
    ///   a tampered vault, allows recovery only for exports; an export session is then open.
    @discardableResult
    public func recover(
        with key: borrowing SecretBytes,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        try checkStrength(of: secret)
        let authorization = try await unlock(withRecoveryKey: key)
        return try await turn { (turn) async throws(VaultError) -> StrongAuthorization in
            // A PIN would bypass the account (P-107-01).
            guard state.head.account == nil else { throw VaultError(.exportOnly) }
            let session = try openSession(authorization, in: turn)
            try await replaceLocalSlot(secret, for: session, recording: .localSecretChanged, in: turn)
            return try self.authorization(by: .recovery, in: session.id)
        }
    }

    /// Returns the slot that a recovery key opens; trying all is safe, since the key has 256 bits.
    ///
    /// A damaged head may name another slot, or none.
    private func recoverySlot(openedBy key: borrowing SlotSecret) throws(VaultError) -> SlotRecord? {
        for slot in recoverySlots where try slot.open(with: key) != nil { return slot }
        return nil
    }

    private var recoverySlots: [SlotRecord] { state.slots.filter { $0.kind == .recovery } }
}
