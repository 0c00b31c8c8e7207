import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The vault's view of the ledger: `state` follows what `bookkeeper` writes.
extension Vault {
    /// The device secret that authenticates the ledger.
    var ledgerItem: ItemName? { bookkeeper.secret }

    /// Commits a ledger that demands more, then moves the anchor to it.
    ///
    /// - Parameters:
    ///   - events: what happened, written with it.
    ///   - rows: writes what else belongs in the transaction.
    func demand(
        in turn: borrowing Turn,
        telling events: [AuditEvent] = [],
        rows: () throws(VaultError) -> Void = {},
        _ change: (inout Ledger) -> Void
    ) async throws(VaultError) {
        guard ledgerItem != nil else { throw VaultError(.keyMissing) }
        var wanted = state.ledger
        change(&wanted)
        try await demand(wanted, in: turn, telling: TrailEntry(events), rows: rows)
    }

    func demand(
        _ ledger: Ledger,
        in turn: borrowing Turn,
        telling entry: TrailEntry,
        rows: () throws(VaultError) -> Void
    ) async throws(VaultError) {
        defer { knowLedger() }
        try await bookkeeper.handle(.demanded(ledger, mark: .make()), telling: entry, rows: rows)
    }

    /// Writes a ledger that is more lenient than the current one, or only has a new date, and what happened; moves no
    /// anchor.
    func ease(
        in turn: borrowing Turn,
        telling events: [AuditEvent],
        _ change: (inout Ledger) -> Void
    ) throws(VaultError) {
        defer { knowLedger() }
        try bookkeeper.ease(telling: TrailEntry(events, attempt: .ended), change)
    }

    /// Adds the time waited of a running delay to the ledger; on a full disk it skips that, which shortens no delay.
    func bankWait(in turn: borrowing Turn) throws(VaultError) {
        try withRoom { () throws(VaultError) in try bookkeeper.bankWait() }
    }

    /// Does what `ease` does for a change that may be lost: on a full disk the ledger stays unchanged.
    func easeWithRoom(in turn: borrowing Turn, _ change: (inout Ledger) -> Void) throws(VaultError) {
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

    /// Counts an attempt that is about to start; the derivation may run once this returns.
    ///
    /// The trail notes it as open if the process lock is held to its end: a former app's PIN may wait for a prompt.
    ///
    /// - Returns: the position of the attempt's row, for taking it back.
    func countAttempt(in turn: borrowing Turn) async throws(VaultError) -> LedgerPosition {
        guard ledgerItem != nil else { throw VaultError(.keyMissing) }
        defer { knowLedger() }
        let now = device.clock()
        var entry = TrailEntry()
        if state.ledgerSlot != nil {
            entry.attempt = .begins(
                TrailRow.OpenAttempt(began: now.wall, attemptCount: state.ledger.attempts.failures)
            )
        }
        try await bookkeeper.handle(.attempted(now: now, mark: .make()), telling: entry)
        guard let row = bookkeeper.row else { throw VaultError(.storageUnavailable, "ledger") }
        return row.position
    }

    /// Ends an attempt whose secret was tested: it stays counted until a success clears it.
    func endAttempt(in turn: borrowing Turn) async throws(VaultError) {
        guard case .deriving = bookkeeper.machine.state else { return }
        defer { knowLedger() }
        try await bookkeeper.handle(.answered)
    }

    /// Takes back an attempt that was no guess, because it did not reveal whether its secret is wrong.
    ///
    /// - Parameter position: the position of that attempt's row; a different row is left alone.
    func takeBackAttempt(at position: LedgerPosition, in turn: borrowing Turn) async throws(VaultError) {
        defer { knowLedger() }
        try await bookkeeper.takeBackAttempt(
            at: position,
            of: state.head.vault,
            orTelling: TrailEntry([event(.ledgerUnreliable)])
        )
    }

    /// Compares a row with the anchor, and carries out the result.
    ///
    /// - Parameter isKnown: whether the row knows the slot that a PIN would open.
    func compare(_ row: Ledger?, isKnown: Bool, with anchor: LedgerPosition?, in turn: borrowing Turn)
        async throws(VaultError)
    {
        defer { knowLedger() }
        try await bookkeeper.compare(
            row,
            of: state.head.vault,
            isKnown: isKnown,
            with: anchor,
            telling: TrailEntry([event(.ledgerUnreliable)])
        )
        try bankWait(in: turn)
    }

    /// Creates the secret of a new ledger, and passes it to `body` with the ledger; `body` commits.
    ///
    /// If `body` fails, the secret is discarded, and the next look loads the key that the slot names.
    func withNewLedger<Result>(
        _ first: Ledger,
        in turn: borrowing Turn,
        _ body: (ItemName, Ledger) async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        let made = try await makeDeviceSecret(of: first.vault, in: turn)
        do throws(VaultError) {
            return try await body(made.item, bookkeeper.start(first, on: made.item))
        } catch {
            bookkeeper.forgetKey()
            await discardUnlessNamed(made, in: turn)
            throw error
        }
    }

    /// Forgets ledger and key: system mode counts no attempts, and remembers nothing while locked.
    func retireLedger() {
        bookkeeper.forgetKey()
        bookkeeper.begin(for: state.head.vault)
        state = state.holding(Ledger(founding: state.head.vault))
    }

    private func knowLedger() { if let row = bookkeeper.row { state = state.holding(row) } }
}
