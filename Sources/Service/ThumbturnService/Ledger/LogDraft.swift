import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// One transaction on a log, from the state before it to the one behind it.
///
/// It writes nothing that a reader could meet before the log's row is swapped, which comes last.
struct LogDraft {
    /// What became of an upload.
    enum Outcome: Sendable {
        /// The log has it, now or since an earlier time.
        case placed(PendingUpload.Place)
        case refused(Problem)
    }

    let log: Int64
    let former: LogHead
    private let formerKeys: [LogKey]
    let now: ServiceTime
    let transaction: any StoreTransaction
    private(set) var state: LogState
    /// What was known before.
    private let known: LogMemory
    /// What this transaction adds to that.
    let learned = LogMemory()
    private(set) var outcomes: [(upload: PendingUpload, outcome: Outcome)] = []
    /// The chains that changed, and those of them that are new.
    private var changed: Set<Chain.Name> = []
    private var begun: Set<Chain.Name> = []
    /// The chains that were forked, for the alarm.
    private(set) var forked: [Chain.Name] = []
    /// The service's entries among the leaves from an index on, as far as they were looked for.
    private var entered: (from: UInt64, found: [(index: UInt64, entry: LedgerEntry)])

    init(_ state: LogState, _ known: LogMemory, at clock: ServiceTime, _ transaction: any StoreTransaction) {
        (self.state, self.known, self.transaction) = (state, known, transaction)
        (log, former, formerKeys) = (state.head.log, state.head, state.keys)
        entered = (state.head.size, [])
        now = max(clock, state.head.time)
    }

    /// Whether it wrote anything; a log's first key comes without an entry.
    var hasChanges: Bool { state.head != former || state.keys != formerKeys }

    /// Appends an entry of the service's own.
    mutating func append(_ entry: LedgerEntry) throws(StoreError) {
        try append(leaf: entry.leaf(at: Milliseconds(now.count)))
    }

    /// Appends an entry from the outbox.
    mutating func take(_ entry: LedgerEntry, number: Int64) throws(StoreError) {
        try append(entry)
        state.head.outbox = number
    }

    private mutating func append(leaf: [UInt8]) throws(StoreError) {
        try transaction.put(
            "INSERT INTO leaves (log, idx, leaf) VALUES ($1, $2, $3)",
            with: [.integer(log), .count(state.head.size), .blob(leaf)]
        )
        state.edge.append(MerkleTree.leaf(leaf))
        state.head.size += 1
        state.head.time = now
    }

    /// Writes tiles, chains and the log's row.
    ///
    /// - Returns: false if something else changed the log meanwhile; nothing may be committed then.
    mutating func finish() throws(StoreError) -> Bool {
        guard hasChanges else { return true }
        for (tile, hashes) in state.edge.changes { try write(tile, hashes) }
        for name in changed {
            guard let chain = learned.chains[name] else { continue }
            if begun.contains(name) {
                try chain.insert(log, name, transaction)
            } else {
                try chain.update(log, name, transaction)
            }
        }
        state.head.root = state.edge.root
        return try state.head.swap(former, transaction)
    }

    private func write(_ tile: MerkleTile, _ hashes: [UInt8]) throws(StoreError) {
        let place: [StoreValue] = [.blob(hashes), .integer(log), .integer(Int64(tile.level)), .count(tile.number)]
        let wasThere = former.size >> (8 * UInt64(tile.level)) > tile.number << 8
        if wasThere {
            let update: StaticString = "UPDATE tiles SET hashes = $1 WHERE log = $2 AND level = $3 AND number = $4"
            try transaction.put(update, with: place)
        } else {
            let insert: StaticString = "INSERT INTO tiles (hashes, log, level, number) VALUES ($1, $2, $3, $4)"
            try transaction.put(insert, with: place)
        }
    }
}

// Signed heads and their keys.
extension LogDraft {
    /// Stores the signature of a head, and what it says of the keys that made it.
    mutating func store(_ signed: SignedHead) throws(StoreError) {
        let size = signed.note.checkpoint.size
        try transaction.put(
            "INSERT INTO notes (log, size, note) VALUES ($1, $2, $3)",
            with: [.integer(log), .count(size), .blob(signed.note.text)]
        )
        state.head.signed = size
        let formerSigned = state.keys.contains { $0.from != nil && signed.keys.contains($0.publicKey) }
        for index in state.keys.indices where signed.keys.contains(state.keys[index].publicKey) {
            let key = state.keys[index]
            if key.from == nil, index > 0 {
                // It counts from the head on that a former key signed beside it.
                guard formerSigned else { continue }
                state.keys[index].note = signed.note.text
            }
            if key.from == nil || (key.from == 0 && size > 0) { state.keys[index].from = size }
            if state.keys[index] != key { try state.keys[index].update(log, transaction) }
        }
    }

