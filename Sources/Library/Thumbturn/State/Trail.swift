import ThumbturnAudit
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The device's trail: sealed records of every event, each written in the transaction of the change that it tells
/// (F-107-10, INV-107-10).
///
/// Runs on the vault's actor. A transaction that tells anything runs through here. Nothing that opens the vault waits
/// for the trail: where it can't go on, a new chain begins and says why.
final class Trail {
    private let store: VaultStore
    private let clock: @Sendable () -> ClockReading
    private let report: @Sendable (AuditEvent) -> Void
    /// The row as last read or written, and verified.
    private(set) var row: TrailRow?
    /// That row as it is stored.
    private var stored: VaultStore.TaggedRow?
    /// The row whose last record was found to stand.
    private var checked: VaultStore.TaggedRow?
    private var keys: TrailKeys?
    /// Whether the device could not tell about the key; then nothing is concluded.
    private(set) var isUnknown = true
    /// Whether the last fault was the trail's own.
    private var isDamaged = false
    /// Whether a record would have taken a page that something else uses.
    private var isPageInUse = false
    /// Whether the ledger moved untold.
    private var isBehind = false

    init(
        in store: VaultStore,
        clock: @escaping @Sendable () -> ClockReading,
        report: @escaping @Sendable (AuditEvent) -> Void
    ) {
        (self.store, self.clock, self.report) = (store, clock, report)
    }
}

// The key and the row.
extension Trail {
    /// Whether events can be written.
    var hasKeys: Bool { keys != nil }

    /// Accepts the row that was just read; asks the device for its key once a process.
    ///
    /// - Throws: why the device can't tell; events go untold until it can.
    nonisolated(nonsending) func accept(
        _ found: VaultStore.TaggedRow?,
        on device: Device
    ) async throws(VaultError) {
        guard found != stored || row == nil else { return }
        (stored, row, isUnknown) = (found, nil, true)
        if let found, let secret = TrailRow.secret(in: found.body), secret.purpose == .trail {
            try await loadKeys(of: secret, on: device)
            row = verified(found)
        } else {
            keys = nil
        }
        isUnknown = false
    }

    /// Loads the keys of a secret; there are none when the device has certainly lost it.
    nonisolated(nonsending) func loadKeys(of secret: ItemName, on device: Device) async throws(VaultError) {
        guard keys?.secret != secret else { return }
        keys = nil
        guard let root = try await device.use(secret, on: Array("thumbturn.v1.trail".utf8)) else { return }
        do throws(CryptoError) { keys = try TrailKeys(of: secret, from: root) } catch { throw VaultError(error) }
    }

    func forgetKeys() { keys = nil }

    /// Returns why the chain can't be continued; nil when it can (A43).
    ///
    /// - Parameters:
    ///   - vault: the vault that the trail must be of.
    ///   - ledger: where the attempt ledger stands; nil without one.
    func fault(in vault: Identifier, beside ledger: LedgerPosition?) -> TrailReason? {
        guard !isUnknown else { return nil }
        guard let stored else { return .lost }
        guard let row else { return keys == nil && TrailRow.secret(in: stored.body) != nil ? .lost : .damaged }
        guard row.epoch.vault == vault else { return .damaged }
        if let ledger, row.position != ledger {
            return isBehind ? .lost : .putBack
        }
        // The log has other records in its place, and takes no more of it.
        guard row.epoch.ending != .forked else { return .putBack }
        guard checked != stored else { return nil }
        guard row.epoch.next > 0 else { return .damaged }
        let last: AuditRecord?
        do throws(VaultError) { last = try record(row.epoch.next - 1, of: row.epoch) } catch {
            return error.code == .vaultDamaged ? .damaged : nil
        }
        guard let last else { return .cut }
        guard last.hash == row.epoch.head else { return .damaged }
        checked = stored
        return nil
    }

    private func verified(_ found: VaultStore.TaggedRow) -> TrailRow? {
        guard let keys, keys.vouch(for: found), let row = try? TrailRow(parsing: found.body), row.secret == keys.secret
        else { return nil }
        return row
    }
}

