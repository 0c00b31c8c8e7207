internal import ThumbturnSQLite

/// A transaction of `SQLiteStore`.
///
/// A failed statement ends it, as in PostgreSQL, although SQLite could continue.
final class SQLiteTransaction: StoreTransaction {
    private let database: Database
    private var failure: StoreError?
    private(set) var isUndone = false

    init(_ database: Database) { self.database = database }

    func rows(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> [StoreRow] {
        let rows = try going { () throws(SQLiteError) in try database.rows(sql, with: values.map(\.sqlite)) }
        return try rows.map { row throws(StoreError) in try StoreRow(row) }
    }

    func run(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> Int {
        try going { () throws(SQLiteError) in
            try database.run(sql, with: values.map(\.sqlite))
            return database.changes
        }
    }

    func undo() { isUndone = true }

    /// - Throws: the error of a statement, even if `body` has caught it.
    func end() throws(StoreError) { if let failure { throw failure } }

    private func going<Result>(_ call: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
        try end()
        do throws(SQLiteError) { return try call() } catch {
            let failure = StoreError(error)
            self.failure = failure
            throw failure
        }
    }
}

extension StoreValue {
    fileprivate var sqlite: SQLiteValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let text): .text(text)
        case .blob(let bytes): .blob(bytes)
        }
    }
}

extension StoreRow {
    fileprivate init(_ row: SQLiteRow) throws(StoreError) {
        var values: [StoreValue] = []
        for value in row.values {
            switch value {
            case .null: values.append(.null)
            case .integer(let number): values.append(.integer(number))
            case .text(let text): values.append(.text(text))
            case .blob(let bytes): values.append(.blob(bytes))
            case .damaged: throw .damaged
            }
        }
        self.init(values)
    }
}
