import ThumbturnAudit
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The writing of records within one transaction.
struct TrailWriting {
    var row: TrailRow
    private let store: VaultStore
    private let keys: TrailKeys
    private let now: ClockReading

    /// Goes on with a chain.
    init(_ row: TrailRow, in store: VaultStore, _ keys: TrailKeys, at now: ClockReading) {
        (self.row, self.store, self.keys, self.now) = (row, store, keys, now)
    }

    /// Begins a chain; the one before it stays, as far as it stands, and those before that which nobody waits for go.
    init(
        _ beginning: TrailEntry.Beginning,
        after standing: TrailRow?,
        in store: VaultStore,
        _ keys: TrailKeys,
        at now: ClockReading
    ) throws(VaultError) {
        (self.store, self.keys, self.now) = (store, keys, now)
        var chains = beginning.reason == .reset ? [] : standing?.chains ?? []
        if beginning.reason.doubtsFormer, let last = chains.popLast() {
            chains.append(try last.asItStands(in: store, keys))
        }
        // What lies behind the end is no record of a chain.
        let end = chains.last.map(\.end)
        try store.removeEvents(from: end ?? .min)
        row = TrailRow(
            secret: beginning.secret,
            log: standing?.log,
            epoch: TrailRow.Epoch(beginning, from: end ?? 0),
            formers: chains.keptBefore,
            position: standing?.position
        )
        try begin(beginning.reason)
    }

    /// Writes an event's record; or counts it, if it joins a run.
    mutating func add(_ event: AuditEvent) throws(VaultError) {
        guard event.isUnlimited else {
            try endRuns()
            return try write(event.kind, at: event.at.wall, event.payload)
        }
        if let index = row.runs.firstIndex(where: { $0.kind == event.kind }) {
            if row.runs[index].isJoined(at: event.at) {
                if row.runs[index].count == 0 { row.runs[index].first = event.at }
                row.runs[index].count &+= 1
                row.runs[index].last = event.at
                return
            }
            try end(row.runs.remove(at: index))
        }
        try write(event.kind, at: event.at.wall, event.payload)
        row.runs.append(
            TrailRow.Run(kind: event.kind, first: event.at, last: event.at, attemptCount: event.attemptCount)
        )
    }

    mutating func endRuns() throws(VaultError) {
        let runs = row.runs
        row.runs = []
        for run in runs { try end(run) }
    }

    private mutating func end(_ run: TrailRow.Run) throws(VaultError) {
        guard run.count > 0 else { return }
        var payload = AuditRecord.Payload(attemptCount: run.attemptCount, reason: AuditEvent.reason(ofRun: run.kind))
        if run.count > 1 { payload.run = AuditRecord.Payload.Run(count: run.count, until: run.last.wall) }
        try write(run.kind, at: run.first.wall, payload)
    }

    private mutating func write(
        _ kind: AuditEventKind,
        at time: Milliseconds,
        _ payload: AuditRecord.Payload
    ) throws(VaultError) {
        if row.epoch.next >= TrailRow.maximumCount { try beginNext() }
        try put(kind, at: time, payload)
    }

    private mutating func beginNext() throws(VaultError) {
        let former = row.epoch
        let beginning = TrailEntry.Beginning(
            reason: .full,
            vault: former.vault,
            writer: former.writer,
            secret: row.secret
        )
        row.formers = row.chains.keptBefore
        row.epoch = TrailRow.Epoch(beginning, from: former.end)
        try begin(.full)
    }

    private mutating func begin(_ reason: TrailReason) throws(VaultError) {
        let former = row.former.map { former in
            AuditRecord.Payload.Former(
                epoch: former.id,
                last: former.next > 0 ? AuditRecord.Payload.Former.Last(seq: former.next - 1, hash: former.head) : nil
            )
        }
        try put(.trailBegun, at: now.wall, AuditRecord.Payload(reason: reason.name, former: former))
    }

    private mutating func put(
        _ kind: AuditEventKind,
        at time: Milliseconds,
        _ payload: AuditRecord.Payload
    ) throws(VaultError) {
        let epoch = row.epoch
        do {
            let record = try AuditRecord(
                eventId: Identifier(uuid7At: time, random: .make()),
                kind: kind,
                userId: epoch.writer.user?.text,
                deviceId: epoch.writer.device,
                at: time,
                epoch: epoch.id,
                seq: epoch.next,
                payload: payload,
                previous: epoch.head
            )
            try store.addEvent(epoch.number(of: epoch.next), keys.seal(record, of: epoch))
            try store.trimEvents(outside: row.chains.map { $0.start..<$0.end })
            row.epoch.next += 1
            row.epoch.head = record.hash
        } catch let error as VaultError {
            throw error
        } catch {
            throw VaultError(.storageUnavailable, "a record: \(error)")
        }
    }
}

extension TrailRow.Run {
    /// How long after one failure another one joins its run.
    private static let lasts = Milliseconds(600_000)

    fileprivate func isJoined(at now: ClockReading) -> Bool {
        now.bootID == last.bootID && now.boottime - last.boottime <= Self.lasts
    }
}

extension TrailReason {
    /// Whether the former chain has to be read to know how far it stands.
    fileprivate var doubtsFormer: Bool {
        switch self {
        case .damaged, .cut, .putBack, .lost: true
        case .created, .restored, .reinstalled, .deviceChanged, .full, .reset: false
        }
    }
}
