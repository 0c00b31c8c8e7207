/// Where the service keeps accounts, devices, tokens, handshakes and counters: one connection, used by one thread.
///
/// It speaks SQL, so that the rules of accounts are written once for both databases: `$1`, `$2` … are numbered in the order in
/// which they first occur, each text is constant, and what the two call differently stands in no statement. An integer has 64
/// bits (`CAST(SUM(x) AS BIGINT)`: PostgreSQL's own sums are wider), and a comparison's result is 0 or 1.
///
/// - Durability: a transaction that returned survives power loss.
/// - Isolation: transactions are serialisable, those of other threads, processes and machines included.
/// - Trust: little. Whoever can write here can delete and put back; what is sealed he can neither read nor move
///   (`Sealer`).
package protocol Store: AnyObject {
    /// Runs `body` as one transaction that may write, and commits it, unless `body` throws or called `undo()`.
    ///
    /// `body` may run several times, when others got in its way or the connection was lost, so it has no effect but in the
    /// transaction.
    ///
    /// - Throws: what `body` throws, and everything but `.tampered` and `.keyMissing`.
    @discardableResult
    func transaction<Result>(
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result

    /// Runs `body` as one transaction that only reads, from one snapshot; it holds up no writer.
    func reading<Result>(
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result

    /// Ends the connection; every later call throws `.unavailable`.
    func close()
}

/// A transaction that is open, and what it is used by: never kept beyond the call that it was handed to.
package protocol StoreTransaction: AnyObject {
    /// Runs one statement with `values` in place of `$1`, `$2` … and returns all its rows, those of `RETURNING` included.
    func rows(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> [StoreRow]

    /// Runs one statement.
    ///
    /// - Returns: how many rows it inserted, updated or deleted.
    func run(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> Int

    /// Runs one statement whose count of changed rows the caller does not need.
    ///
    /// It may be sent with the next statement, which then throws its error; after the last one the commit does. If the
    /// transaction is undone, the error may be lost.
    func put(_ sql: StaticString, with values: [StoreValue]) throws(StoreError)

    /// Lets nothing of the transaction be stored, though `body` returns its value.
    func undo()
}

extension StoreTransaction {
    /// Runs one statement and returns all its rows, those of `RETURNING` included.
    package func rows(_ sql: StaticString, _ values: StoreValue...) throws(StoreError) -> [StoreRow] {
        try rows(sql, with: values)
    }

    /// Runs one statement and returns its first row, if it has one.
    package func row(_ sql: StaticString, _ values: StoreValue...) throws(StoreError) -> StoreRow? {
        try rows(sql, with: values).first
    }

    /// Runs one statement.
    ///
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    package func run(_ sql: StaticString, _ values: StoreValue...) throws(StoreError) -> Int {
        try run(sql, with: values)
    }

    /// Runs it at once, where sending costs nothing.
    package func put(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) {
        _ = try run(sql, with: values)
    }
}

extension Store {
    /// Asks the database for a row, to see whether it answers.
    package func check() throws(StoreError) {
        _ = try reading { transaction throws(StoreError) in try transaction.row("SELECT purpose FROM keys LIMIT 1") }
    }
}
