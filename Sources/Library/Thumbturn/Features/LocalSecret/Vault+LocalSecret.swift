import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// Changes the PIN or password.
    ///
    /// The new slot is written and opened before the old one is removed; biometrics stay (C5, A22). The former slot's
    /// device secret is deleted too: an older copy of the vault then opens only with the recovery key, and reports
    /// `keyMissing` for any PIN (A7). On a TPM or in files, this requires that no copy of the device's folder exists.
    /// It is the ledger's too, so an attacker who read it can't write ledger rows any more (A8).
    ///
    /// - Parameters:
    ///   - secret: the new PIN or password, UTF-8.
    ///   - authorization: the strong factor, entered just now. A finger is no strong factor (C15).
    /// - Throws: `.formerSecretRemains` when the new PIN is in force but the device did not confirm that the former
    ///   one's secret is gone; each look tries again. `.systemModeOnly` in system mode, which only
    ///   `disableSystemAuthentication` ends; or why nothing was changed.
    public func changeLocalSecret(
        to secret: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            try requirePIN()
            let session = try openSession(authorization, in: turn)
            try checkStrength(of: secret)
            guard let old = state.slot(.localSecret), state.condition == .ready else {
                throw VaultError(state.condition.refusal ?? .keyMissing)
            }
            var ledger = state.ledger
            ledger.clearAttempts()
            try await withNextLedger(ledger, in: turn) { (item, ledger) throws(VaultError) in
                try await replace(
                    [old],
                    by: secret,
                    ledger,
                    on: item,
                    for: session,
                    recording: .localSecretChanged,
                    in: turn
                )
            }
            try await requireAbsent(itemsOf: old)
        }
    }

    /// Reseals the slot if the configured cost is higher than the slot's (A4).
    ///
    /// Failure is tolerated: the old slot opens.
    fileprivate func strengthen(_ slot: SlotRecord, _ secret: borrowing SecretBytes, in turn: borrowing Turn)
        async throws(VaultError)
    {
        guard let session, session.scope == .full, let item = slot.item, let cost = slot.argon2 else { return }
        let today = configuration.argon2.default
        guard cost.memoryKiB < today.memoryKiB || cost.passes < today.passes else { return }
        var change = try change(by: session)
        let stronger = await tolerating { () async throws(VaultError) in
            try await prepareLocalSlot(secret, item: item, for: session)
        }
        if let stronger {
            try change.add(stronger)
            change.remove(slot)
            do throws(VaultError) {
                try await commit(change, for: session, in: turn)
            } catch {
                // Another copy was changed first, and depends on what is here: delete nothing.
                guard error.code != .olderCopy else { throw error }
            }
        }
        // A lock in the meantime takes precedence (A36).
        guard self.session === session else { throw VaultError(.locked) }
    }

    /// Removes the parts that attempt-counting hardware keeps for removed slots; a cost upgrade, complete or
    /// interrupted by a crash, leaves one.
    fileprivate func removeFormerParts(of item: ItemName) async {
        guard let session, session.scope == .full else { return }
        let standing = state.slots.filter { $0.item == item }.map(\.id)
        guard !standing.isEmpty else { return }
        do { try await device.store.keepParts(of: item, for: standing) } catch {
            configuration.tolerated(VaultError(error, at: .errand("former parts")))
        }
    }
}

extension Guest {
    static let strongerCost = Guest(afterSecret: { (vault, secret, slot, turn) async throws(VaultError) in
        try await vault.strengthen(slot, secret, in: turn)
    })

    static let formerParts = Guest(afterStrong: { (vault, slot, _) async in
        if let item = slot.item { await vault.removeFormerParts(of: item) }
    })
}
