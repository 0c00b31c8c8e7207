import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The ledger as the vault goes by it: what `bookkeeper` writes is what is known from then on.
extension Vault {
    /// The device secret that the ledger stands on.
    var ledgerItem: ItemName? { bookkeeper.secret }

    /// Commits a ledger that adds a demand, then moves the anchor to it.
    func demand(
        rows: () throws(VaultError) -> Void = {},
        _ change: (inout Ledger) -> Void
    ) async throws(VaultError) {
        guard ledgerItem != nil else { throw VaultError(.keyMissing) }
        var wanted = state.ledger
        change(&wanted)
        try await demand(wanted, rows: rows)
    }

    func demand(_ ledger: Ledger, rows: () throws(VaultError) -> Void) async throws(VaultError) {
        defer { knowLedger() }
        try await bookkeeper.handle(.demanded(ledger, mark: .make()), rows: rows)
    }

    /// Writes a ledger that is milder than the one that stands, or only dated anew; no anchor moves.
    func ease(_ change: (inout Ledger) -> Void) throws(VaultError) {
        defer { knowLedger() }
        try bookkeeper.ease(change)
    }

    /// Adds what was waited of a running delay to the ledger; on a full disk it waits, which makes nothing shorter.
    func bankWait() throws(VaultError) {
        try withRoom { () throws(VaultError) in try bookkeeper.bankWait() }
    }

    /// The same as `ease` for what nothing is lost by: on a full disk it stays as it was.
    func easeWithRoom(_ change: (inout Ledger) -> Void) throws(VaultError) {
        try withRoom { () throws(VaultError) in try bookkeeper.ease(change) }
    }

    private func withRoom(_ write: () throws(VaultError) -> Void) throws(VaultError) {
        defer { knowLedger() }
        let standing = bookkeeper.machine
        do throws(VaultError) { try write() } catch {
            guard error.code == .diskFull else { throw error }
            bookkeeper.stand(as: standing)
            configuration.tolerated(error)
        }
    }

    /// Counts an attempt that is about to begin; when this returns, the derivation may run.
    ///
    /// - Returns: where its row stands, by which it can be taken back.
    func countAttempt() async throws(VaultError) -> LedgerPosition {
        guard ledgerItem != nil else { throw VaultError(.keyMissing) }
        defer { knowLedger() }
        try await bookkeeper.handle(.attempted(now: device.clock(), mark: .make()))
        guard let row = bookkeeper.row else { throw VaultError(.storageUnavailable, "ledger") }
        return row.position
    }

    /// Ends an attempt whose secret was held against something: it stays counted until a success clears it.
    func endAttempt() async throws(VaultError) {
        guard case .deriving = bookkeeper.machine.state else { return }
        defer { knowLedger() }
        try await bookkeeper.handle(.answered)
    }

    /// Takes back an attempt that was no guess: it did not show whether its secret is wrong.
    ///
    /// - Parameter position: where the row of that attempt stands; another one's is left alone.
    func takeBackAttempt(at position: LedgerPosition) async throws(VaultError) {
        defer { knowLedger() }
        let isNew = try await bookkeeper.takeBackAttempt(at: position, of: state.head.vault)
        if isNew { record(.ledgerUnreliable) }
    }

    /// Holds a row against the anchor, and does what that asks for.
    ///
    /// - Parameter isKnown: whether the row knows the slot that a PIN would open.
    func hold(_ row: Ledger?, isKnown: Bool, at anchor: LedgerPosition?) async throws(VaultError) {
        defer { knowLedger() }
        let isNew = try await bookkeeper.hold(row, of: state.head.vault, isKnown: isKnown, at: anchor)
        if isNew { record(.ledgerUnreliable) }
        try bankWait()
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
            return try await body(made.item, bookkeeper.found(beginning, on: made.item))
        } catch {
            bookkeeper.forgetKey()
            await discardUnlessNamed(made)
            throw error
        }
    }

    /// Forgets ledger and key: in system mode nothing is counted, and nothing remembered while locked.
    func retireLedger() {
        bookkeeper.forgetKey()
        bookkeeper.begin(for: state.head.vault)
        state = state.holding(Ledger(founding: state.head.vault))
    }

    private func knowLedger() {
        if let row = bookkeeper.row { state = state.holding(row) }
    }
}
