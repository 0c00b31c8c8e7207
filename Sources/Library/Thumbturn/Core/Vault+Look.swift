import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Looking at the vault without a key, which is how each turn begins.
extension Vault {
    /// Runs one turn on an existing vault: until `body` ends no other call or process reads or changes it.
    ///
    /// - Parameter asksSensor: whether the call needs a finger or face, so that the sensor is queried first.
    func turn<Result: ~Copyable>(
        asksSensor: Bool = false,
        _ body: (inout Turn) async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        try await turnOnFolder(asksSensor: asksSensor) { (turn) async throws(VaultError) -> Result in
            try await lookAround(in: turn)
            return try await body(&turn)
        }
    }

    /// Runs one turn whose body lends something to the app, and may throw any error.
    func lendingTurn<Result: ~Copyable>(_ body: (borrowing Turn) async throws -> Result) async throws -> Result {
        let turn = try await beginTurn(asksSensor: false)
        do {
            try await lookAround(in: turn)
            let result = try await body(turn)
            await end(turn)
            return result
        } catch {
            await end(turn, after: error)
            throw error
        }
    }

    /// Reads head, slots and ledger, queries the device, and writes only restrictions: a ledger that can't be believed,
    /// a slot whose key is gone; and the time waited of a running delay.
    ///
    /// Uses the sensor state that the last `lookAtSensor` found.
    ///
    /// Snapshots taken in the meantime show the previous state: half a look would read as an unreliable ledger, which
    /// is a delay of a day.
    ///
    /// - Parameter opened: the item that a prompt just released: it exists, and so does what prompts.
    func lookAround(after opened: ItemName? = nil, in turn: borrowing Turn) async throws(VaultError) {
        lookSoFar = known
        defer { lookSoFar = nil }
        try await look(after: opened, in: turn)
        if state.condition != .diskFull { unwrittenAnswer = nil }
        if let whole = lookSoFar { known = whole }
        machine.adopt(policyInForce, mode: state.mode)
    }

    /// Looks around, and writes an answer of the account's service.
    func lookAround(hearing answer: AccountAnswer?, in turn: borrowing Turn) async throws(VaultError) {
        guard let answer else { return try await lookAround(in: turn) }
        let former = unwrittenAnswer
        unwrittenAnswer = answer
        do throws(VaultError) { try await lookAround(in: turn) } catch {
            // Written later, the answer would be dated too late.
            unwrittenAnswer = former
            throw error
        }
    }

    private func look(after opened: ItemName?, in turn: borrowing Turn) async throws(VaultError) {
        let remembers = bookkeeper.hasKey
        let former = opened.map { _ in state.ledger }
        let contents = try store.contents()
        bookkeeper.accept(contents.ledger)
        state = try state.reading(contents, on: device.kind).sensing(state.sensor)
        verifyOpenSession()
        // Apply the rules of the head that an opened slot will be checked against.
        machine.adopt(policyInForce, mode: state.mode)
        if state.condition == .resetPending { return await purgeLeftovers(in: turn) }
        if state.mode == .system {
            await purgeLeftovers(in: turn)
            try await lookAtSystemSlot()
            await acceptTrail(contents.trail)
            return await judgeTrail(in: turn)
        }
        guard let item = try await ledgerSecret() else {
            // No local slot can be read: only the recovery key or a former app's copy is left.
            await acceptTrail(contents.trail)
            return await lookWithoutLedger(in: turn)
        }
        try refuseForeignDevice(state.ledgerSlot?.kind ?? .localSecret)
        guard try await bookkeeper.loadKey(item, of: state.head.vault) else {
            await acceptTrail(contents.trail)
            return await lookWithoutSecrets(in: turn)
        }
        do throws(VaultError) {
            guard
                try await lookAtLedger(
                    item,
                    unlessStill: former,
                    mayRenew: !remembers,
                    accepting: contents.trail,
                    in: turn
                )
            else {
                // A secret seen before may be gone: another copy may have given the vault a new PIN, or erased it.
                bookkeeper.forgetKey()
                return try await look(after: nil, in: turn)
            }
            guard state.condition == .ready else { return }
            await judgeTrail(in: turn)
            try await writeWhatWasSeen(after: opened, in: turn)
        } catch {
            // A right that can't be revoked on disk is not granted; the recovery key needs no ledger entry.
            guard error.code == .diskFull, opened == nil else { throw error }
            configuration.tolerated(error)
            state = state.with(.diskFull)
        }
    }

