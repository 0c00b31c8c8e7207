import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The ledger of a vault: its row in the store, the key that authenticates it, and the anchor that names the newest row.
///
/// What `LedgerMachine` orders is carried out here, and nowhere else. It runs where its vault runs.
final class AttemptLedger {
    private let device: Device
    private let store: VaultStore
    /// Says in which order row and anchor are written.
    private(set) var machine: LedgerMachine
    /// Authenticates the row; from the device secret that `secret` names, as its anchor is.
    private var key: SecretBytes?
    private(set) var secret: ItemName?
    /// The row as it was last read or written.
    private(set) var stored: VaultStore.TaggedRow?

    init(of vault: Identifier, on device: Device, in store: VaultStore) {
        self.device = device
        self.store = store
        machine = LedgerMachine(vault: vault)
    }

    /// The row that is the vault's; nil while that is not known.
    var row: Ledger? { machine.row }

    /// Whether it can be read and written here.
    var hasKey: Bool { key != nil }

    /// Takes the row that was just read.
    func take(_ stored: VaultStore.TaggedRow?) { self.stored = stored }

    /// Begins anew, as a ledger of which nothing is known.
    func begin(for vault: Identifier) { machine = LedgerMachine(vault: vault) }

    /// Goes back to where it stood before a change that stored nothing.
    func stand(as former: LedgerMachine) { machine = former }

    func forgetKey() {
        key = nil
        secret = nil
    }
}

// Carrying out.
extension AttemptLedger {
    /// Feeds an event to the ledger's rules, and their effects' results back, until nothing is left to do.
    ///
    /// - Parameter rows: what is written in the same transaction as a row.
    /// - Returns: whether the ledger could not be believed, and was made anew.
    /// - Throws: `.busy` where another copy of the vault is ahead, or why store or device failed. A row may be stored then
    ///   whose anchor did not move; the next look settles it.
    @discardableResult
    nonisolated(nonsending) func handle(
        _ first: LedgerMachine.Event,
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) -> Bool {
        var next: LedgerMachine.Event? = first
        var fault: VaultError?
        var isNew = false
        while let event = next {
            next = nil
            for effect in machine.handle(event) {
                switch effect {
                case .write(let row):
                    next = answer(&fault) { () throws(VaultError) in
                        try write(row, rows) ? .written : .overtaken
                    }
                case .move(let former, let target):
                    next = await move(from: former, to: target, &fault)
                case .derive:
                    break  // The caller's part.
                case .reportUnreliable:
                    isNew = true
                case .refuseOvertaken:
                    throw VaultError(.busy, "another copy of the vault is ahead")
                case .refuseUnavailable:
                    throw fault ?? VaultError(.storageUnavailable, "ledger")
                }
            }
        }
        return isNew
    }

    /// Writes a row that is milder than the one that stands, or only dated anew; no anchor moves.
    ///
    /// - Parameter isFlushed: false where a power loss may take it, which leaves the vault as strict as it was.
    func ease(isFlushed: Bool = false, _ change: (inout Ledger) -> Void) throws(VaultError) {
        guard let standing = machine.row else { throw VaultError(.keyMissing) }
        var wanted = standing
        change(&wanted)
        guard wanted != standing else { return }
        var fault: VaultError?
        for case .write(let row) in machine.handle(.eased(wanted)) {
            let result = answer(&fault) { () throws(VaultError) in
                try write(row, isFlushed: isFlushed) ? .written : .overtaken
            }
            _ = machine.handle(result)
        }
        guard machine.row != nil else { throw fault ?? VaultError(.busy, "another process wrote the ledger") }
    }

    /// Adds what was waited of a running delay to the row: durably, for that is what it is written down for.
    func bankWait() throws(VaultError) {
        let now = device.clock()
        try ease(isFlushed: true) { if let banked = $0.attempts.banking(at: now) { $0.attempts = banked } }
    }

    /// Dates the row that stands there, whoever wrote it: it keeps its place, and is worth what it was.
    ///
    /// One that was dated within the second stays: a command that ends behind its change would write, and flush, a page more for it.
    func date(lastUse reading: ClockReading, of vault: Identifier) throws(VaultError) {
        let found = try store.ledger()
        guard let standing = authentic(found, of: vault) else { return }
        take(found)
        machine = LedgerMachine(founding: standing)
        if let dated = standing.lastUse, dated.isBeside(reading) { return }
        try ease { $0.lastUse = reading }
    }

    /// Takes back an attempt that was no guess: it did not show whether its secret is wrong.
    ///
    /// - Parameter position: where the row of that attempt stands; another one's is left alone.
    /// - Returns: whether the ledger could not be believed, and was made anew.
    nonisolated(nonsending) func takeBackAttempt(
        at position: LedgerPosition,
        of vault: Identifier
    ) async throws(VaultError) -> Bool {
        if case .deriving = machine.state { return try await handle(.interrupted) }
        var isNew = false
        if machine.row == nil, let secret {
            // A write that failed since left open what is stored.
            take(try store.ledger())
            let anchor = try await device.anchorPosition(of: secret)
            isNew = try await hold(authentic(of: vault), of: vault, isKnown: true, at: anchor)
        }
        guard let row = machine.row, row.position == position, row.beforeAttempt != nil else { return isNew }
        try ease { $0 = $0.withoutAttempt }
        return isNew
    }

