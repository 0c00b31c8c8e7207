import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Looking at the vault without a key. Everything here runs under the task lock and the process lock.
extension Vault {
    /// Reads head, slots and ledger, asks the device, and writes what only takes rights away: a ledger that can't be
    /// believed, a slot whose key is gone; and what was waited of a running delay.
    ///
    /// Of the sensor it knows what the last look at that has shown.
    ///
    /// A snapshot that is taken meanwhile shows what was known before, since half a look reads as a ledger that nobody
    /// can believe: a delay of a day.
    ///
    /// - Parameters:
    ///   - opened: the item that a prompt has just released: it is there, and so is what prompts.
    ///   - word: what the account's server has just answered.
    func lookAround(after opened: ItemName? = nil, hearing word: (ServerWord, VaultAccount)? = nil)
        async throws(VaultError)
    {
        let word = word ?? unwrittenWord
        lookSoFar = known
        defer { lookSoFar = nil }
        try await look(after: opened, hearing: word)
        unwrittenWord = state.condition == .diskFull ? word : nil
        if let whole = lookSoFar { known = whole }
        machine.adopt(policyInForce, mode: state.mode)
    }

    private func look(after opened: ItemName?, hearing word: (ServerWord, VaultAccount)?) async throws(VaultError) {
        let remembers = bookkeeper.hasKey || state.seenSecret != nil
        let former = opened.map { _ in state.ledger }
        let contents = try store.contents()
        bookkeeper.take(contents.ledger)
        state = try state.reading(contents, on: device.kind).beside(state.sensor)
        verifyOpenSession()
        // The rules of the very head that an opened slot is going to be held against.
        machine.adopt(policyInForce, mode: state.mode)
        if state.condition == .resetPending { return await purgeLeftovers() }
        if state.mode == .system {
            await purgeLeftovers()
            return try await lookAtSystemSlot()
        }
        guard let item = try await ledgerSecret() else {
            // No local slot can be read: only the recovery key is left, or a former app's copy.
            return await lookWithoutLedger()
        }
        try refuseForeignDevice(state.ledgerSlot?.kind ?? .localSecret)
        guard try await bookkeeper.loadKey(item, of: state.head.vault) else { return await lookWithoutSecrets() }
        guard try await hasOwnSecret() else { return try await lookWithoutOwnSecret(item) }
        do throws(VaultError) {
            guard try await lookAtLedger(item, unlessStill: former, mayRenew: !remembers) else {
                // What was there once may be gone: another copy may have given the vault a new PIN, or erased it.
                forgetSecrets()
                return try await look(after: nil, hearing: word)
            }
            guard state.condition == .ready else { return }
            try await writeWhatWasSeen(after: opened, hearing: word)
        } catch {
            // What takes a right away can't be written, so nothing opens by that right; the recovery key needs no note.
            guard error.code == .diskFull, opened == nil else { throw error }
            configuration.tolerated(error)
            state = state.found(.diskFull)
        }
    }

    /// Holds the ledger against its anchor, and deletes what is done with.
    ///
    /// - Returns: as `loadLedger`.
    private func lookAtLedger(
        _ item: ItemName,
        unlessStill former: Ledger?,
        mayRenew: Bool
    ) async throws(VaultError) -> Bool {
        do throws(VaultError) {
            guard try await loadLedger(item, unlessStill: former, mayRenew: mayRenew) else { return false }
            await purgeLeftovers()
        } catch {
            // Nothing can be counted, so no guess is answered.
            guard error.code == .vaultDamaged else { throw error }
            await lookWithoutLedger(.ledgerDamaged)
        }
        return true
    }

    /// Writes what only takes rights away.
    private func writeWhatWasSeen(
        after opened: ItemName?,
        hearing word: (ServerWord, VaultAccount)?
    ) async throws(VaultError) {
        if let session, session.scope == .full, state.headStanding == .putBack {
            apply(machine.handle(.tamperingFound))
        }
        if uncountedFailures > 0 {
            let failures = uncountedFailures
            try await demand { $0.biometricFailures &+= failures }
            uncountedFailures = 0
        }
        if let (word, account) = word { try await take(word, of: account) }
        if state.head.policy.isUnheard(state.context(at: now)) {
            tolerating { () throws(VaultError) in try forgetOfflineLogin() }
        }
        try await lookForRevocation(after: opened)
    }

    /// Whether the device has what the PIN's slot alone needs.
    private func hasOwnSecret() async throws(VaultError) -> Bool {
        guard let own = state.ledgerSlot?.item, own != state.seenSecret, own != ledgerItem else {
            return true
        }
        guard try await !device.isMissing(own) else { return false }
        // A crash, or a device that did not answer, came between the commit and this.
        if state.contents.leftovers.contains(where: { $0.item == own }) { await settleOwnSecret() }
        if !state.contents.leftovers.contains(where: { $0.item == own }) { state = state.seeing(own) }
        return true
    }