    /// Compares the ledger with its anchor, and deletes leftovers.
    ///
    /// - Returns: as `loadLedger`.
    private func lookAtLedger(
        _ item: ItemName,
        unlessStill former: Ledger?,
        mayRenew: Bool,
        accepting trail: VaultStore.TaggedRow?,
        in turn: borrowing Turn
    ) async throws(VaultError) -> Bool {
        do throws(VaultError) {
            guard
                try await loadLedger(item, unlessStill: former, mayRenew: mayRenew, accepting: trail, in: turn)
            else { return false }
            await purgeLeftovers(in: turn)
        } catch {
            // Attempts can't be counted, so no guess is answered.
            guard error.code == .vaultDamaged else { throw error }
            await lookWithoutLedger(.ledgerDamaged, in: turn)
        }
        return true
    }

    /// Writes what the look found, which only restricts.
    private func writeWhatWasSeen(after opened: ItemName?, in turn: borrowing Turn) async throws(VaultError) {
        if let session, session.scope == .full, state.headStanding == .putBack {
            restrict()
        }
        if uncountedFailures > 0 {
            let failures = uncountedFailures
            // They are told as one: the records of each could not be written.
            try await demand(in: turn, telling: [event(.biometricFailure)]) { $0.biometricFailures &+= failures }
            uncountedFailures = 0
        }
        if let answer = unwrittenAnswer { try await write(answer.answer, of: answer.account, in: turn) }
        if state.head.policy.isUnheard(state.context(at: now)) {
            tolerating { () throws(VaultError) in try forgetOfflineLogin(in: turn) }
        }
        try await lookForRevocation(after: opened, in: turn)
    }

    /// Returns the ledger's device secret: the one that the local slot names, or the one that a note names before that
    /// slot exists.
    ///
    /// Any process can write a note, so of several, returns the one that authenticates the stored ledger.
    private func ledgerSecret() async throws(VaultError) -> ItemName? {
        if let slot = state.ledgerSlot { return slot.item }
        guard state.migration == .half else { return nil }
        var first: ItemName?
        for item in state.countingSecrets where item.belongs(to: state.head.vault, for: .deviceSecret) {
            guard try await bookkeeper.loadKey(item, of: state.head.vault) else { continue }
            if bookkeeper.authentic(of: state.head.vault) != nil { return item }
            first = first ?? item
        }
        return first
    }

    /// Records that the ledger can't be read here.
    private func lookWithoutLedger(_ condition: VaultSnapshot.Condition = .keyMissing, in turn: borrowing Turn) async {
        state = state.with(condition)
        await purgeLeftovers(in: turn)
    }

    /// Records that the device has lost the secret of PIN and ledger: only the recovery key opens the vault.
    ///
    /// If it is gone, not damaged, on the device that the head names, this is probably a copy from before a new PIN or
    /// key (A7). Nothing else tells its age, so it counts as an older copy until the owner says otherwise.
    private func lookWithoutSecrets(in turn: borrowing Turn) async {
        state = state.with(.keyMissing)
        if !configuration.leavesDevice, acceptedHead != state.contents.head?.digest, let own = state.ledgerSlot?.item,
            await tolerating({ () async throws(VaultError) in try await device.isAbsent(own) }) == true,
            await isInstalledHere()
        {
            state = state.suspected(true)
        }
        await purgeLeftovers(in: turn)
    }

    private func isInstalledHere() async -> Bool {
        await tolerating { () async throws(VaultError) in
            try await device.currentInstallation() == state.head.installation
        } ?? false
    }

    /// Compares the stored row with its anchor.
    ///
    /// - Parameters:
    ///   - former: the ledger that was checked before a prompt. If it is unchanged, no other process has written, and
    ///     the unlock proceeds as it would have then; the next look detects an anchor that moved on its own in the
    ///     meantime.
    ///   - mayRenew: whether the device was just asked for everything that the ledger depends on, so that a rolled-back
    ///     row may be renewed.
    ///   - trail: the trail's row, accepted before anything is told.
    /// - Returns: false when the row was rolled back and may not be renewed.
    private func loadLedger(
        _ item: ItemName,
        unlessStill former: Ledger?,
        mayRenew: Bool,
        accepting trail: VaultStore.TaggedRow?,
        in turn: borrowing Turn
    ) async throws(VaultError) -> Bool {
        let row = bookkeeper.authentic(of: state.head.vault)
        if let row, row == former, row == bookkeeper.row {
            await acceptTrail(trail)
            try bankWait(in: turn)
            return true
        }
        // The anchor first: a TPM's session ends with each secret, such as the trail's, and serves what comes before.
        let anchor = try await device.anchorPosition(of: item)
        await acceptTrail(trail)
        guard mayRenew || LedgerMachine.standing(of: row, at: anchor) != .putBack else { return false }
        try await compare(row, isKnown: row.map(state.isKnown) ?? false, with: anchor, in: turn)
        return true
    }

