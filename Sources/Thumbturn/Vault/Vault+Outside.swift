import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

// Looking at the vault without a key. Everything here runs under the lease and the process lock.
extension Vault {
    /// Reads head, slots and ledger, asks the device, and writes what only takes rights away: a ledger that can't be
    /// believed, a slot whose key is gone; and what was waited of a running delay.
    ///
    /// A snapshot that is taken meanwhile shows what was known before, since half a look reads as a ledger that nobody
    /// can believe: a delay of a day.
    ///
    /// - Parameter opened: the item that a prompt has just released: it is there, and so is what prompts.
    func lookAround(after opened: ItemName? = nil) async throws(VaultError) {
        if seenBefore == nil { seenBefore = outside }
        try await look(after: opened)
        seenBefore = nil
    }

    /// Reads the store; rows that stand as they stood are not parsed again.
    private func read() throws(VaultError) -> Outside {
        let contents = try store.contents()
        if var read = lastRead, read.contents.hasRows(of: contents) {
            read.contents = contents
            return read
        }
        let read = try Outside(reading: contents, device: device)
        lastRead = read
        ownSecret = nil
        return read
    }

    private func look(after opened: ItemName?) async throws(VaultError) {
        let remembers = ledgerKey != nil || ownSecret != nil
        let former = opened.map { _ in self.outside.ledger }
        // What a crash left half made; the vault objects of other processes look after their own.
        if lastRead == nil { removePartials() }
        var outside = try read()
        outside.capability = opened == nil ? await device.prompt.capability() : self.outside.capability
        self.outside = outside
        verifyOpenSession()
        // The rules of the very head that an opened slot is going to be held against.
        machine.adopt(policyInForce, mode: outside.mode)
        if outside.condition == .resetPending { return await purgeLeftovers() }
        if outside.mode == .system {
            await purgeLeftovers()
            return try await lookAtSystemSlot()
        }
        guard let item = try await ledgerSecret() else {
            // No local slot can be read: only the recovery key is left, or a former app's copy.
            return await lookWithoutLedger()
        }
        try refuseForeignDevice(.localSecret)
        guard try await loadLedgerKey(item) else { return await lookWithoutLedger() }
        guard try await hasOwnSecret() else { return try await lookWithoutOwnSecret(item) }
        let isLoaded: Bool
        do throws(VaultError) {
            isLoaded = try await loadLedger(item, unlessStill: former, mayRenew: !remembers)
        } catch {
            // Nothing can be counted, so no guess is answered.
            guard error.code == .vaultDamaged else { throw error }
            return await lookWithoutLedger(.ledgerDamaged)
        }
        guard isLoaded else {
            // What was there once may be gone: another copy may have given the vault a new PIN, or erased it.
            forgetSecrets()
            return try await look(after: nil)
        }
        await purgeLeftovers()
        if uncountedFailures > 0 {
            let failures = uncountedFailures
            try await demand { $0.biometricFailures &+= failures }
            uncountedFailures = 0
        }
        if let session, session.scope == .full, self.outside.headStanding == .putBack {
            apply(machine.handle(.tamperingFound))
        }
        try await lookForRevocation(after: opened)
    }

    /// Whether the device has what the PIN's slot alone needs.
    private func hasOwnSecret() async throws(VaultError) -> Bool {
        guard let own = outside.slot(.localSecret)?.item, own != ownSecret, own != ledgerItem else { return true }
        guard try await !isAbsent(own) else { return false }
        // A crash, or a device that did not answer, came between the commit and this.
        if outside.contents.leftovers.contains(where: { $0.item == own }) { await settleOwnSecret() }
        if !outside.contents.leftovers.contains(where: { $0.item == own }) { ownSecret = own }
        return true
    }

    /// What the ledger stands on: what the local slot names for it, or while that slot is still to come, what only a note names.
    ///
    /// Anybody can write a note, so of several the one counts that the stored ledger is authentic under.
    private func ledgerSecret() async throws(VaultError) -> ItemName? {
        if let slot = outside.slot(.localSecret) { return slot.ledgerSecret }
        guard outside.migration == .half else { return nil }
        var first: ItemName?
        for item in outside.countingSecrets where item.belongs(to: outside.head.vault, for: .deviceSecret) {
            guard try await loadLedgerKey(item) else { continue }
            if authenticLedger(outside.contents.ledger) != nil { return item }
            first = first ?? item
        }
        return first
    }

