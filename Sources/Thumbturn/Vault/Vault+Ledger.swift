import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Row, key and anchor of the ledger together: what `LedgerMachine` orders is carried out here, and nowhere else.
extension Vault {
    /// Feeds an event to the ledger's rules, and their effects' results back, until nothing is left to do.
    ///
    /// - Parameter rows: what is written in the same transaction as a row.
    /// - Throws: `.busy` where another copy of the vault is ahead, or why store or device failed. A row may be stored then
    ///   whose anchor did not move; the next look settles it.
    func bookkeep(
        _ first: LedgerMachine.Event,
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) {
        var next: LedgerMachine.Event? = first
        var fault: VaultError?
        while let event = next {
            next = nil
            for effect in bookkeeper.handle(event) {
                switch effect {
                case .write(let row):
                    next = attempt(&fault) { () throws(VaultError) in try store(row, rows) ? .written : .overtaken }
                case .move(let former, let target):
                    next = await move(from: former, to: target, &fault)
                case .derive:
                    break  // The caller's part.
                case .reportUnreliable:
                    record(.ledgerUnreliable)
                case .refuseOvertaken:
                    throw VaultError(.busy, "another copy of the vault is ahead")
                case .refuseUnavailable:
                    throw fault ?? VaultError(.storageUnavailable, "ledger")
                }
            }
            if let row = bookkeeper.row { outside.ledger = row }
        }
    }

    /// Writes a ledger that is milder than the one that stands, or only dated anew; no anchor moves.
    func ease(_ change: (inout Ledger) -> Void) throws(VaultError) {
        guard let standing = bookkeeper.row else { throw VaultError(.keyMissing) }
        var wanted = standing
        change(&wanted)
        guard wanted != standing else { return }
        var fault: VaultError?
        for case .write(let row) in bookkeeper.handle(.eased(wanted)) {
            let result = attempt(&fault) { () throws(VaultError) in try store(row) ? .written : .overtaken }
            _ = bookkeeper.handle(result)
        }
        guard let row = bookkeeper.row else { throw fault ?? VaultError(.busy, "another process wrote the ledger") }
        outside.ledger = row
    }

    /// Commits a ledger that adds a demand, then moves the anchor to it.
    func demand(
        rows: () throws(VaultError) -> Void = {},
        _ change: (inout Ledger) -> Void
    ) async throws(VaultError) {
        guard ledgerItem != nil else { throw VaultError(.keyMissing) }
        var wanted = outside.ledger
        change(&wanted)
        try await bookkeep(.demanded(wanted, mark: .make()), rows: rows)
    }

    /// Counts an attempt that is about to begin; when this returns, the derivation may run.
    ///
    /// - Returns: where its row stands, by which it can be taken back.
    func countAttempt() async throws(VaultError) -> LedgerPosition {
        guard ledgerItem != nil else { throw VaultError(.keyMissing) }
        try await bookkeep(.attempted(now: device.clock(), mark: .make()))
        return outside.ledger.position
    }

    /// Ends an attempt whose secret was held against something: it stays counted until a success clears it.
    func endAttempt() async throws(VaultError) {
        if case .deriving = bookkeeper.state { try await bookkeep(.answered) }
    }

    /// Takes back an attempt that was none: nobody learned that its secret is wrong.
    ///
    /// - Parameter position: where the row of that attempt stands; another one's is left alone.
    func takeBackAttempt(at position: LedgerPosition) async throws(VaultError) {
        if case .deriving = bookkeeper.state { return try await bookkeep(.interrupted) }
        if bookkeeper.row == nil, let ledgerItem {
            // A write that failed since left open what is stored.
            outside.contents.ledger = try store.ledger()
            try await hold(authenticLedger(outside.contents.ledger), ledgerItem, isKnown: true)
        }
        guard let row = bookkeeper.row, row.position == position, row.beforeAttempt != nil else { return }
        try ease { $0 = $0.withoutAttempt }
    }

    /// Begins a ledger under the key of a secret that was just made, from where its anchor stands; it has no row yet.
    ///
    /// - Returns: what the first row is to say.
    func foundLedger(_ beginning: Ledger, on secret: ItemName) async throws(VaultError) -> Ledger {
        do {
            let key = try await device.store.evaluate(secret, input: outside.head.ledgerKeyInput)
            ledgerKey = consume key
            ledgerItem = secret
        } catch {
            throw VaultError(.storageUnavailable, "ledger's secret: \(error)")
        }
        guard let position = try await anchorPosition(secret) else {
            throw VaultError(.storageUnavailable, "the device contradicts itself")
        }
        var ledger = beginning
        ledger.position = position
        ledger.parent = nil
        bookkeeper = LedgerMachine(founding: ledger)
        return ledger
    }

