import ThumbturnAudit
import ThumbturnRules

/// Verifies one log of the database, beside a service that goes on writing to it.
struct LogCheck {
    /// The most faults to name: what follows one is mostly due to it.
    static let mostFaults = 1_000

    let walk: LogWalk
    private let before: Milliseconds?
    /// What the first entry has to say, if this log took another one's place.
    private let first: LedgerEntry?
    private var tree = TreeCheck()
    private var chains: ChainsCheck
    private var notes: NotesCheck
    private(set) var report: LedgerReport.Log
    private var time = Milliseconds(0)
    /// How many entries came from the outbox.
    private var entries: Int64 = 0

    /// - Parameters:
    ///   - former: the log whose place this one took, which was verified.
    ///   - before: what is older may be archived.
    init(_ walk: LogWalk, origin: String, behind former: LogCheck?, before: Milliseconds?) {
        (self.walk, self.before) = (walk, before)
        first = former?.successor
        (chains, notes) = (ChainsCheck(origin: origin), NotesCheck(origin: origin))
        report = LedgerReport.Log(log: walk.log, origin: origin)
    }

    /// What the log that takes this one's place begins with.
    private var successor: LedgerEntry {
        .restored(
            formerOrigin: report.origin,
            size: notes.head?.size ?? 0,
            root: notes.head?.root ?? MerkleTree.emptyRoot
        )
    }

    /// Verifies all that the log has.
    mutating func run() throws(StoreError) {
        let outbox = try OutboxCheck(walk.log, walk.store)
        guard let head = try advance() else {
            let leaf = try walk.store.reading { transaction throws(StoreError) in
                try transaction.row("SELECT idx FROM leaves WHERE log = $1 LIMIT 1", .integer(walk.log))
            }
            if leaf != nil { add([.logMissing]) }
            return
        }
        let suspects = try compareChains()
        // A row that says more than the leaves may be newer than they: it is read once more, together with the head.
        let last = suspects.isEmpty ? head : try again(suspects) ?? head
        add([chains.finish()].compactMap { $0 } + notes.finish())
        add(try outbox.faults(behind: head, walk.store))
        if chains.lastDoubt == nil, last.outbox != entries {
            add([.outboxCount(entries: entries, counted: last.outbox)])
        }
        add(try ForksCheck(walk.log, walk.store).faults(below: last.size))
        report.remarks = chains.remarks
    }

    private mutating func add(_ faults: [LedgerFault]) {
        report.faultCount += faults.count
        report.faults += faults.prefix(max(0, Self.mostFaults - report.faults.count))
    }
}

// Leaves and heads.
extension LogCheck {
    /// What one transaction reads of a log: its row, its keys, and what lies behind its end.
    private struct Snapshot {
        let head: LogHead
        let keys: [AuditKey]
        /// The size of the newest signed head, and the first leaf behind the end.
        let newest: UInt64?
        let surplus: UInt64?
        var rows: [Chain.Name: Chain] = [:]
    }

    /// Verifies the leaves as far as the log reaches now.
    private mutating func advance(_ names: [Chain.Name] = []) throws(StoreError) -> LogHead? {
        guard let snapshot = try snapshot(names) else { return nil }
        let head = snapshot.head
        report.head = head
        report.keys = snapshot.keys.map(\.id)
        add(notes.take(snapshot.keys))
        if !head.origin.utf8.elementsEqual(report.origin.utf8) { add([.originWrong]) }
        if let surplus = snapshot.surplus { add([.leafUncounted(surplus)]) }
        while tree.size < head.size || (head.size == 0 && notes.last == nil) {
            let batch = try walk.batch(from: tree.size, to: head.size)
            try take(batch, to: min(head.size, (tree.size / LogWalk.width + 1) * LogWalk.width))
            if head.size == 0 { break }
        }
        if let signed = head.signed, notes.last != signed { add([.noteMissing(size: signed)]) }
        // What no head covers yet, the row alone can tell.
        if tree.isDoubtful { add(tree.judge(head.root)) }
        let isTimeRight = head.size == 0 || head.time.count == time.count || chains.lastDoubt == head.size - 1
        let isSignedRight = snapshot.newest == head.signed || notes.last != head.signed
        if !tree.has(head.root) || !isTimeRight || !isSignedRight { add([.headWrong(size: head.size)]) }
        for (name, row) in snapshot.rows where !chains.agrees(row, name) { add([chains.fault(name)]) }
        return head
    }

