import ThumbturnAudit

/// Verifies that every entry that waits for a log is there: none was left out, and none has another's number.
///
/// The outbox is read before the log's row, since what the log has taken may be deleted from it any time.
struct OutboxCheck {
    private let log: Int64
    private let last: Int64
    /// The numbers of the entries that can be read.
    private var numbers: Set<Int64> = []

    init(_ log: Int64, _ store: any Store) throws(StoreError) {
        self.log = log
        last = try Self.last(log, store)
        var number: Int64? = 0
        while let former = number {
            let rows = try store.reading { transaction throws(StoreError) in
                try transaction.rows(
                    "SELECT number, content FROM outbox WHERE log = $1 AND number > $2 ORDER BY number LIMIT 1024",
                    .integer(log),
                    .integer(former)
                )
            }
            for row in rows where (try? LedgerEntry(reading: row.blob(1))) != nil { numbers.insert(try row.integer(0)) }
            number = try rows.last?.integer(0)
        }
    }

    private static func last(_ log: Int64, _ store: any Store) throws(StoreError) -> Int64 {
        try store.reading { transaction throws(StoreError) in
            try transaction.row("SELECT last FROM outbox_ends WHERE log = $1", .integer(log))?.integer(0) ?? 0
        }
    }

    /// - Parameter head: the log's row, read since.
    func faults(behind head: LogHead, _ store: any Store) throws(StoreError) -> [LedgerFault] {
        guard !head.isEnded else { return [] }
        guard head.outbox <= (try Self.last(log, store)) else { return [.outboxWrong(number: head.outbox)] }
        guard head.outbox < last else { return [] }
        return ((head.outbox + 1)...last).filter { !numbers.contains($0) }.map { .outboxWrong(number: $0) }
    }
}
