import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The ledger of a vault: its row in the store, the key that authenticates it, and the anchor that names the newest
/// row.
///
/// Carries out what `LedgerMachine` orders; nothing else does. Runs on the vault's actor.
final class AttemptLedger {
    private let device: Device
    private let store: VaultStore
    private let trail: Trail
    /// Decides in which order row and anchor are written.
    private(set) var machine: LedgerMachine
    /// Authenticates the row; derived from the device secret `secret`, which also has the anchor.
    private var key: SecretBytes?
    private(set) var secret: ItemName?
    /// The row as it was last read or written.
    private(set) var stored: VaultStore.TaggedRow?

    init(of vault: Identifier, on device: Device, in store: VaultStore, telling trail: Trail) {
        self.device = device
        self.store = store
        self.trail = trail
        machine = LedgerMachine(vault: vault)
    }

    /// The verified row; nil while none is known.
    var row: Ledger? { machine.row }

    /// Whether the ledger can be read and written here.
    var hasKey: Bool { key != nil }

    /// Accepts the row that was just read.
    func accept(_ stored: VaultStore.TaggedRow?) { self.stored = stored }

    /// Starts over, as a ledger of which nothing is known.
    func begin(for vault: Identifier) { machine = LedgerMachine(vault: vault) }

    /// Returns to the state before a change that stored nothing.
    func stand(as former: LedgerMachine) { machine = former }

    func forgetKey() {
        key = nil
        secret = nil
    }
}

// Carrying out orders.
extension AttemptLedger {
    /// Sends an event to the ledger's rules and carries out their effects, whose results are sent back, until no event
    /// is left.
    ///
    /// - Parameters:
    ///   - entry: what the row's transaction tells.
    ///   - rows: writes what belongs in the same transaction as the row.
    /// - Throws: `.busy` when another copy of the vault is ahead, or why store or device failed. A row may then be
    ///   stored although its anchor did not move; the next look repairs that.
    nonisolated(nonsending) func handle(
        _ first: LedgerMachine.Event,
        telling entry: TrailEntry = TrailEntry(),
        rows: () throws(VaultError) -> Void = {}
    ) async throws(VaultError) {
        var next: LedgerMachine.Event? = first
        var fault: VaultError?
        while let event = next {
            next = nil
            for effect in machine.handle(event) {
                switch effect {
                case .write(let row):
                    next = answer(&fault) { () throws(VaultError) in
                        try write(row, telling: entry.inTransaction(of: machine), rows) ? .written : .overtaken
                    }
                case .move(let former, let target):
                    next = await move(from: former, to: target, &fault)
                case .derive, .reportUnreliable:
                    break  // The caller derives; the row's own transaction has told.
                case .refuseOvertaken:
                    throw VaultError(.busy, "another copy of the vault is ahead")
                case .refuseUnavailable:
                    throw fault ?? VaultError(.storageUnavailable, "ledger")
                }
            }
        }
    }

    /// Writes a row that is more lenient than the current one, or only has a new date; moves no anchor.
    ///
    /// Without events it writes nothing where nothing changes.
    ///
    /// - Parameter isFlushed: false if a power loss may undo it, which leaves the vault as strict as before; what tells
    ///   events is durable.
    func ease(
        isFlushed: Bool = false,
        telling entry: TrailEntry = TrailEntry(),
        _ change: (inout Ledger) -> Void
    ) throws(VaultError) {
        guard let standing = machine.row else { throw VaultError(.keyMissing) }
        var wanted = standing
        change(&wanted)
        guard wanted != standing || !entry.events.isEmpty else { return }
        var fault: VaultError?
        for case .write(let row) in machine.handle(.eased(wanted)) {
            let result = answer(&fault) { () throws(VaultError) in
                let isFlushed = isFlushed || !entry.events.isEmpty
                return try write(row, isFlushed: isFlushed, telling: entry) ? .written : .overtaken
            }
            _ = machine.handle(result)
        }
        guard machine.row != nil else { throw fault ?? VaultError(.busy, "another process wrote the ledger") }
    }

    /// Adds the time waited of a running delay to the row, durably: that is the purpose of writing it.
    func bankWait() throws(VaultError) {
        let now = device.clock()
        try ease(isFlushed: true) { if let banked = $0.attempts.banking(at: now) { $0.attempts = banked } }
    }

    /// Sets the date of last use in the stored row, even if another process wrote it; the position stays the same.
    ///
    /// A row dated within the same second stays: otherwise a command that ends right after its change would write and
    /// flush one more page.
    func date(lastUse reading: ClockReading, of vault: Identifier) throws(VaultError) {
        let found = try store.ledger()
        guard let standing = authentic(found, of: vault) else { return }
        accept(found)
        machine = LedgerMachine(founding: standing)
        if let dated = standing.lastUse, dated.isBeside(reading) { return }
        try ease { $0.lastUse = reading }
    }

    /// Takes back an attempt that was no guess, because it did not reveal whether its secret is wrong.
    ///
    /// - Parameters:
    ///   - position: the position of that attempt's row; a different row is left alone.
    ///   - entry: what is told if the ledger can't be believed.
    nonisolated(nonsending) func takeBackAttempt(
        at position: LedgerPosition,
        of vault: Identifier,
        orTelling entry: TrailEntry
    ) async throws(VaultError) {
        if case .deriving = machine.state { return try await handle(.interrupted) }
        if machine.row == nil, let secret {
            // A failed write since then left it open which row is stored.
            accept(try store.ledger())
            let anchor = try await device.anchorPosition(of: secret)
            try await compare(authentic(of: vault), of: vault, isKnown: true, with: anchor, telling: entry)
        }
        guard let row = machine.row, row.position == position, row.beforeAttempt != nil else { return }
        try ease(telling: TrailEntry(attempt: .ended)) { $0 = $0.withoutAttempt }
    }

