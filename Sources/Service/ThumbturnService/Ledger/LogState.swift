import ThumbturnAudit
import ThumbturnRules

/// What a sequencer holds of its log: the row, the tree's right edge, and the keys.
///
/// It is a value: a transaction works on a copy, which replaces the former state once it is durable.
struct LogState: Sendable {
    var head: LogHead
    var edge: MerkleEdge
    var keys: [LogKey]

    /// Reads a log; nil where there is none.
    init?(_ log: Int64, _ transaction: any StoreTransaction) throws(StoreError) {
        guard let head = try LogHead.read(log, transaction) else { return nil }
        self.head = head
        let edge = try MerkleEdge(size: head.size) { (tile) throws(StoreError) in try transaction.tile(tile, of: log) }
        guard let edge, edge.root == head.root else { throw .damaged }
        self.edge = edge
        keys = try LogKey.all(of: log, transaction)
    }
}

/// What is known of a log's chains and devices, of those that were looked at.
///
/// A transaction adds to one of its own, which is taken over once it is durable: a copy of all would cost more than what a
/// transaction writes.
final class LogMemory {
    /// Chains as they stand.
    var chains: [Chain.Name: Chain] = [:]
    /// What devices have written on a day.
    var quotas: [Identifier: DeviceQuota] = [:]

    /// The most chains and devices to remember: some 40 MB.
    private static let most = 65_536

    /// Takes over what a transaction learned, and forgets what was before where it would be too much.
    func learn(_ other: LogMemory) {
        if chains.count + other.chains.count > Self.most { chains = [:] }
        if quotas.count + other.quotas.count > Self.most { quotas = [:] }
        chains.merge(other.chains) { $1 }
        quotas.merge(other.quotas) { $1 }
    }
}

extension StoreTransaction {
    /// Returns the hashes of a stored tile, as many as there are.
    func tile(_ tile: MerkleTile, of log: Int64) throws(StoreError) -> [UInt8] {
        let row = try row(
            "SELECT hashes FROM tiles WHERE log = $1 AND level = $2 AND number = $3",
            .integer(log),
            .integer(Int64(tile.level)),
            .count(tile.number)
        )
        guard let row else { throw .damaged }
        return try row.blob(0)
    }

    /// Returns a leaf.
    func leaf(_ index: UInt64, of log: Int64) throws(StoreError) -> [UInt8] {
        let row = try row("SELECT leaf FROM leaves WHERE log = $1 AND idx = $2", .integer(log), .count(index))
        guard let row else { throw .damaged }
        return try row.blob(0)
    }

    /// Returns the first signed head that covers a number of leaves; nil where none does.
    func note(covering size: UInt64, of log: Int64) throws(StoreError) -> [UInt8]? {
        try row(
            "SELECT note FROM notes WHERE log = $1 AND size >= $2 ORDER BY size LIMIT 1",
            .integer(log),
            .count(size)
        )?
        .blob(0)
    }
}

/// A key that signs a log's heads, as its row has it.
struct LogKey: Equatable, Sendable {
    /// Its place among the log's keys, from 0.
    let position: Int64
    /// SubjectPublicKeyInfo in DER.
    let publicKey: [UInt8]
    /// The size of its first signed head that covers a leaf, 0 while there is none; nil until it signs the first.
    var from: UInt64?
    /// Of a later key: the first signed head that a former key signed beside it.
    var note: [UInt8]?

    /// The key as readers get it; nil until it signs.
    var published: AuditKey? {
        get throws(StoreError) {
            guard let from else { return nil }
            do throws(AuditError) { return try AuditKey(publicKey: publicKey, from: from, checkpoint: note) } catch {
                throw .damaged
            }
        }
    }

    static func all(of log: Int64, _ transaction: any StoreTransaction) throws(StoreError) -> [LogKey] {
        let rows = try transaction.rows(
            "SELECT position, public_key, from_size, note FROM log_keys WHERE log = $1 ORDER BY position",
            .integer(log)
        )
        return try rows.map { row throws(StoreError) in
            let from = try row.integer(2)
            return LogKey(
                position: try row.integer(0),
                publicKey: try row.blob(1),
                from: from < 0 ? nil : UInt64(from),
                note: try row.optionalBlob(3)
            )
        }
    }

    func insert(_ log: Int64, _ transaction: any StoreTransaction) throws(StoreError) {
        try transaction.put(
            "INSERT INTO log_keys (log, position, public_key, from_size, note) VALUES ($1, $2, $3, $4, $5)",
            with: [
                .integer(log), .integer(position), .blob(publicKey), from.map(StoreValue.count) ?? .integer(-1),
                .optional(note),
            ]
        )
    }

    func update(_ log: Int64, _ transaction: any StoreTransaction) throws(StoreError) {
        try transaction.put(
            "UPDATE log_keys SET from_size = $1, note = $2 WHERE log = $3 AND position = $4",
            with: [
                from.map(StoreValue.count) ?? .integer(-1), .optional(note), .integer(log), .integer(position),
            ]
        )
    }
}
