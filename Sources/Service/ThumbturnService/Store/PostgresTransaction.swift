/// A transaction of `PostgresStore`; a failed statement ends it.
final class PostgresTransaction: StoreTransaction {
    private let connection: PostgresConnection
    private(set) var failure: PostgresFailure?
    private(set) var isUndone = false

    init(_ connection: PostgresConnection) { self.connection = connection }

    func rows(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> [StoreRow] {
        let answer = try going { () throws(PostgresFailure) in try connection.query(sql, values) }
        return try answer.rows.map { row throws(StoreError) in
            guard let row else { throw .damaged }
            return row
        }
    }

    func run(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> Int {
        try going { () throws(PostgresFailure) in try connection.query(sql, values).changes }
    }

    func put(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) {
        try going { () throws(PostgresFailure) in try connection.send(sql, values) }
    }

    func undo() { isUndone = true }

    func begin(_ words: StaticString) throws(StoreError) { try put(words, with: []) }

    /// Fails with `.versionMoved` if the tables have another version; sent with the next statement, it costs no round
    /// trip.
    ///
    /// A program that raises the version waits for the end of this transaction, and this one for the end of that: the
    /// lock precedes the transaction's snapshot, which therefore shows the valid version. (Serializable isolation alone
    /// lets both commit, one with a snapshot from before the other's end.) The lock is shared, and costs no write.
    func demand(version: Int64) throws(StoreError) {
        try put("LOCK TABLE thumbturn_format IN ACCESS SHARE MODE", with: [])
        try put("SELECT 1 / COUNT(*) FROM thumbturn_format WHERE version = $1", with: [.integer(version)])
    }

    /// - Throws: the error of a statement, even if the body has caught it.
    func end() throws(StoreError) { if let failure { throw StoreError(failure) } }

    /// - Throws: `.silent` and `.lost` if it is unknown whether the transaction is stored; after any other error it is
    ///   not.
    func commit() throws(PostgresFailure) {
        // The server answers `ROLLBACK` if there is nothing it could commit.
        guard try connection.query("COMMIT", []).word == "COMMIT" else { throw .state("25P02") }
    }

    func rollback() {
        guard connection.isUp else { return }
        // If an earlier statement fails, `ROLLBACK` is skipped. Closing the connection undoes everything too.
        if (try? connection.query("ROLLBACK", []))?.word != "ROLLBACK" { connection.giveUp() }
    }

    private func going<Result>(_ call: () throws(PostgresFailure) -> Result) throws(StoreError) -> Result {
        try end()
        do throws(PostgresFailure) { return try call() } catch {
            failure = error
            throw StoreError(error)
        }
    }
}