    /// Announces the keys that are to sign; a later one by an entry.
    mutating func announce(_ keys: [[UInt8]]) throws(StoreError) {
        // The first of the list is the newest.
        for key in keys.reversed() where !state.keys.contains(where: { $0.publicKey == key }) {
            let row = LogKey(position: Int64(state.keys.count), publicKey: key)
            if row.position > 0 {
                guard let id = try? AuditKey(publicKey: key, from: 0).id else { throw .damaged }
                try append(.keyRotated(keyId: id, publicKeySha256: SHA256.digest(key)))
            }
            try row.insert(log, transaction)
            state.keys.append(row)
        }
    }
}

// Uploads.
extension LogDraft {
    /// Judges an upload, and appends what is new of it.
    mutating func take(_ pending: PendingUpload) throws(StoreError) {
        let incoming = pending.incoming
        var quota = try self.quota(of: incoming.upload.deviceId)
        let known = try chain(incoming.chain)
        var chain = known ?? Chain(incoming.chain, of: incoming.user, publicKey: incoming.publicKey)
        let verdict = try IngestRule.judge(
            incoming.judged,
            next: chain.next,
            head: chain.head,
            isEnded: chain.isEnded
        ) { (seq) throws(StoreError) in try storedRecord(seq, of: incoming.chain).hash }
        switch verdict {
        case .known: try answerKnown(pending)
        case .gap: outcomes.append((pending, .refused(.gap(expected: chain.next, head: chain.head))))
        case .fork(let seq):
            if !chain.isEnded, known != nil, quota.takesEntry { try end(&chain, by: incoming, at: seq, &quota) }
            outcomes.append((pending, .refused(Problem(.fork))))
        case .append(let seq):
            let new = incoming.records.drop { $0.seq < seq }
            guard quota.takes(records: new.count) else {
                return outcomes.append((pending, .refused(.wait(quota.wait(at: now), .quota))))
            }
            quota.add(records: new.count)
            try append(Array(new), of: pending, to: chain, isNew: known == nil)
        }
        learned.quotas[incoming.upload.deviceId] = quota
    }

    /// Enters that a device's upload was refused, unless the device has had too many today, or a commit whose answer was
    /// lost has entered it.
    mutating func take(_ rejection: LedgerWork.Rejection) throws(StoreError) {
        if let since = rejection.since, try hasEntry(rejection.entry, from: since) { return }
        var quota = try self.quota(of: rejection.chain.device)
        guard quota.takesEntry else { return }
        try quota.addEntry(about: rejection.chain.device, in: log, transaction)
        learned.quotas[rejection.chain.device] = quota
        try append(rejection.entry)
    }