    private func snapshot(_ names: [Chain.Name]) throws(StoreError) -> Snapshot? {
        let log = walk.log
        return try walk.store.reading { transaction throws(StoreError) in
            guard let head = try LogHead.read(log, transaction) else { return nil }
            let newest = try transaction.row(
                "SELECT size FROM notes WHERE log = $1 ORDER BY size DESC LIMIT 1",
                .integer(log)
            )
            let surplus = try transaction.row(
                "SELECT idx FROM leaves WHERE log = $1 AND idx >= $2 ORDER BY idx LIMIT 1",
                .integer(log),
                .count(head.size)
            )
            var snapshot = Snapshot(
                head: head,
                keys: try transaction.keys(of: log),
                newest: try newest?.count(0),
                surplus: try surplus?.count(0)
            )
            for name in names { snapshot.rows[name] = try Chain(log, name, transaction) }
            return snapshot
        }
    }

    private mutating func take(_ batch: LogBatch, to end: UInt64) throws(StoreError) {
        var (leaves, uploads, notes) = (batch.leaves[...], batch.uploads[...], batch.notes[...])
        if tree.size == 0 { while let note = notes.first, note.size == 0 { judge(note); notes.removeFirst() } }
        while tree.size < end {
            let index = tree.size
            let leaf = leaves.first?.index == index ? leaves.removeFirst().leaf : nil
            if uploads.first?.firstIndex == index { add([chains.begin(uploads.removeFirst())].compactMap { $0 }) }
            let place = Int(index % LogWalk.width) * MerkleTree.emptyRoot.count
            let hash = batch.tile.dropFirst(place).prefix(MerkleTree.emptyRoot.count)
            let stored = hash.count == MerkleTree.emptyRoot.count ? Array(hash) : nil
            add([tree.add(leaf, stored)].compactMap { $0 })
            try take(leaf.flatMap { stored == nil || MerkleTree.leaf($0) == stored ? $0 : nil }, at: index)
            if let note = notes.first, note.size == index + 1 {
                judge(note)
                notes.removeFirst()
            }
        }
        add(
            try tree.settle { (tile) throws(StoreError) in
                try walk.store.reading { transaction throws(StoreError) in try walk.tile(tile, transaction) }
            }
        )
    }

    private mutating func judge(_ note: (size: UInt64, note: [UInt8])) {
        let (root, faults) = notes.take(note.size, note.note)
        add(faults)
        if let root { add(tree.judge(root)) }
    }

    /// Takes what a leaf says; `nil` for one that is missing, or not the one that its tile has.
    private mutating func take(_ leaf: [UInt8]?, at index: UInt64) throws(StoreError) {
        guard let leaf else { return chains.skip(index) }
        guard let (content, at) = try? AuditLeaf.read(leaf) else {
            chains.skip(index)
            return add([.leafMalformed(index)])
        }
        if at < time { add([.timeFell(index)]) }
        time = max(at, time)
        if index == 0, let first, content != .entry(first) { add([.formerWrong]) }
        if let before, at < before { report.older = index + 1 }
        switch content {
        case .entry(let entry):
            if entry.isOfOutbox { entries += 1 }
            add([chains.take(entry, at: index)].compactMap { $0 })
        case .record(let record):
            let faults = try chains.take(record, at: index) { (name) throws(StoreError) in
                try walk.store.reading { transaction throws(StoreError) in try Chain(walk.log, name, transaction) }
            }
            add(faults)
        }
    }
}

// Rows beside the leaves.
extension LogCheck {
    /// Compares the chains' rows with the records.
    ///
    /// - Returns: those that differ.
    private mutating func compareChains() throws(StoreError) -> [Chain.Name] {
        var suspects: [Chain.Name] = []
        var last: (device: [UInt8], epoch: [UInt8]) = ([], [])
        while true {
            let names = try walk.store.reading { transaction throws(StoreError) in
                try transaction.rows(
                    """
                    SELECT device_id, epoch FROM chains
                    WHERE log = $1 AND device_id >= $2 AND (device_id > $2 OR epoch > $3)
                    ORDER BY device_id, epoch LIMIT 256
                    """,
                    .integer(walk.log),
                    .blob(last.device),
                    .blob(last.epoch)
                ).map { row throws(StoreError) in (device: try row.blob(0), epoch: try row.blob(1)) }
            }
            let rows = try walk.store.reading { transaction throws(StoreError) in
                try names.map { name throws(StoreError) -> (Chain.Name, Chain?) in
                    guard let device = Identifier(bytes: name.device), let epoch = Identifier(bytes: name.epoch) else {
                        throw .damaged
                    }
                    let name = Chain.Name(device: device, epoch: epoch)
                    return (name, try Chain(walk.log, name, transaction))
                }
            }
            for (name, row) in rows where row.map({ !chains.agrees($0, name) }) ?? true { suspects.append(name) }
            guard let end = names.last else { break }
            last = end
        }
        add(chains.unseen)
        return suspects
    }

    /// Reads the rows of these chains together with the log's, and verifies what came since.
    private mutating func again(_ suspects: [Chain.Name]) throws(StoreError) -> LogHead? {
        let few = Array(suspects.prefix(Self.mostFaults))
        add(suspects.dropFirst(few.count).map(chains.fault))
        return try advance(few)
    }
}