    /// Makes the secret of a new ledger, and hands it to `body` with what the ledger says; `body` commits.
    ///
    /// Where that fails, the secret goes again, and the next look finds the key that the slot names.
    func withNewLedger<Result>(
        _ beginning: Ledger,
        _ body: (ItemName, Ledger) async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        let made = try await makeDeviceSecret(of: beginning.vault)
        do throws(VaultError) {
            return try await body(made.item, foundLedger(beginning, on: made.item))
        } catch {
            forgetLedgerKey()
            await discardUnlessNamed(made)
            throw error
        }
    }

    /// Makes an anchor for an item; one that is there stays.
    func makeAnchor(of item: ItemName, at position: LedgerPosition) async throws(VaultError) {
        do {
            _ = try await device.anchor.move(from: nil, to: position, for: item)
        } catch {
            throw VaultError(.storageUnavailable, "anchor: \(error)")
        }
    }

    /// Marks the PIN's own secret as one that a commit names, and takes its note away; the next look makes up for a failure.
    ///
    /// From here on no note deletes it but one that it vouches for.
    func settleOwnSecret() async {
        guard let slot = outside.slot(.localSecret), let own = slot.item, slot.ledgerItem != nil else { return }
        do {
            let position = try await anchorPosition(own)
            if position?.isUsed != true {
                let used = LedgerPosition(sequence: 1, mark: .make())
                guard try await device.anchor.move(from: position, to: used, for: own) else { return }
            }
            try store.removeLeftover(own)
            outside.contents.leftovers.removeAll { $0.item == own }
        } catch {
            return
        }
    }

    /// Stores a row where the one that was read still stands, with what belongs to it.
    ///
    /// - Returns: false where another one stands there; nothing was written then.
    private func store(_ row: Ledger, _ rows: () throws(VaultError) -> Void = {}) throws(VaultError) -> Bool {
        let stored = try tagged(row)
        let isSame = try store.transaction { () throws(VaultError) in
            // Of one that can't be read there is nothing to compare, and SQLite writes nothing after a look at it.
            let former = outside.contents.ledger
            if former != .unreadable { guard try store.ledger() == former else { return false } }
            // On a full disk the right PIN would be counted else, for nothing of what follows could be written (A19).
            if row.beforeAttempt != nil { try store.reserveRoom() }
            try store.setLedger(stored)
            try store.raiseVersionOfLedger()
            // Last, for they end with a look at what was written, and SQLite writes nothing once it saw damage.
            try rows()
            guard try store.ledger() == stored else { throw VaultError(.vaultDamaged) }
            return true
        }
        if isSame { outside.contents.ledger = stored }
        return isSame
    }

    private func attempt(
        _ fault: inout VaultError?,
        _ write: () throws(VaultError) -> LedgerMachine.Event
    ) -> LedgerMachine.Event {
        do throws(VaultError) { return try write() } catch {
            fault = error
            return .failed
        }
    }

    private func move(
        from former: LedgerPosition?,
        to target: LedgerPosition,
        _ fault: inout VaultError?
    ) async -> LedgerMachine.Event {
        guard let ledgerItem else { return .failed }
        do {
            return try await device.anchor.move(from: former, to: target, for: ledgerItem) ? .moved : .stoodElsewhere
        } catch {
            fault = VaultError(.storageUnavailable, "anchor: \(error)")
            return .failed
        }
    }
}

// Reading.
extension Vault {
    /// Holds the stored row against its anchor.
    ///
    /// - Parameters:
    ///   - former: the ledger that was held against the anchor before a prompt. Where it still stands no other process has
    ///     written, and the unlock is what it would have been then: what moved the anchor alone meanwhile is found at the next
    ///     look.
    ///   - mayRenew: whether the device was just asked for all that the ledger stands on, so that a row that was put back may
    ///     be made anew.
    /// - Returns: false where it was put back, and may not be.
    func loadLedger(
        _ item: ItemName,
        unlessStill former: Ledger?,
        mayRenew: Bool
    ) async throws(VaultError) -> Bool {
        let stored = authenticLedger(outside.contents.ledger)
        guard stored == nil || stored != former || bookkeeper.row != stored else {
            try bankWait(stored)
            return true
        }
        let anchor = try await anchorPosition(item)
        guard mayRenew || LedgerMachine.standing(of: stored, at: anchor) != .putBack else { return false }
        try await hold(stored, at: anchor, isKnown: stored.map(outside.isKnown) ?? false)
        return true
    }