    /// What the ledger stands on: what the local slot names for it, or while that slot is still to come, what only a note names.
    ///
    /// Anybody can write a note, so of several the one counts that the stored ledger is authentic under.
    private func ledgerSecret() async throws(VaultError) -> ItemName? {
        if let slot = state.ledgerSlot { return slot.ledgerItem }
        guard state.migration == .half else { return nil }
        var first: ItemName?
        for item in state.countingSecrets where item.belongs(to: state.head.vault, for: .deviceSecret) {
            guard try await bookkeeper.loadKey(item, of: state.head.vault) else { continue }
            if bookkeeper.authentic(of: state.head.vault) != nil { return item }
            first = first ?? item
        }
        return first
    }

    /// Looks at a vault whose ledger can't be read here.
    private func lookWithoutLedger(_ condition: VaultSnapshot.Condition = .keyMissing) async {
        state = state.found(condition)
        await purgeLeftovers()
    }

    /// Looks at a vault whose ledger's secret the device has no more, which only the recovery key opens.
    ///
    /// Where the PIN's is gone too, and the device is the one that the head names, this is likely to be a copy from before a
    /// new PIN or key (A7). Nothing tells its age any more, so it was put back until its owner says otherwise.
    private func lookWithoutSecrets() async {
        state = state.found(.keyMissing)
        if !configuration.leavesDevice, acceptedHead != state.contents.head?.digest, let own = state.ledgerSlot?.item,
            await tolerating({ () async throws(VaultError) in try await device.isAbsent(own) }) == true,
            await isInstalledHere()
        {
            state = state.suspected(true)
        }
        await purgeLeftovers()
    }

    private func isInstalledHere() async -> Bool {
        await tolerating { () async throws(VaultError) in
            try await device.currentInstallation() == state.head.installation
        } ?? false
    }

    /// Looks at a vault whose PIN's own secret is gone, which only the recovery key opens (A7).
    ///
    /// Its ledger is read and not made anew: the vault that it is a copy of may still be in use, and has the same anchor.
    private func lookWithoutOwnSecret(_ item: ItemName) async throws(VaultError) {
        state = state.found(.keyMissing).knowingLedger()
        bookkeeper.begin(for: state.head.vault)
        let row = bookkeeper.authentic(of: state.head.vault)
        if let row, try await LedgerMachine.standing(of: row, at: device.anchorPosition(of: item)) != .putBack {
            state = state.holding(row)
        }
        await purgeLeftovers()
    }

    /// Holds the stored row against its anchor.
    ///
    /// - Parameters:
    ///   - former: the ledger that was held against the anchor before a prompt. Where it still stands no other process has
    ///     written, and the unlock is what it would have been then: what moved the anchor alone meanwhile is found at the next
    ///     look.
    ///   - mayRenew: whether the device was just asked for all that the ledger stands on, so that a row that was put back may
    ///     be made anew.
    /// - Returns: false where it was put back, and may not be.
    private func loadLedger(
        _ item: ItemName,
        unlessStill former: Ledger?,
        mayRenew: Bool
    ) async throws(VaultError) -> Bool {
        let row = bookkeeper.authentic(of: state.head.vault)
        if let row, row == former, row == bookkeeper.row {
            try bankWait()
            return true
        }
        let anchor = try await device.anchorPosition(of: item)
        guard mayRenew || LedgerMachine.standing(of: row, at: anchor) != .putBack else { return false }
        try await hold(row, isKnown: row.map(state.isKnown) ?? false, at: anchor)
        return true
    }

    /// Forgets what the device was asked for, so that it is asked again.
    private func forgetSecrets() {
        bookkeeper.forgetKey()
        state = state.seeing(nil)
    }

    /// Looks whether the device still has the system slot's key.
    private func lookAtSystemSlot() async throws(VaultError) {
        retireLedger()
        guard let item = state.slot(.system)?.item else {
            state = state.found(.keyMissing)
            return
        }
        try refuseForeignDevice(.system)
        if try await device.isMissing(item) { state = state.found(.keyMissing) }
    }

    /// Refuses another kind of device.
    ///
    /// The head is not verified yet, so the slot that its key opens is asked as well.
    private func refuseForeignDevice(_ kind: SlotKind) throws(VaultError) {
        guard state.head.device == device.kind || state.slot(kind)?.device == device.kind else {
            throw VaultError(.deviceMismatch)
        }
    }

