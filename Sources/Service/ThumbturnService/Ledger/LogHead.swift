import ThumbturnAudit

/// Where a log stands: its row.
struct LogHead: Equatable, Sendable {
    let log: Int64
    let origin: String
    /// The number of leaves.
    var size: UInt64
    /// The root of their tree.
    var root: [UInt8]
    /// The size of the newest signed head; nil before the first.
    var signed: UInt64?
    /// The time of the last leaf, which never falls.
    var time: ServiceTime
    /// The number of the last entry that was taken from the outbox.
    var outbox: Int64
    /// Whether `restored` has begun the next log.
    var isEnded = false

    /// A log without leaves.
    static func empty(_ log: Int64, origin: String) -> LogHead {
        LogHead(
            log: log,
            origin: origin,
            size: 0,
            root: MerkleTree.emptyRoot,
            signed: nil,
            time: ServiceTime(0),
            outbox: 0
        )
    }

    /// What is to be signed.
    var checkpoint: AuditCheckpoint {
        get throws(StoreError) {
            do throws(AuditError) { return try AuditCheckpoint(origin: origin, size: size, root: root) } catch {
                throw .damaged
            }
        }
    }
}

extension LogHead {
    /// Reads a log's row; nil where there is none.
    static func read(_ log: Int64, _ transaction: any StoreTransaction) throws(StoreError) -> LogHead? {
        let row = try transaction.row(
            "SELECT origin, size, root, signed, ts, outbox, ended FROM logs WHERE log = $1",
            .integer(log)
        )
        guard let row else { return nil }
        let signed = try row.integer(3)
        return LogHead(
            log: log,
            origin: try row.text(0),
            size: try row.count(1),
            root: try row.blob(2),
            signed: signed < 0 ? nil : UInt64(signed),
            time: ServiceTime(try row.integer(4)),
            outbox: try row.integer(5),
            isEnded: try row.integer(6) != 0
        )
    }

    /// Writes the row of a new log.
    func insert(_ transaction: any StoreTransaction) throws(StoreError) {
        try transaction.run(
            """
            INSERT INTO logs (log, origin, size, root, signed, ts, outbox, ended)
            VALUES ($1, $2, $3, $4, $5, $6, $7, 0)
            """,
            .integer(log),
            .text(origin),
            .count(size),
            .blob(root),
            signed.map(StoreValue.count) ?? .integer(-1),
            .integer(time.count),
            .integer(outbox)
        )
    }

    /// Replaces `former` by this, if the log still stands there and goes on (compare-and-swap).
    ///
    /// - Returns: whether it did.
    func swap(_ former: LogHead, _ transaction: any StoreTransaction) throws(StoreError) -> Bool {
        try transaction.run(
            """
            UPDATE logs SET size = $1, root = $2, signed = $3, ts = $4, outbox = $5
            WHERE log = $6 AND size = $7 AND root = $8 AND signed = $9 AND outbox = $10 AND ended = 0
            """,
            .count(size),
            .blob(root),
            signed.map(StoreValue.count) ?? .integer(-1),
            .integer(time.count),
            .integer(outbox),
            .integer(log),
            .count(former.size),
            .blob(former.root),
            former.signed.map(StoreValue.count) ?? .integer(-1),
            .integer(former.outbox)
        ) == 1
    }
}

extension StoreValue {
    /// A number of leaves or records, which has 63 bits.
    static func count(_ count: UInt64) -> StoreValue { .integer(Int64(clamping: count)) }
}

extension StoreRow {
    /// Returns the number of leaves or records in `column`.
    func count(_ column: Int) throws(StoreError) -> UInt64 {
        guard let count = UInt64(exactly: try integer(column)) else { throw .damaged }
        return count
    }
}
