import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

// Looking at the vault without a key. Everything here runs under the lease and the process lock.
extension Vault {
    /// Reads head, slots and ledger, asks the device, and writes what only takes rights away: a delay dated anew, a
    /// ledger that can't be believed, a slot whose key is gone.
    ///
    /// A snapshot that is taken meanwhile shows what was known before, since half a look reads as a ledger that nobody
    /// can believe: a delay of a day.
    ///
    /// - Parameter opened: the item that a prompt has just released: it is there, and so is what prompts.
    func lookAround(after opened: ItemName? = nil) async throws(VaultError) {
        if seenBefore == nil { seenBefore = (outside, lifecycle.state) }
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
        return read
    }

    private func look(after opened: ItemName?) async throws(VaultError) {
        let former = opened.map { _ in self.outside.ledger }
        // What a crash left half made; the vault objects of other processes look after their own.
        if lastRead == nil { removePartials() }
        var outside = try read()
        outside.capability = opened == nil ? await device.prompt.capability() : self.outside.capability
        self.outside = outside
        // The rules of the very head that an opened slot is going to be held against.
        machine.adopt(outside.head.policy, mode: outside.mode)
        verifyOpenSession()
        await purgeLeftovers()
        if self.outside.condition == .resetPending {
            // Another process erased the vault: what an open session holds is the key of nothing.
            apply(machine.handle(.lockRequested))
            return
        }
        if outside.mode == .system { return try await lookAtSystemSlot() }
        guard let item = self.outside.deviceSecret else {
            // No local slot can be read: only the recovery key is left, or a former app's copy.
            self.outside.condition = .keyMissing
            return
        }
        try refuseForeignDevice(.localSecret)
        guard try await loadLedgerKey(item) else {
            self.outside.condition = .keyMissing
            return
        }
        try await loadLedger(item, unlessStill: former)
        if uncountedFailures > 0 {
            let failures = uncountedFailures
            try await writeAnchored { $0.biometricFailures &+= failures }
            uncountedFailures = 0
        }
        try await lookForRevocation(after: opened)
        lifecycle = BiometricLifecycle(state: self.outside.biometrics)
    }

    /// Refuses another kind of device.
    ///
    /// The head is not verified yet, so the slot that its key opens is asked as well.
    func refuseForeignDevice(_ kind: SlotKind) throws(VaultError) {
        guard outside.head.device == device.kind || outside.slot(kind)?.device == device.kind else {
            throw VaultError(.deviceMismatch)
        }
    }

    /// Derives the ledger's key from the device secret; false when that is confirmed missing (A25, A26).
    func loadLedgerKey(_ item: ItemName) async throws(VaultError) -> Bool {
        if ledgerItem == item, ledgerKey != nil { return true }
        forgetLedgerKey()
        do {
            let key = try await device.store.evaluate(item, input: outside.head.ledgerKeyInput)
            ledgerKey = consume key
            ledgerItem = item
            return true
        } catch .absent {
            // One answer may be a mistake of a store that just woke up; two are a confirmation.
            guard try await isAbsent(item) else {
                throw VaultError(.storageUnavailable, "the device contradicts itself")
            }
            return false
        } catch {
            throw VaultError(.storageUnavailable, "device secret: \(error)")
        }
    }

    /// Whether an item is gone for certain.
    ///
    /// "Can't say" throws.
    func isAbsent(_ item: ItemName) async throws(VaultError) -> Bool {
        do throws(DeviceRefusal) {
            for _ in 0..<2 {
                guard try await device.store.describe(item) == nil else { return false }
            }
            return true
        } catch {
            throw VaultError(.storageUnavailable, "describe: \(error)")
        }
    }

