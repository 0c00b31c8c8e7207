/// A transaction of `PostgresStore`; once a statement failed, it is over.
final class PostgresTransaction: StoreTransaction {
    private let connection: PostgresConnection
    private(set) var failure: PostgresFailure?
    private(set) var isUndone = false

    init(_ connection: PostgresConnection) {
        self.connection = connection
    }

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

    /// Fails as `.versionMoved` where the tables are of another version; sent with the next statement, it costs no way of its own.
    ///
    /// Whoever raises the version waits until this transaction has ended, and this one until that has: the lock comes before the
    /// transaction's snapshot, which so has the version that counts. (Serialisable transactions alone let both commit, one with
    /// a snapshot from before the other's end.) It is one that others share, and costs no write.
    func demand(version: Int64) throws(StoreError) {
        try put("LOCK TABLE thumbturn_format IN ACCESS SHARE MODE", with: [])
        try put("SELECT 1 / COUNT(*) FROM thumbturn_format WHERE version = $1", with: [.integer(version)])
    }

    /// - Throws: the error of a statement, though the body may have caught it.
    func end() throws(StoreError) { if let failure { throw StoreError(failure) } }

    /// - Throws: `.silent` and `.lost` when it is unknown whether it is stored; with any other error nothing is.
    func commit() throws(PostgresFailure) {
        // The server says `ROLLBACK` where there is nothing that it could commit.
        guard try connection.query("COMMIT", []).word == "COMMIT" else { throw .state("25P02") }
    }

    func rollback() {
        guard connection.isUp else { return }
        // It is not run where something that was sent before it fails. The connection's end undoes all, too.
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
