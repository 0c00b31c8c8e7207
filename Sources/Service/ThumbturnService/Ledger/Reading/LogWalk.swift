import ThumbturnAudit
import ThumbturnRules

/// An upload as its row has it: which records it added, and what the device signed for them.
struct StoredUpload: Equatable, Sendable {
    let firstIndex: UInt64
    let device: Identifier
    let epoch: Identifier
    /// The `seq` of the first record that it added, which may lie behind the first one that it had.
    let firstSeq: UInt64
    /// How many records it added.
    let count: UInt64
    let header: [UInt8]
    let signature: [UInt8]

    fileprivate init(_ row: StoreRow) throws(StoreError) {
        guard let device = Identifier(bytes: try row.blob(1)), let epoch = Identifier(bytes: try row.blob(2)) else {
            throw .damaged
        }
        (firstIndex, self.device, self.epoch) = (try row.count(0), device, epoch)
        (firstSeq, count) = (try row.count(3), try row.count(4))
        (header, signature) = (try row.blob(5), try row.blob(6))
    }
}

/// Leaves of a log with what belongs to them, as one transaction read it.
struct LogBatch {
    /// Index and bytes, in order; an index may be missing.
    let leaves: [(index: UInt64, leaf: [UInt8])]
    /// The uploads that begin in the batch, in order.
    let uploads: [StoredUpload]
    /// The signed heads whose size lies behind the batch's start and not behind its end, in order; in the first batch also
    /// the one of the empty log.
    let notes: [(size: UInt64, note: [UInt8])]
    /// The hashes of the lowest tile, in which the batch lies.
    let tile: [UInt8]
}

/// Reads a log from its beginning, a batch per transaction: so its length costs no memory, and nothing waits for the
/// reader.
///
/// What lies below a log's size never changes, so the batches fit together, though the log grows meanwhile.
struct LogWalk {
    /// The most leaves of a batch: those of one tile.
    static let width = UInt64(MerkleTile.width)

    let log: Int64
    let store: any Store

    /// Reads the batch that begins at an index, and ends with its tile.
    ///
    /// - Parameter end: how far the log reaches.
    func batch(from index: UInt64, to end: UInt64) throws(StoreError) -> LogBatch {
        let end = min(end, (index / Self.width + 1) * Self.width)
        return try store.reading { transaction throws(StoreError) in
            LogBatch(
                leaves: try leaves(from: index, to: end, transaction),
                uploads: try uploads(from: index, to: end, transaction),
                notes: try notes(from: index, to: end, transaction),
                tile: try tile(MerkleTile(level: 0, number: index / Self.width), transaction)
            )
        }
    }

    /// Returns the hashes of a stored tile; none where there is no such tile.
    func tile(_ tile: MerkleTile, _ transaction: any StoreTransaction) throws(StoreError) -> [UInt8] {
        try transaction.row(
            "SELECT hashes FROM tiles WHERE log = $1 AND level = $2 AND number = $3",
            .integer(log),
            .integer(Int64(tile.level)),
            .count(tile.number)
        )?.blob(0) ?? []
    }

    private func leaves(
        from index: UInt64,
        to end: UInt64,
        _ transaction: any StoreTransaction
    ) throws(StoreError) -> [(index: UInt64, leaf: [UInt8])] {
        let rows = try transaction.rows(
            "SELECT idx, leaf FROM leaves WHERE log = $1 AND idx >= $2 AND idx < $3 ORDER BY idx",
            .integer(log),
            .count(index),
            .count(end)
        )
        return try rows.map { row throws(StoreError) in (try row.count(0), try row.blob(1)) }
    }

    func uploads(
        from index: UInt64,
        to end: UInt64,
        _ transaction: any StoreTransaction
    ) throws(StoreError) -> [StoredUpload] {
        let rows = try transaction.rows(
            """
            SELECT first_idx, device_id, epoch, first_seq, record_count, header, signature FROM uploads
            WHERE log = $1 AND first_idx >= $2 AND first_idx < $3 ORDER BY first_idx
            """,
            .integer(log),
            .count(index),
            .count(end)
        )
        return try rows.map { row throws(StoreError) in try StoredUpload(row) }
    }

    private func notes(
        from index: UInt64,
        to end: UInt64,
        _ transaction: any StoreTransaction
    ) throws(StoreError) -> [(size: UInt64, note: [UInt8])] {
        let rows = try transaction.rows(
            "SELECT size, note FROM notes WHERE log = $1 AND size >= $2 AND size <= $3 ORDER BY size",
            .integer(log),
            .count(index == 0 ? 0 : index + 1),
            .count(end)
        )
        return try rows.map { row throws(StoreError) in (try row.count(0), try row.blob(1)) }
    }
}
