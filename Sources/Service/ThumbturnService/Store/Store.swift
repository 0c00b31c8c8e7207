/// The storage for accounts, devices, tokens, handshakes and counters: one connection, used by one thread.
///
/// It accepts SQL, so that the rules of accounts are written once for both databases: `$1`, `$2` … are numbered in the
/// order of their first occurrence, each text is constant, and no statement uses what the two databases name
/// differently. An integer has 64 bits (`CAST(SUM(x) AS BIGINT)`: PostgreSQL's own sums are wider), and a comparison
/// gives 0 or 1.
///
/// - Durability: a transaction that returned survives power loss.
/// - Isolation: transactions are serializable, including those of other threads, processes and machines.
/// - Trust: little. An attacker who can write here can delete and restore rows, but can neither read nor move sealed
///   values (`Sealer`).
package protocol Store: AnyObject {
    /// Runs `body` as one transaction that may write, and commits it, unless `body` throws or calls `undo()`.
    ///
    /// `body` may run several times, after conflicts or a lost connection, so it must not have effects outside the
    /// transaction.
    ///
    /// - Throws: the error of `body`, and every error except `.tampered` and `.keyMissing`.
    @discardableResult
    func transaction<Result>(_ body: (any StoreTransaction) throws(StoreError) -> Result) throws(StoreError) -> Result

    /// Runs `body` as one read-only transaction on a snapshot; it does not block writers.
    func reading<Result>(_ body: (any StoreTransaction) throws(StoreError) -> Result) throws(StoreError) -> Result

    /// Closes the connection; every later call throws `.unavailable`.
    func close()
}

/// An open transaction, valid only during the call that receives it.
package protocol StoreTransaction: AnyObject {
    /// Runs a statement with `values` in place of `$1`, `$2` … and returns all its rows, including those of
    /// `RETURNING`.
    func rows(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> [StoreRow]

    /// Runs a statement.
    ///
    /// - Returns: the number of rows inserted, updated or deleted.
    func run(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> Int

    /// Runs a statement whose number of changed rows the caller does not need.
    ///
    /// It may be sent with the next statement, which then throws its error; after the last statement, the commit throws
    /// it. If the transaction is undone, the error may be lost.
    func put(_ sql: StaticString, with values: [StoreValue]) throws(StoreError)

    /// Discards the transaction's writes, even though `body` returns a value.
    func undo()
}

extension StoreTransaction {
    /// Runs a statement and returns all its rows, including those of `RETURNING`.
    package func rows(_ sql: StaticString, _ values: StoreValue...) throws(StoreError) -> [StoreRow] {
        try rows(sql, with: values)
    }

    /// Runs a statement and returns its first row, if any.
    package func row(_ sql: StaticString, _ values: StoreValue...) throws(StoreError) -> StoreRow? {
        try rows(sql, with: values).first
    }

    /// Runs a statement.
    ///
    /// - Returns: the number of rows inserted, updated or deleted.
    @discardableResult
    package func run(_ sql: StaticString, _ values: StoreValue...) throws(StoreError) -> Int {
        try run(sql, with: values)
    }

    /// Runs the statement at once, for a database without round trips.
    package func put(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) {
        _ = try run(sql, with: values)
    }
}
