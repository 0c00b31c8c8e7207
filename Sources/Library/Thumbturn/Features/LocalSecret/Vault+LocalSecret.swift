import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// Changes the PIN or password.
    ///
    /// The new slot is written and opened before the old one goes; biometrics stay (C5, A22). The former slot's device secret
    /// goes with it: a copy of the vault from before opens with the recovery key alone, and says `keyMissing` to every PIN
    /// (A7). On a TPM or in files that holds as long as nobody kept a copy of the device's folder. The ledger's secret goes
    /// too, so whoever read it can write no row of the ledger any more (A8).
    ///
    /// - Parameters:
    ///   - secret: the new PIN or password, UTF-8.
    ///   - authorization: the strong factor, given just now. A finger is no strong factor (C15).
    /// - Throws: `.formerSecretRemains` where the new PIN counts and the device did not confirm that the former one's secret
    ///   is gone; each look tries again. `.systemModeOnly` in system mode, which ends with `disableSystemAuthentication`
    ///   alone; or why nothing was changed.
    public func changeLocalSecret(
        to secret: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await turn { () async throws(VaultError) in
            try requirePIN()
            let session = try openSession(authorization)
            try checkStrength(of: secret)
            guard let old = state.slot(.localSecret), state.condition == .ready else {
                throw VaultError(state.condition.refusal ?? .keyMissing)
            }
            var ledger = state.ledger
            ledger.clearAttempts()
            try await withNextLedger(ledger) { (item, ledger) throws(VaultError) in
                try await replace([old], by: secret, ledger, on: item, for: session, recording: .localSecretChanged)
            }
            try await requireAbsent(itemsOf: old)
        }
    }

    /// Seals the slot anew where today's cost is higher than the one it was made with (A4).
    ///
    /// It may fail: the old one opens.
    fileprivate func strengthen(_ slot: SlotRecord, _ secret: borrowing SecretBytes) async throws(VaultError) {
        guard let session, session.scope == .full, let item = slot.item, let cost = slot.argon2 else { return }
        let today = configuration.argon2.default
        guard cost.memoryKiB < today.memoryKiB || cost.passes < today.passes else { return }
        var change = try change(by: session)
        let stronger = await tolerating { () async throws(VaultError) in
            try await prepareLocalSlot(secret, item: item, ledgerItem: slot.ledgerItem, for: session)
        }
        if let stronger {
            try change.add(stronger)
            change.remove(slot)
            do throws(VaultError) {
                try await commit(change, for: session)
            } catch {
                // Another copy came first, and stands on what is here: nothing of it goes.
                guard error.code != .olderCopy else { throw error }
            }
        }
        // A lock that came meanwhile has won (A36).
        guard self.session === session else { throw VaultError(.locked) }
    }

    /// Removes what hardware that counts kept of slots that are gone: a cost upgrade, also one that a crash cut off, leaves a
    /// part.
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
    static let strongerCost = Guest(afterSecret: { (vault, secret, slot) async throws(VaultError) in
        try await vault.strengthen(slot, secret)
    })

    static let formerParts = Guest(afterStrong: { (vault, slot) async in
        if let item = slot.item { await vault.removeFormerParts(of: item) }
    })
}