    private mutating func append(
        _ records: [AuditRecord],
        of pending: PendingUpload,
        to chain: Chain,
        isNew: Bool
    ) throws(StoreError) {
        let (incoming, first) = (pending.incoming, state.head.size)
        for record in records { try append(leaf: AuditLeaf.record(record, at: Milliseconds(now.count))) }
        try transaction.put(
            """
            INSERT INTO uploads (log, first_idx, device_id, epoch, first_seq, record_count, header, signature, ts)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            with: [
                .integer(log), .count(first), .blob(incoming.chain.device.bytes), .blob(incoming.chain.epoch.bytes),
                .count(records[0].seq), .integer(Int64(records.count)), .blob(incoming.upload.header),
                .blob(incoming.signature), .integer(now.count),
            ]
        )
        var chain = chain
        (chain.next, chain.head) = (incoming.upload.lastSeq + 1, incoming.upload.headHash)
        put(chain, incoming.chain, isNew: isNew)
        let firstIndex =
            records.count == incoming.records.count
            ? first : try place(of: incoming.upload.firstSeq, in: incoming.chain).index
        outcomes.append(
            (pending, .placed(.init(firstIndex: firstIndex, lastIndex: state.head.size - 1, time: now)))
        )
    }

    private mutating func answerKnown(_ pending: PendingUpload) throws(StoreError) {
        let (upload, chain) = (pending.incoming.upload, pending.incoming.chain)
        let last = try place(of: upload.lastSeq, in: chain)
        // The same request once more is refused on every instance: what it stored has its nonce. This one may have
        // stored it itself.
        guard pending.mayBeStored || last.header != upload.header else {
            return outcomes.append((pending, .refused(Problem(.nonce))))
        }
        let first = try place(of: upload.firstSeq, in: chain)
        outcomes.append(
            (pending, .placed(.init(firstIndex: first.index, lastIndex: last.index, time: last.time)))
        )
    }

    /// Ends a chain, and keeps the upload that forked it.
    private mutating func end(
        _ chain: inout Chain,
        by incoming: IncomingUpload,
        at seq: UInt64,
        _ quota: inout DeviceQuota
    ) throws(StoreError) {
        let body = incoming.body
        try quota.addEntry(about: incoming.chain.device, in: log, transaction)
        try transaction.put(
            """
            INSERT INTO forks (log, device_id, epoch, idx, header, signature, body) VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            with: [
                .integer(log), .blob(incoming.chain.device.bytes), .blob(incoming.chain.epoch.bytes),
                .count(state.head.size), .blob(incoming.upload.header), .blob(incoming.signature), .blob(body),
            ]
        )
        try append(
            .fork(
                device: incoming.chain.device,
                epoch: incoming.chain.epoch,
                seq: seq,
                user: incoming.user,
                bodySha256: SHA256.digest(body)
            )
        )
        chain.isEnded = true
        put(chain, incoming.chain, isNew: false)
        forked.append(incoming.chain)
    }
}

// What the log knows.
extension LogDraft {
    private mutating func put(_ chain: Chain, _ name: Chain.Name, isNew: Bool) {
        learned.chains[name] = chain
        changed.insert(name)
        if isNew { begun.insert(name) }
    }

    private func chain(_ name: Chain.Name) throws(StoreError) -> Chain? {
        if let chain = learned.chains[name] ?? known.chains[name] { return chain }
        let chain = try Chain(log, name, transaction)
        if let chain { learned.chains[name] = chain }
        return chain
    }

    private func quota(of device: Identifier) throws(StoreError) -> DeviceQuota {
        guard var quota = learned.quotas[device] ?? known.quotas[device] else {
            return try DeviceQuota(of: device, at: now, in: log, transaction)
        }
        quota.follow(now)
        return quota
    }

    /// Where the log has a record: with the upload that brought it.
    private func place(
        of seq: UInt64,
        in chain: Chain.Name
    ) throws(StoreError) -> (index: UInt64, header: [UInt8], time: ServiceTime) {
        let row = try transaction.row(
            """
            SELECT first_idx, first_seq, record_count, header, ts FROM uploads
            WHERE log = $1 AND device_id = $2 AND epoch = $3 AND first_seq <= $4 ORDER BY first_idx DESC LIMIT 1
            """,
            .integer(log),
            .blob(chain.device.bytes),
            .blob(chain.epoch.bytes),
            .count(seq)
        )
        guard let row, case let (first, count) = (try row.count(1), try row.count(2)), seq - first < count else {
            throw .damaged
        }
        return (try row.count(0) + (seq - first), try row.blob(3), ServiceTime(try row.integer(4)))
    }

    /// Whether one of the leaves from an index on is this entry.
    private mutating func hasEntry(_ entry: LedgerEntry, from index: UInt64) throws(StoreError) -> Bool {
        if index < entered.from { try findEntries(from: index) }
        return entered.found.contains { $0.index >= index && $0.entry == entry }
    }

    /// Reads the leaves from an index on, of which a batch may have brought a quarter of a million.
    private mutating func findEntries(from start: UInt64) throws(StoreError) {
        entered = (start, [])
        var index = start
        while index < former.size {
            let end = min(index + 1_024, former.size)
            for (place, leaf) in zip(index..<end, try transaction.leaves(of: log, from: index, to: end)) {
                guard case .entry(let entry)? = try? AuditLeaf.read(leaf).content else { continue }
                entered.found.append((place, entry))
            }
            index = end
        }
    }

    private func storedRecord(_ seq: UInt64, of chain: Chain.Name) throws(StoreError) -> AuditRecord {
        let leaf = try transaction.leaf(place(of: seq, in: chain).index, of: log)
        guard case .record(let record)? = try? AuditLeaf.read(leaf).content else { throw .damaged }
        return record
    }
}
