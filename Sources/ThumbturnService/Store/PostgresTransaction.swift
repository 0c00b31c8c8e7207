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

    func undo() { isUndone = true }

    func begin(_ words: String) throws(StoreError) {
        _ = try going { () throws(PostgresFailure) in try connection.execute(words) }
    }

    /// - Throws: what a statement failed of, though the body may have caught it.
    func end() throws(StoreError) { if let failure { throw StoreError(failure) } }

    /// - Throws: `.silent` and `.lost` when nobody knows whether it is stored; with any other nothing is.
    func commit() throws(PostgresFailure) {
        // The server says `ROLLBACK` where there is nothing that it could commit.
        guard try connection.execute("COMMIT") == "COMMIT" else { throw .state("25P02") }
    }

    func rollback() {
        guard connection.isUp else { return }
        // Should even this fail, the connection is of no more use, and its end undoes all.
        _ = try? connection.execute("ROLLBACK")
    }

    private func going<Result>(_ call: () throws(PostgresFailure) -> Result) throws(StoreError) -> Result {
        try end()
        do throws(PostgresFailure) { return try call() } catch {
            failure = error
            throw StoreError(error)
        }
    }
}
