/// Reads logs for auditors, each call in one transaction on one log.
package struct LedgerReader {
    private let store: any Store

    /// Reads over a connection.
    package init(_ store: any Store) { self.store = store }

    /// Returns how many logs there are; `nil` before the first start with a ledger.
    package func plan() throws(StoreError) -> LedgerPlan? {
        try store.reading { transaction throws(StoreError) in try LedgerPlan.read(transaction) }
    }

    /// Reads from a log what `body` asks for.
    ///
    /// - Returns: `nil` where there is no such log, or none of its heads is signed yet.
    func read<R>(
        _ log: Int64,
        _ body: (SignedLog) throws(StoreError) -> R
    ) throws(StoreError) -> R? {
        try store.reading { transaction throws(StoreError) in
            guard let log = try SignedLog(log, transaction) else { return nil }
            return try body(log)
        }
    }
}