    /// Looks at a vault whose ledger nobody can read here.
    private func lookWithoutLedger(_ condition: VaultSnapshot.Condition = .keyMissing) async {
        outside.condition = condition
        await purgeLeftovers()
    }

    /// Looks at a copy from before the PIN was changed, which only the recovery key opens (A7).
    ///
    /// Its ledger is read and not made anew: the vault that it is a copy of may still be in use, and has the same anchor.
    private func lookWithoutOwnSecret(_ item: ItemName) async throws(VaultError) {
        outside.condition = .keyMissing
        outside.knowsLedger = true
        bookkeeper = LedgerMachine(vault: outside.head.vault)
        let stored = authenticLedger(outside.contents.ledger)
        if let stored, try await LedgerMachine.standing(of: stored, at: anchorPosition(item)) != .putBack {
            outside.ledger = stored
        }
        await purgeLeftovers()
    }

    /// Refuses another kind of device.
    ///
    /// The head is not verified yet, so the slot that its key opens is asked as well.
    func refuseForeignDevice(_ kind: SlotKind) throws(VaultError) {
        guard outside.head.device == device.kind || outside.slot(kind)?.device == device.kind else {
            throw VaultError(.deviceMismatch)
        }
    }

    /// Whether an item is gone for certain.
    ///
    /// "Can't say" throws.
    func isAbsent(_ item: ItemName) async throws(VaultError) -> Bool {
        do throws(DeviceRefusal) {
            return try await twice { () async throws(DeviceRefusal) in try await device.store.describe(item) } == nil
        } catch {
            throw VaultError(.storageUnavailable, "describe: \(error)")
        }
    }

    /// Asks once more what was answered with nothing: one answer may be a mistake of a store that just woke up; two are a
    /// confirmation (A25).
    private func twice<Answer>(
        _ ask: () async throws(DeviceRefusal) -> Answer?
    ) async throws(DeviceRefusal) -> Answer? {
        if let answer = try await ask() { return answer }
        return try await ask()
    }

    /// Revokes biometrics whose key the device lost, or that come from another installation (F-107-07, F-107-09).
    private func lookForRevocation(after opened: ItemName?) async throws(VaultError) {
        guard outside.biometrics == .enabled, let slot = outside.biometricSlot, let item = slot.item else { return }
        let installation: Identifier
        do { installation = try await device.installation() } catch {
            throw VaultError(.storageUnavailable, "installation: \(error)")
        }
        if installation != outside.head.installation {
            try await revoke(slot, .reinstalled)
        } else if item != opened, await isKnownAbsent(item) {
            try await revoke(slot, .biometricsChanged)
        }
    }

    /// Whether an item is gone for certain; one of which nothing can be said takes no right away, and keeps no PIN out (A25).
    private func isKnownAbsent(_ item: ItemName) async -> Bool {
        await tolerating { () async throws(VaultError) in try await isAbsent(item) } ?? false
    }

    /// Takes the biometric slot's right away, durably.
    ///
    /// The head follows at the next strong unlock.
    func revoke(_ slot: SlotRecord, _ reason: RevocationReason) async throws(VaultError) {
        for order in BiometricLifecycle(state: outside.biometrics).handle(.revoked(reason)) {
            switch order {
            case .restrictSlot(let reason):
                try await demand { $0.revocation = Ledger.Revocation(slot: slot.id, reason: reason) }
            case .record(let kind):
                record(kind, reason: reason.name)
            case .refuse(let code):
                throw VaultError(code)
            case .makeSlot, .removeSlot:
                break  // Not orders of a revocation.
            }
        }
    }

    /// Deletes what no slot refers to, and forgets it once it is gone.
    ///
    /// What can't be deleted now waits for the next time. `LeftoverFacts` says which notes are believed (A25). In an older
    /// copy none is: what it calls done with may be what the vault stands on.
    ///
    /// - Parameter isVerified: whether an open session knows which slots stand, and the device has what they need.
    func purgeLeftovers(isVerified: Bool = false) async {
        guard !keepsLeftovers, outside.headStanding != .putBack else { return }
        for leftover in outside.contents.leftovers where await mayDelete(leftover, isVerified) {
            // What took its place must be in the file, and not in the log alone, which damage may cut short.
            guard tolerating({ () throws(VaultError) in try store.eraseDeleted() }) != nil else { return }
            guard await discard(leftover) else { continue }
            outside.contents.leftovers.removeAll { $0.item == leftover.item }
        }
    }