    /// - Parameter former: the ledger that was held against the anchor before the prompt. Where it still stands no other
    ///   process has written, and the unlock is what it would have been then: what moved the counter alone meanwhile is
    ///   found at the next look.
    private func loadLedger(_ item: ItemName, unlessStill former: Ledger?) async throws(VaultError) {
        let now = device.clock()
        let stored = authenticLedger(outside.contents.ledger)
        if let stored, stored == former, outside.isKnown(to: stored) {
            return try await accept(stored, at: stored.sequence, item)
        }
        let anchor = try await anchorValue(item)
        // The very first commit makes the counter, and may have crashed before it.
        let reached = anchor ?? (stored?.sequence == 1 ? 0 : nil)
        if let ledger = stored, let reached, outside.isKnown(to: ledger),
            ledger.sequence == reached || ledger.sequence == Ledger.sequence(after: reached)
        {
            return try await accept(ledger, at: reached, item)
        }
        // Missing, forged, older than its anchor, or further ahead than a crash explains: the strictest reading, dated.
        let sequence = Ledger.sequence(after: max(anchor ?? 0, stored?.sequence ?? 0))
        try write(
            .unreliable(vault: outside.head.vault, sequence: sequence, slots: outside.slotIDs, at: now)
        )
        try await raiseAnchor(to: sequence, item)
        record(.ledgerUnreliable)
    }

    /// Takes a ledger that fits its anchor.
    ///
    /// One step ahead is a crash between the ledger's commit and the anchor's; the step counts.
    func accept(_ ledger: Ledger, at reached: UInt64, _ item: ItemName) async throws(VaultError) {
        if ledger.sequence != reached { try await raiseAnchor(to: ledger.sequence, item) }
        outside.ledger = ledger
        guard let redated = ledger.attempts.redated(at: device.clock()) else { return }
        var ledger = ledger
        ledger.attempts = redated
        try write(ledger)
    }

    func authenticLedger(_ stored: VaultStore.Authenticated?) -> Ledger? {
        guard let stored, let ledger = verifiedLedger(stored), ledger.vault == outside.head.vault else { return nil }
        return ledger
    }

    private func verifiedLedger(_ stored: VaultStore.Authenticated) -> Ledger? {
        do {
            try authenticate(stored)
            return try Ledger(parsing: stored.body)
        } catch {
            return nil
        }
    }

    private func authenticate(_ stored: VaultStore.Authenticated) throws(CryptoError) {
        guard ledgerKey != nil else { throw .authenticationFailed }
        try ledgerKey?.verifyLedger(stored)
    }

    /// Writes the ledger, durably, and keeps it as the present one.
    func write(_ ledger: Ledger) throws(VaultError) {
        try store.setLedger(authenticate(ledger))
        outside.ledger = ledger
    }

    func authenticate(_ ledger: Ledger) throws(VaultError) -> VaultStore.Authenticated {
        let body = ledger.bytes
        guard let mac = ledgerKey?.ledgerMAC(body) else { throw VaultError(.keyMissing) }
        return VaultStore.Authenticated(body: body, mac: mac)
    }

    /// Commits a ledger that adds a demand, then raises the anchor to it.
    func writeAnchored(_ change: (inout Ledger) -> Void) async throws(VaultError) {
        guard let item = ledgerItem else { throw VaultError(.keyMissing) }
        var ledger = outside.ledger
        change(&ledger)
        let former = ledger.sequence
        ledger.advance()
        try write(ledger)
        // Copies of the vault share the counter: only who moved it may go on (A12).
        guard try await raiseAnchor(to: ledger.sequence, item) == former else {
            throw VaultError(.busy, "the counter was moved by another copy of the vault")
        }
    }

    /// Remembers when the vault was last in use, so that idle time counts from there.
    func recordUse(at reading: ClockReading) async throws(VaultError) {
        try await processLock.acquire()
        defer { processLock.release() }
        guard let contents = try? store.contents(), var ledger = authenticLedger(contents.ledger) else { return }
        ledger.lastUse = reading
        try write(ledger)
    }

    func anchorValue(_ item: ItemName) async throws(VaultError) -> UInt64? {
        do { return try await device.anchor.value(for: item) } catch {
            throw VaultError(.storageUnavailable, "anchor: \(error)")
        }
    }