    /// Checks that the device still has the system slot's key.
    private func lookAtSystemSlot() async throws(VaultError) {
        retireLedger()
        guard let item = state.slot(.system)?.item else {
            state = state.with(.keyMissing)
            return
        }
        try refuseForeignDevice(.system)
        if try await device.isMissing(item) { state = state.with(.keyMissing) }
    }

    /// Refuses a vault made for another kind of device.
    ///
    /// The head is not verified yet, so a slot with the right kind also passes.
    private func refuseForeignDevice(_ kind: SlotKind) throws(VaultError) {
        guard state.head.device == device.kind || state.slot(kind)?.device == device.kind else {
            throw VaultError(.deviceMismatch)
        }
    }

    /// Writes the server's answer, if the head that names the account is the vault's own (F-107-09).
    ///
    /// Revocations go into the transaction that records the answer: a repeated answer is not new, and would not trigger
    /// them.
    ///
    /// - Parameter account: the account whose service was asked: the head may name another device of it by now. A moved
    ///   service does not make it another account.
    func write(_ answer: ServiceAnswer, of account: VaultAccount, in turn: borrowing Turn) async throws(VaultError) {
        guard state.head.account?.isSameDevice(as: account) == true, state.headStanding == .named else { return }
        var ledger = state.ledger
        guard let reason = ledger.accept(answer, at: now) else {
            if ledger.policyEpoch == state.ledger.policyEpoch { return try easeWithRoom(in: turn) { $0 = ledger } }
            return try await demand(ledger, in: turn, telling: TrailEntry()) {}
        }
        // The stored login may be damaged; that must not keep biometrics alive.
        let opensOffline = tolerating { () throws(VaultError) in try store.offlineLogin() != nil } ?? false
        guard opensOffline || state.biometricSlot != nil || ledger != state.ledger else { return }
        try await revoke(state.biometricSlot, reason, with: ledger, in: turn) { () throws(VaultError) in
            if opensOffline { try store.removeOfflineLogin() }
        }
        if opensOffline { tolerating { () throws(VaultError) in try store.eraseDeleted() } }
    }

    /// Revokes biometrics whose key the device lost, that belong to another installation, or whose server has been
    /// silent for too long (F-107-07, F-107-09).
    private func lookForRevocation(after opened: ItemName?, in turn: borrowing Turn) async throws(VaultError) {
        guard let slot = state.biometricSlot, let item = slot.item else { return }
        // The item of biometrics that the owner turned off was deleted then, unless the device failed (F-107-03).
        if state.biometrics == .revoked(.disabledByOwner) { _ = await deleteRevoked(item) }
        guard state.biometrics == .enabled else { return }
        if try await device.currentInstallation() != state.head.installation {
            try await revoke(slot, .reinstalled, in: turn)
        } else if item != opened, await isKnownMissing(item) {
            try await revoke(slot, .biometricsChanged, in: turn)
        } else if let reason = promptDecision.revocation {
            try await revoke(slot, reason, in: turn)
        }
    }

    /// Deletes the item of a revoked slot.
    ///
    /// A slot's row may be forged: no other item of this vault and none of another vault is deleted (A25).
    ///
    /// - Returns: whether the item is gone.
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

    /// Returns whether an item is certainly gone or damaged; an uncertain answer neither revokes a right nor blocks the
    /// PIN (A25).
    private func isKnownMissing(_ item: ItemName) async -> Bool {
        await tolerating { () async throws(VaultError) in try await device.isMissing(item) } ?? false
    }

    /// Revokes the biometric slot, durably.
    ///
    /// The head follows at the next strong unlock.
    ///
    /// - Parameter text: the reason given in the audit record; nil for the name of `reason`.
    func revoke(_ slot: SlotRecord, _ reason: RevocationReason, saying text: String? = nil, in turn: borrowing Turn)
        async throws(VaultError)
    {
        try await revoke(slot, reason, saying: text, with: state.ledger, in: turn) {}
    }

    /// Revokes the biometric slot, and stores `ledger` and what `rows` writes in the same transaction.
    private func revoke(
        _ slot: SlotRecord?,
        _ reason: RevocationReason,
        saying text: String? = nil,
        with ledger: Ledger,
        in turn: borrowing Turn,
        rows: () throws(VaultError) -> Void
    ) async throws(VaultError) {
        var ledger = ledger
        let orders = BiometricLifecycle(state: state.biometrics).handle(.revoked(reason))
        var entry = TrailEntry()
        for order in orders {
            switch order {
            case .restrictSlot(let reason):
                if let slot { ledger.revocation = Ledger.Revocation(slot: slot.id, reason: reason) }
            case .refuse(let code): throw VaultError(code)
            case .record(let kind): entry.events.append(event(kind, reason: text ?? reason.name))
            case .makeSlot, .removeSlot: break  // A revocation never orders these.
            }
        }
        try await demand(ledger, in: turn, telling: entry, rows: rows)
    }
}