    /// Holds a row against the anchor of a ledger's secret, and does what that asks for.
    ///
    /// - Parameter isKnown: whether the row knows the slot that a PIN would open.
    func hold(_ stored: Ledger?, _ item: ItemName, isKnown: Bool) async throws(VaultError) {
        try await hold(stored, at: anchorPosition(item), isKnown: isKnown)
    }

    private func hold(_ stored: Ledger?, at anchor: LedgerPosition?, isKnown: Bool) async throws(VaultError) {
        bookkeeper = LedgerMachine(vault: outside.head.vault)
        try await bookkeep(
            .found(
                stored: stored,
                anchor: anchor,
                isKnown: isKnown,
                now: device.clock(),
                mark: .make()
            )
        )
        try bankWait(bookkeeper.row)
    }

    private func bankWait(_ row: Ledger?) throws(VaultError) {
        guard let row else { return }
        outside.ledger = row
        guard let banked = row.attempts.banking(at: device.clock()) else { return }
        try ease { $0.attempts = banked }
    }

    func authenticLedger(_ stored: VaultStore.TaggedRow?) -> Ledger? {
        guard let stored, let ledger = verifiedLedger(stored), ledger.vault == outside.head.vault else { return nil }
        return ledger
    }

    private func verifiedLedger(_ stored: VaultStore.TaggedRow) -> Ledger? {
        do {
            guard ledgerKey != nil else { return nil }
            try ledgerKey?.verifyLedger(stored)
            return try Ledger(parsing: stored.body)
        } catch {
            return nil
        }
    }

    func tagged(_ ledger: Ledger) throws(VaultError) -> VaultStore.TaggedRow {
        let body = ledger.bytes
        guard let mac = ledgerKey?.ledgerMAC(body) else { throw VaultError(.keyMissing) }
        return VaultStore.TaggedRow(body: body, mac: mac)
    }

    func anchorPosition(_ item: ItemName) async throws(VaultError) -> LedgerPosition? {
        do { return try await device.anchor.position(for: item) } catch {
            throw VaultError(.storageUnavailable, "anchor: \(error)")
        }
    }

    /// Remembers when the vault was last in use, so that idle time counts from there.
    func recordUse(at reading: ClockReading) async throws(VaultError) {
        try await processLock.acquire()
        defer { processLock.release() }
        let contents = try store.contents()
        guard var ledger = authenticLedger(contents.ledger) else { return }
        ledger.lastUse = reading
        // The row keeps its place, so it is worth what it was: this dates it, and vouches for nothing.
        let dated = try tagged(ledger)
        try store.transaction { () throws(VaultError) in
            guard try store.ledger() == contents.ledger else { return }
            try store.setLedger(dated)
        }
    }
}

// The ledger's key.
extension Vault {
    /// Derives the ledger's key from the ledger's secret; false when that is confirmed missing (A25, A26).
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
            throw VaultError(.storageUnavailable, "ledger's secret: \(error)")
        }
    }

    func forgetLedgerKey() {
        ledgerKey = nil
        ledgerItem = nil
    }

    /// Forgets what the device was asked for, so that the next look asks it again.
    func forgetSecrets() {
        forgetLedgerKey()
        ownSecret = nil
    }
}

extension Head {
    /// What the ledger's secret is used on to get the ledger's key.
    fileprivate var ledgerKeyInput: [UInt8] { Array("thumbturn.v1.ledger-key".utf8) + vault.bytes }
}

extension SecretBytes {
    fileprivate static func macInput(_ body: [UInt8]) -> [UInt8] { Array("thumbturn.v1.ledger".utf8) + body }

    fileprivate borrowing func ledgerMAC(_ body: [UInt8]) -> [UInt8] {
        HMACSHA256.tag(Self.macInput(body), key: self)
    }

    fileprivate borrowing func verifyLedger(_ stored: VaultStore.TaggedRow) throws(CryptoError) {
        try HMACSHA256.verify(stored.mac, of: Self.macInput(stored.body), key: self)
    }
}
