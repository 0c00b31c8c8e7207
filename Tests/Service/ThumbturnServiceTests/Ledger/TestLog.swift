import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

@testable import ThumbturnService

/// A log of a service's database, filled by a test: its rows are what the service writes.
final class TestLog {
    let number: Int64
    let origin: String
    private let store: any Store
    private let signer: P256PrivateKey
    private(set) var edge = MerkleEdge()
    /// The bytes of each leaf, and the hash.
    private(set) var leaves: [[UInt8]] = []
    private(set) var hashes: [[UInt8]] = []
    /// The signed heads, oldest first.
    private(set) var notes: [AuditNote] = []
    /// What each leaf's time is.
    var time = Milliseconds(1_700_000_000_000)
    private var outbox: Int64 = 0

    var size: UInt64 { UInt64(leaves.count) }
    var key: AuditKey {
        get throws {
            let first = notes.first { $0.checkpoint.size > 0 }
            return try AuditKey(publicKey: signer.publicKey, from: first?.checkpoint.size ?? 0)
        }
    }

    /// Makes the log, and signs it empty.
    ///
    /// - Parameter isBegun: whether its outbox has numbers already.
    init(_ number: Int64, origin: String, in store: any Store, isBegun: Bool = false) throws {
        (self.number, self.origin, self.store) = (number, origin, store)
        signer = try P256PrivateKey.make()
        let publicKey = signer.publicKey
        try store.transaction { transaction throws(StoreError) in
            try LogHead.empty(number, origin: origin).insert(transaction)
            try LogKey(position: 0, publicKey: publicKey).insert(number, transaction)
            if !isBegun { try Outbox.begin(number, transaction) }
        }
        try sign()
    }

    /// Makes all logs of a service.
    static func all(_ count: Int, in store: any Store) throws -> [TestLog] {
        let plan = LedgerPlan(count: count)
        _ = try ServiceName.establish(ServiceRoom.origin, in: store)
        try store.transaction { transaction throws(StoreError) in try plan.write(transaction) }
        return try plan.logs.map { try TestLog($0, origin: plan.origin(of: $0, of: ServiceRoom.origin), in: store) }
    }

    /// Adds entries as from the outbox.
    func add(entries: [LedgerEntry]) throws {
        outbox += Int64(entries.count)
        try add(entries.map { $0.leaf(at: time) })
    }

    /// Adds so many entries that say nothing of interest.
    func add(count: Int) throws {
        let (first, log) = (size, UInt64(number))
        let users = (0..<UInt64(count)).map { Identifier(high: log, low: first + $0) }
        try add(entries: users.map { .passwordChanged(user: $0, policyEpoch: 1) })
    }

    /// Adds leaves and what follows from them, in one transaction.
    func add(
        _ new: [[UInt8]],
        and more: (any StoreTransaction) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws {
        let former = size
        for leaf in new {
            leaves.append(leaf)
            hashes.append(MerkleTree.leaf(leaf))
            edge.append(hashes[hashes.count - 1])
        }
        let (changes, log) = (edge.changes, number)
        let (size, root, time, outbox) = (size, edge.root, time, outbox)
        try store.transaction { transaction throws(StoreError) in
            for (place, leaf) in new.enumerated() {
                try transaction.put(
                    "INSERT INTO leaves (log, idx, leaf) VALUES ($1, $2, $3)",
                    with: [.integer(log), .count(former + UInt64(place)), .blob(leaf)]
                )
            }
            for (tile, hashes) in changes {
                try transaction.put(
                    "DELETE FROM tiles WHERE log = $1 AND level = $2 AND number = $3",
                    with: [.integer(log), .integer(Int64(tile.level)), .count(tile.number)]
                )
                try transaction.put(
                    "INSERT INTO tiles (log, level, number, hashes) VALUES ($1, $2, $3, $4)",
                    with: [.integer(log), .integer(Int64(tile.level)), .count(tile.number), .blob(hashes)]
                )
            }
            try transaction.run(
                "UPDATE logs SET size = $1, root = $2, ts = $3, outbox = $4 WHERE log = $5",
                .count(size),
                .blob(root),
                .integer(time.count),
                .integer(outbox),
                .integer(log)
            )
            try transaction.run(
                "UPDATE outbox_ends SET last = $1 WHERE log = $2 AND last < $1",
                .integer(outbox),
                .integer(log)
            )
            try more(transaction)
        }
        edge.settle(keeping: size)
    }

    /// Signs the head, unless it is signed.
    func sign() throws {
        guard notes.last?.checkpoint.size != size else { return }
        let checkpoint = try AuditCheckpoint(origin: origin, size: size, root: edge.root)
        let key = try AuditKey(publicKey: signer.publicKey, from: 0)
        let line = try AuditNote.Signature(
            name: origin,
            keyId: key.keyId,
            bytes: signer.sign(checkpoint.text)
        )
        let note = try AuditNote(checkpoint, signatures: [line])
        notes.append(note)
        let (log, size, from) = (number, size, try self.key.from)
        try store.transaction { transaction throws(StoreError) in
            try transaction.run(
                "INSERT INTO notes (log, size, note) VALUES ($1, $2, $3)",
                .integer(log),
                .count(size),
                .blob(note.text)
            )
            try transaction.run("UPDATE logs SET signed = $1 WHERE log = $2", .count(size), .integer(log))
            try transaction.run("UPDATE log_keys SET from_size = $1 WHERE log = $2", .count(from), .integer(log))
        }
    }

    /// What readers get of a leaf.
    func view(_ index: UInt64) throws -> String {
        let note = try #require(notes.first { $0.checkpoint.size > index })
        let signature = try #require(note.signature(by: try key))
        return String(
            decoding: AuditLeaf.view(leaves[Int(index)], signature: signature, keyId: try key.id),
            as: UTF8.self
        )
    }
}