    /// Stores a row, what it tells and what belongs to it, if the stored row is still the one that was read.
    ///
    /// - Returns: false when another row is stored; nothing was written then.
    private func write(
        _ row: Ledger,
        isFlushed: Bool = true,
        telling entry: TrailEntry = TrailEntry(),
        _ rows: () throws(VaultError) -> Void = {}
    ) throws(VaultError) -> Bool {
        let tagged = try tagged(row)
        let written: Void? = try trail.transaction(telling: entry, isFlushed: isFlushed) { () throws(VaultError) in
            // An unreadable row can't be compared, and SQLite refuses writes after reading it.
            guard stored != .unreadable else { return true }
            return try store.ledger() == stored
        } _: { () throws(VaultError) in
            // Without reserved room, a full disk would count the right PIN as a failure: nothing that follows could be
            // written (A19).
            if row.beforeAttempt != nil { try store.reserveRoom() }
            try store.setLedger(tagged)
            // Run last: `rows` ends by reading what was written, and SQLite refuses writes once it has seen damage.
            try rows()
            guard try store.ledger() == tagged else { throw VaultError(.vaultDamaged) }
        }
        guard written != nil else { return false }
        stored = tagged
        return true
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
    /// Returns the stored ledger; nil when this vault did not write it.
    func authentic(of vault: Identifier) -> Ledger? { authentic(stored, of: vault) }

    /// Returns the ledger in a row; nil when this vault did not write it.
    func authentic(_ stored: VaultStore.TaggedRow?, of vault: Identifier) -> Ledger? {
        guard let stored, let ledger = verified(stored), ledger.vault == vault else { return nil }
        return ledger
    }

    /// Compares a row with the anchor, and carries out the result.
    ///
    /// - Parameters:
    ///   - row: the stored row; nil when it is not authentic.
    ///   - isKnown: whether the row knows the slot that a PIN would open.
    ///   - entry: what is told if the row can't be believed.
    nonisolated(nonsending) func compare(
        _ row: Ledger?,
        of vault: Identifier,
        isKnown: Bool,
        with anchor: LedgerPosition?,
        telling entry: TrailEntry
    ) async throws(VaultError) {
        begin(for: vault)
        try await handle(
            .found(stored: row, anchor: anchor, isKnown: isKnown, now: device.clock(), mark: .make()),
            telling: entry
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
    /// Derives the key from the ledger's secret; returns false when the secret is confirmed missing (A25, A26).
    nonisolated(nonsending) func loadKey(_ item: ItemName, of vault: Identifier) async throws(VaultError) -> Bool {
        if secret == item, key != nil { return true }
        forgetKey()
        key = try await device.use(item, on: Self.keyInput(of: vault))
        guard key != nil else { return false }
        secret = item
        return true
    }

    /// Starts a ledger under the key of a new secret, at its anchor's position; there is no row yet.
    ///
    /// - Returns: the ledger for the first row.
    nonisolated(nonsending) func start(_ first: Ledger, on item: ItemName) async throws(VaultError) -> Ledger {
        guard try await loadKey(item, of: first.vault), let position = try await device.anchorPosition(of: item)
        else {
            throw VaultError(.storageUnavailable, "the device contradicts itself")
        }
        var ledger = first
        ledger.position = position
        ledger.parent = nil
        machine = LedgerMachine(founding: ledger)
        return ledger
    }

    /// The input on which the ledger's secret is evaluated to get the key.
    private static func keyInput(of vault: Identifier) -> [UInt8] {
        Array("thumbturn.v1.ledger-key".utf8) + vault.bytes
    }
}

extension SecretBytes {
    fileprivate static func macInput(_ body: [UInt8]) -> [UInt8] { Array("thumbturn.v1.ledger".utf8) + body }

    fileprivate borrowing func ledgerMAC(_ body: [UInt8]) -> [UInt8] { HMACSHA256.tag(Self.macInput(body), key: self) }

    fileprivate borrowing func verifyLedger(_ stored: VaultStore.TaggedRow) throws(CryptoError) {
        try HMACSHA256.verify(stored.mac, of: Self.macInput(stored.body), key: self)
    }
}

extension TrailEntry {
    /// What the transaction tells in which a ledger's machine writes its row.
    fileprivate func inTransaction(of machine: LedgerMachine) -> TrailEntry {
        guard let writing = machine.writing else { return self }
        var entry = self
        switch writing.purpose {
        case .easing, .givingUp:
            // The attempt is taken back.
            return TrailEntry(attempt: .ended)
        case .demand, .attempt, .renewal:
            // Another copy of the vault may go on with the chain.
            entry.beginsAnew = writing.purpose == .renewal
            let isFirst = writing.anchor?.isUsed != true || writing.purpose == .renewal
            entry.position =
                isFirst
                ? .begun(at: writing.row.position)
                : .moved(from: writing.anchor, to: writing.row.position)
            return entry
        }
    }
}