    /// Deletes what only a session that knows its slots may, once there is one.
    func purgeWhatWaited() async {
        guard !outside.contents.leftovers.isEmpty else { return }
        await purgeLeftovers(isVerified: session?.scope == .full && outside.condition == .ready)
    }

    private func mayDelete(_ leftover: VaultStore.Leftover, _ isVerified: Bool) async -> Bool {
        let item = leftover.item
        var facts = LeftoverFacts(
            item: LeftoverFacts.Item(item.purpose),
            isReferredTo: outside.refers(to: item),
            isOwn: item.purpose.map { item.belongs(to: outside.head.vault, for: $0) } ?? false,
            isHeadless: outside.condition == .resetPending,
            isVerified: isVerified
        )
        while true {
            switch facts.verdict {
            case .delete: return true
            case .keep: return false
            case .ask(.counter):
                facts.counter = await presence { () async throws(DeviceRefusal) in
                    try await twice { () async throws(DeviceRefusal) in try await device.anchor.position(for: item) }?
                        .isUsed ?? false
                }
            case .ask(.item):
                facts.presence = await presence(of: item)
            case .ask(.voucher):
                facts.vouches = await vouches(for: leftover)
            }
        }
    }

    /// Whether an item is there; gone only where the device said so twice.
    func presence(of item: ItemName) async -> LeftoverFacts.Presence {
        await presence { () async throws(DeviceRefusal) in
            try await twice { () async throws(DeviceRefusal) in try await device.store.describe(item) } != nil
        }
    }

    private func presence(_ isThere: () async throws(DeviceRefusal) -> Bool) async -> LeftoverFacts.Presence {
        do { return try await isThere() ? .present : .absent } catch { return .unavailable }
    }

    private func vouches(for leftover: VaultStore.Leftover) async -> Bool {
        guard let noted = leftover.tag else { return false }
        let given = await tolerating { () async throws(VaultError) in try await deletionTag(of: leftover.item) }
        return given??.elementsEqual(noted) == true
    }

    /// What only a device secret can say of its own note; nil for other items, and for one that is gone.
    ///
    /// It says that a key is to be deleted, and is stored in the clear: no secret.
    func deletionTag(of item: ItemName) async throws(VaultError) -> [UInt8]? {
        guard item.purpose == .deviceSecret else { return nil }
        do {
            let tag = try await device.store.evaluate(item, input: Array("thumbturn.v1.leftover".utf8))
            return tag.withBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
        } catch .absent {
            // Without its word the secret stays for ever, so one answer is not enough.
            guard try await isAbsent(item) else {
                throw VaultError(.storageUnavailable, "the device contradicts itself")
            }
            return nil
        } catch {
            throw VaultError(.storageUnavailable, "device secret: \(error)")
        }
    }

    /// Holds an open session against the head as it stands now, which another process may have changed.
    private func verifyOpenSession() {
        if outside.condition == .resetPending {
            // Another process erased the vault, which is no tampering: what an open session holds is the key of nothing.
            apply(machine.handle(.lockRequested))
            return
        }
        guard let session else { return }
        session.isBesideTampering =
            session.vault != outside.head.vault
            || !isAuthentic(for: session)
        guard session.scope == .full else { return }
        let isOutlived = !outside.slots.isEmpty && outside.slots.allSatisfy { $0.key != session.key }
        if session.vault == outside.head.vault, isOutlived {
            // Another process gave the vault a new key: nothing was tampered with, and the session's own opens nothing more.
            apply(machine.handle(.lockRequested))
            return
        }
        if session.isBesideTampering { apply(machine.handle(.tamperingFound)) }
    }
}

extension LeftoverFacts.Item {
    fileprivate init(_ purpose: ItemName.Purpose?) {
        switch purpose {
        case .deviceSecret?: self = .deviceSecret
        case .system?: self = .systemKey
        case .biometric?, .credential?: self = .replaceable
        case nil: self = .foreign
        }
    }
}

extension RevocationReason {
    /// The name as it appears in records and JSON.
    public var name: String {
        switch self {
        case .biometricsChanged: "biometricsChanged"
        case .reinstalled: "reinstalled"
        case .passwordChanged: "passwordChanged"
        case .serverWordMissing: "serverWordMissing"
        }
    }
}