    @discardableResult
    func raiseAnchor(to value: UInt64, _ item: ItemName) async throws(VaultError) -> UInt64? {
        do { return try await device.anchor.raise(to: value, for: item) } catch {
            throw VaultError(.storageUnavailable, "anchor: \(error)")
        }
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
        } else if item != opened, try await isAbsent(item) {
            try await revoke(slot, .biometricsChanged)
        }
    }

    /// Takes the biometric slot's right away, durably.
    ///
    /// The head follows at the next strong unlock.
    func revoke(_ slot: SlotRecord, _ reason: RevocationReason) async throws(VaultError) {
        lifecycle = BiometricLifecycle(state: outside.biometrics)
        for effect in lifecycle.handle(.revoked(reason)) {
            switch effect {
            case .restrictSlot(let reason):
                try await writeAnchored { $0.revocation = Ledger.Revocation(slot: slot.id, reason: reason) }
            case .record(let kind):
                record(kind, reason: reason.name)
            case .storeIntermediateSecret, .discardIntermediateSecret, .purge, .refuse:
                break  // Not orders of a revocation.
            }
        }
    }

    /// Deletes what no slot refers to, and forgets it once it is gone.
    ///
    /// What can't be deleted now waits for the next time. `LeftoverFacts` says which notes are believed (A25).
    func purgeLeftovers() async {
        guard !keepsLeftovers else { return }
        for leftover in outside.contents.leftovers where await mayDelete(leftover) {
            guard await discard(leftover) else { continue }
            outside.contents.leftovers.removeAll { $0.item == leftover.item }
        }
    }

    /// Deletes what only a session that knows its slots may, once there is one.
    func purgeWhatWaited() async {
        if !outside.contents.leftovers.isEmpty { await purgeLeftovers() }
    }

    private func mayDelete(_ leftover: VaultStore.Leftover) async -> Bool {
        let item = leftover.item
        var facts = LeftoverFacts(
            item: LeftoverFacts.Item(item.purpose),
            isReferredTo: outside.refers(to: item),
            isOwn: item.purpose.map { item.belongs(to: outside.head.vault, for: $0) } ?? false,
            isHeadless: outside.condition == .resetPending,
            isVerified: session?.scope == .full
        )
        while true {
            switch facts.verdict {
            case .delete: return true
            case .keep: return false
            case .ask(.counter):
                facts.counter = await presence { () async throws(DeviceRefusal) in
                    try await device.anchor.value(for: item) != nil
                }
            case .ask(.item):
                facts.presence = await presence { () async throws(DeviceRefusal) in
                    try await device.store.describe(item) != nil
                }
            case .ask(.voucher):
                facts.vouches = await vouches(for: leftover)
            }
        }
    }

    private func presence(_ isThere: () async throws(DeviceRefusal) -> Bool) async -> LeftoverFacts.Presence {
        do { return try await isThere() ? .present : .absent } catch { return .unavailable }
    }

    private func vouches(for leftover: VaultStore.Leftover) async -> Bool {
        guard let noted = leftover.tag, let given = try? await deletionTag(of: leftover.item) else { return false }
        return given.elementsEqual(noted)
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
            return nil
        } catch {
            throw VaultError(.storageUnavailable, "device secret: \(error)")
        }
    }

    /// Holds an open session against the head as it stands now, which another process may have changed.
    private func verifyOpenSession() {
        guard let session, session.scope == .full else { return }
        if session.vault != outside.head.vault
            || session.integrity(of: outside.contents.head, slots: outside.slots) == .tampered
        {
            apply(machine.handle(.tamperingFound))
        }
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

extension Head {
    /// What the device secret is used on to get the ledger's key.
    var ledgerKeyInput: [UInt8] { Array("thumbturn.v1.ledger-key".utf8) + vault.bytes }
}

extension SecretBytes {
    fileprivate static func macInput(_ body: [UInt8]) -> [UInt8] { Array("thumbturn.v1.ledger".utf8) + body }

    fileprivate borrowing func ledgerMAC(_ body: [UInt8]) -> [UInt8] {
        HMACSHA256.tag(Self.macInput(body), key: self)
    }

    fileprivate borrowing func verifyLedger(_ stored: VaultStore.Authenticated) throws(CryptoError) {
        try HMACSHA256.verify(stored.mac, of: Self.macInput(stored.body), key: self)
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