    /// Writes down what the account's server said, where the head that names the account is the vault's own (F-107-09).
    ///
    /// What the word ends goes in the transaction that remembers it: the next word is no news, and would end nothing any more.
    ///
    /// - Parameter account: the account whose service was asked: while that was waited for, the head may have named another
    ///   device of it. That its service has moved meanwhile makes no other of it.
    func take(_ word: ServerWord, of account: VaultAccount) async throws(VaultError) {
        guard state.head.account?.isSameDevice(as: account) == true, state.headStanding == .named else { return }
        var ledger = state.ledger
        guard let reason = ledger.hear(word, at: now) else {
            if ledger.policyEpoch == state.ledger.policyEpoch { return try easeWithRoom { $0 = ledger } }
            return try await demand(ledger) {}
        }
        // What stands there for that may be damaged, and keeps no finger alive.
        let opensOffline = tolerating { () throws(VaultError) in try store.offlineLogin() != nil } ?? false
        guard opensOffline || state.biometricSlot != nil || ledger != state.ledger else { return }
        try await revoke(state.biometricSlot, reason, in: ledger) { () throws(VaultError) in
            if opensOffline { try store.removeOfflineLogin() }
        }
        if opensOffline { tolerating { () throws(VaultError) in try store.eraseDeleted() } }
    }

    /// Revokes biometrics whose key the device lost, that come from another installation, or whose server fell silent
    /// (F-107-07, F-107-09).
    private func lookForRevocation(after opened: ItemName?) async throws(VaultError) {
        guard let slot = state.biometricSlot, let item = slot.item else { return }
        // What its owner turned off is deleted by then, unless the device failed (F-107-03).
        if state.biometrics == .revoked(.disabledByOwner) { _ = await deleteRevoked(item) }
        guard state.biometrics == .enabled else { return }
        if try await device.currentInstallation() != state.head.installation {
            try await revoke(slot, .reinstalled)
        } else if item != opened, await isKnownMissing(item) {
            try await revoke(slot, .biometricsChanged)
        } else if let reason = promptDecision.revocation {
            try await revoke(slot, reason)
        }
    }

    /// Deletes the item of a slot that has no right any more.
    ///
    /// A slot's row may be forged: whatever it names, no other part of this vault and nothing of another one goes (A25).
    ///
    /// - Returns: whether it is gone.
    func deleteRevoked(_ item: ItemName) async -> Bool {
        guard item.belongs(to: state.head.vault, for: .biometric) else { return false }
        do throws(DeviceRefusal) {
            try await device.store.delete(item)
            return true
        } catch {
            configuration.tolerated(VaultError(error, at: .errand("revoked item")))
            return false
        }
    }

    /// Whether an item is gone for certain, or damaged; an uncertain answer takes no right away, and keeps no PIN out (A25).
    private func isKnownMissing(_ item: ItemName) async -> Bool {
        await tolerating { () async throws(VaultError) in try await device.isMissing(item) } ?? false
    }

    /// Takes the biometric slot's right away, durably.
    ///
    /// The head follows at the next strong unlock.
    ///
    /// - Parameter text: what the record says of the reason; nil is its name.
    func revoke(_ slot: SlotRecord, _ reason: RevocationReason, saying text: String? = nil) async throws(VaultError) {
        try await revoke(slot, reason, saying: text, in: state.ledger) {}
    }

    /// The same with whatever else `ledger` says and `rows` writes, in one transaction.
    private func revoke(
        _ slot: SlotRecord?,
        _ reason: RevocationReason,
        saying text: String? = nil,
        in ledger: Ledger,
        rows: () throws(VaultError) -> Void
    ) async throws(VaultError) {
        var ledger = ledger
        let orders = BiometricLifecycle(state: state.biometrics).handle(.revoked(reason))
        for order in orders {
            switch order {
            case .restrictSlot(let reason):
                if let slot { ledger.revocation = Ledger.Revocation(slot: slot.id, reason: reason) }
            case .refuse(let code): throw VaultError(code)
            case .record: break  // Once it is written.
            case .makeSlot, .removeSlot: break  // Not orders of a revocation.
            }
        }
        try await demand(ledger, rows: rows)
        for case .record(let kind) in orders { record(kind, reason: text ?? reason.name) }
    }
}

extension RevocationReason {
    /// The name as it appears in records and JSON.
    package var name: String {
        switch self {
        case .biometricsChanged: "biometricsChanged"
        case .reinstalled: "reinstalled"
        case .passwordChanged: "passwordChanged"
        case .serverWordMissing: "serverWordMissing"
        case .disabledByOwner: "disabledByOwner"
        }
    }
}