    /// Stores a row where the one that was read still stands, with what belongs to it.
    ///
    /// - Returns: false where another one stands there; nothing was written then.
    private func write(
        _ row: Ledger,
        isFlushed: Bool = true,
        _ rows: () throws(VaultError) -> Void = {}
    ) throws(VaultError) -> Bool {
        let tagged = try tagged(row)
        let isSame = try store.transaction(isFlushed: isFlushed) { () throws(VaultError) in
            // Of one that can't be read there is nothing to compare, and SQLite writes nothing after a look at it.
            if stored != .unreadable { guard try store.ledger() == stored else { return false } }
            // On a full disk the right PIN would be counted else, for nothing of what follows could be written (A19).
            if row.beforeAttempt != nil { try store.reserveRoom() }
            try store.setLedger(tagged)
            // Last, for they end with a look at what was written, and SQLite writes nothing once it saw damage.
            try rows()
            guard try store.ledger() == tagged else { throw VaultError(.vaultDamaged) }
            return true
        }
        if isSame { stored = tagged }
        return isSame
    }

    private func answer(
        _ fault: inout VaultError?,
        _ write: () throws(VaultError) -> LedgerMachine.Event
    ) -> LedgerMachine.Event {
        do throws(VaultError) { return try write() } catch {
            fault = error
            return .failed
        }
    }

    private nonisolated(nonsending) func move(
        from former: LedgerPosition?,
        to target: LedgerPosition,
        _ fault: inout VaultError?
    ) async -> LedgerMachine.Event {
        guard let secret else { return .failed }
        do {
            return try await device.moveAnchor(of: secret, from: former, to: target) ? .moved : .stoodElsewhere
        } catch {
            fault = error
            return .failed
        }
    }
}

// Reading.
extension AttemptLedger {
    /// What the stored row says; nil where it is not what this vault wrote.
    func authentic(of vault: Identifier) -> Ledger? { authentic(stored, of: vault) }

    /// What a row says; nil where it is not what this vault wrote.
    func authentic(_ stored: VaultStore.TaggedRow?, of vault: Identifier) -> Ledger? {
        guard let stored, let ledger = verified(stored), ledger.vault == vault else { return nil }
        return ledger
    }

    /// Holds a row against the anchor, and does what that asks for.
    ///
    /// - Parameters:
    ///   - row: what is stored; nil where it is not authentic.
    ///   - isKnown: whether the row knows the slot that a PIN would open.
    /// - Returns: whether the ledger could not be believed, and was made anew.
    @discardableResult
    nonisolated(nonsending) func hold(
        _ row: Ledger?,
        of vault: Identifier,
        isKnown: Bool,
        at anchor: LedgerPosition?
    ) async throws(VaultError) -> Bool {
        begin(for: vault)
        return try await handle(
            .found(
                stored: row,
                anchor: anchor,
                isKnown: isKnown,
                now: device.clock(),
                mark: .make()
            )
        )
    }

    private func verified(_ stored: VaultStore.TaggedRow) -> Ledger? {
        do {
            guard key != nil else { return nil }
            try key?.verifyLedger(stored)
            return try Ledger(parsing: stored.body)
        } catch {
            return nil
        }
    }

    func tagged(_ ledger: Ledger) throws(VaultError) -> VaultStore.TaggedRow {
        let body = ledger.bytes
        guard let mac = key?.ledgerMAC(body) else { throw VaultError(.keyMissing) }
        return VaultStore.TaggedRow(body: body, mac: mac)
    }
}

// The key.
extension AttemptLedger {
    /// Derives the key from the ledger's secret; false when that is confirmed missing (A25, A26).
    nonisolated(nonsending) func loadKey(_ item: ItemName, of vault: Identifier) async throws(VaultError) -> Bool {
        if secret == item, key != nil { return true }
        forgetKey()
        key = try await device.use(item, on: Self.keyInput(of: vault))
        guard key != nil else { return false }
        secret = item
        return true
    }

    /// Begins under the key of a secret that was just made, from where its anchor stands; there is no row yet.
    ///
    /// - Returns: what the first row is to say.
    nonisolated(nonsending) func found(_ beginning: Ledger, on item: ItemName) async throws(VaultError) -> Ledger {
        guard try await loadKey(item, of: beginning.vault), let position = try await device.anchorPosition(of: item)
        else {
            throw VaultError(.storageUnavailable, "the device contradicts itself")
        }
        var ledger = beginning
        ledger.position = position
        ledger.parent = nil
        machine = LedgerMachine(founding: ledger)
        return ledger
    }

    /// What the ledger's secret is used on to get the key.
    private static func keyInput(of vault: Identifier) -> [UInt8] {
        Array("thumbturn.v1.ledger-key".utf8) + vault.bytes
    }
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