// Writing.
extension Trail {
    /// Runs one transaction that tells `entry`: the records are there exactly when what `body` writes is.
    ///
    /// The app's own log hears of the events once they are durable.
    ///
    /// - Parameters:
    ///   - isCurrent: asked first; false writes nothing.
    ///   - body: runs behind the trail's own writes.
    /// - Returns: nil when nothing was written.
    func transaction<Result>(
        telling entry: TrailEntry,
        isFlushed: Bool = true,
        if isCurrent: () throws(VaultError) -> Bool = { true },
        _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result? {
        for page in [Pages.sound, .emptied] {
            do throws(VaultError) { return try write(entry, on: page, isFlushed, isCurrent, body) } catch {
                // On a full disk former records stay rather than keep a change out that erases them.
                guard isDamaged || (error.code == .diskFull && entry.beginning != nil) else { throw error }
                if error.code == .diskFull || isPageInUse { break }
            }
        }
        return try write(entry, on: .unusable, isFlushed, isCurrent, body)
    }

    /// The pages of the trail's tables: damage there costs the chain, or what is told, but not the change.
    private enum Pages {
        case sound, emptied, unusable
    }

    private func write<Result>(
        _ entry: TrailEntry,
        on pages: Pages,
        _ isFlushed: Bool,
        _ isCurrent: () throws(VaultError) -> Bool,
        _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result? {
        var draft: Draft?
        (isDamaged, isPageInUse) = (false, false)
        let result = try store.transaction(isFlushed: isFlushed) { () throws(VaultError) -> Result? in
            guard try isCurrent() else { return nil }
            if !entry.isEmpty, pages != .unusable {
                draft = try drafting { () throws(VaultError) in try append(entry, afresh: pages == .emptied) }
            }
            return try body()
        }
        guard let result else { return nil }
        if let draft { (row, stored, checked) = (draft.row, draft.tagged, draft.tagged) }
        switch entry.position {
        case .unmoved: break
        case .moved, .begun: isBehind = draft == nil
        }
        for event in entry.events { report(event) }
        return result
    }

    /// Notes that a fault is the trail's own, so that it costs the chain, or what is told, and not the change.
    private func drafting<Value>(_ body: () throws(VaultError) -> Value) throws(VaultError) -> Value {
        do throws(VaultError) { return try body() } catch {
            isDamaged = error.code != .diskFull && error.code != .busy
            throw error
        }
    }

    private struct Draft {
        var row: TrailRow
        var tagged: VaultStore.TaggedRow
    }

    /// Writes the records and the row; nil where there is no key, and what happens goes untold.
    private func append(_ entry: TrailEntry, afresh: Bool) throws(VaultError) -> Draft? {
        guard let keys else { return nil }
        let room = try store.room()
        let found = afresh ? nil : try store.trail()
        if afresh { try store.removeTrail() }
        let standing = found == stored ? row : found.flatMap(verified)
        var writing: TrailWriting
        var isPutBack = entry.beginsAnew
        if case .moved(let former, _) = entry.position, let standing { isPutBack = standing.position != former }
        if let beginning = entry.beginning {
            // Under another secret the former chain can't be read.
            let former = standing?.secret == beginning.secret ? standing : nil
            writing = try TrailWriting(beginning, after: former, in: store, keys, at: clock())
        } else if let standing, !afresh, !isPutBack {
            writing = TrailWriting(standing, in: store, keys, at: clock())
        } else if let row {
            // It was changed although no other process may write.
            let beginning = TrailEntry.Beginning(
                reason: isPutBack ? .putBack : afresh || found != nil ? .damaged : .lost,
                vault: row.epoch.vault,
                writer: row.epoch.writer,
                secret: row.secret
            )
            writing = try TrailWriting(beginning, after: afresh ? nil : standing, in: store, keys, at: clock())
        } else {
            return nil
        }
        if entry.endsRuns { try writing.endRuns() }
        for event in entry.events { try writing.add(event) }
        switch entry.position {
        case .unmoved: break
        case .moved(_, let position), .begun(let position): writing.row.position = position
        }
        switch entry.attempt {
        case .unchanged: break
        case .begins(let attempt): writing.row.attempt = attempt
        case .ended: writing.row.attempt = nil
        }
        let tagged = try keys.tagged(writing.row)
        if tagged != found { try store.setTrail(tagged) }
        isPageInUse = try !store.tookNoUsedPage(since: room)
        guard !isPageInUse else { throw VaultError(.vaultDamaged, "a page in use") }
        return Draft(row: writing.row, tagged: tagged)
    }
}

// Delivering.
extension Trail {
    /// What is known of the account's log; nil before the first login that told of one, and where it can't be read.
    func log() throws(VaultError) -> TrailLog? {
        guard let keys, let found = try store.trailLog(), keys.vouch(for: found, as: .log) else { return nil }
        return try? TrailLog(parsing: found.body)
    }

    /// Changes how far chains were delivered and what is known of the log, in one transaction that tells no event.
    ///
    /// - Parameter change: returns false to write nothing.
    /// - Throws: `.keyMissing` without the trail's key, `.busy` where another process wrote meanwhile, or why nothing was
    ///   written: whatever was delivered is delivered again.
    func revise(_ change: (inout TrailRow, inout TrailLog?) throws(VaultError) -> Bool) throws(VaultError) {
        guard let keys, let stored, let row else { throw VaultError(.keyMissing) }
        let draft = try store.transaction { () throws(VaultError) -> Draft? in
            guard try store.trail() == stored else { throw VaultError(.busy) }
            let (room, former) = (try store.room(), try log())
            var (revised, log) = (row, former)
            guard try change(&revised, &log) else { return nil }
            let draft = Draft(row: revised, tagged: try keys.tagged(revised))
            if revised != row { try store.setTrail(draft.tagged) }
            if let log, log != former { try store.setTrailLog(keys.tagged(log)) }
            guard try store.tookNoUsedPage(since: room) else { throw VaultError(.vaultDamaged, "a page in use") }
            return draft
        }
        guard let draft else { return }
        if checked == stored { checked = draft.tagged }
        (self.row, self.stored) = (draft.row, draft.tagged)
    }
}

// Reading.
extension Trail {
    /// Returns a record; nil when there is none.
    ///
    /// - Throws: `.vaultDamaged` for one that does not open.
    func record(_ seq: UInt64, of epoch: TrailRow.Epoch) throws(VaultError) -> AuditRecord? {
        guard let keys, let box = try store.event(epoch.number(of: seq)) else { return nil }
        return try keys.open(box, epoch, seq)
    }

    /// The chain, up to where it breaks.
    func standing(_ epoch: TrailRow.Epoch) throws(VaultError) -> TrailRow.Epoch {
        guard let keys else { throw VaultError(.keyMissing) }
        return try epoch.asItStands(in: store, keys)
    }

    /// Passes the records of a chain on, from one on, as long as each opens and follows the one before it.
    ///
    /// - Parameter body: returns false to stop.
    /// - Returns: whether every record that the row counts was there, or `body` stopped.
    @discardableResult
    func forEachRecord(
        of epoch: TrailRow.Epoch,
        from first: UInt64 = 0,
        _ body: (AuditRecord) throws(VaultError) -> Bool
    ) throws(VaultError) -> Bool {
        guard let keys else { return false }
        return try epoch.forEachRecord(in: store, from: first, keys, body)
    }
}
