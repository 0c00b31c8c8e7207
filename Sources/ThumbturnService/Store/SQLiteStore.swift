internal import ThumbturnSQLite

/// The embedded store: a file of SQLite that this user alone can reach.
///
/// A connection that could not be opened, or whose file failed, is opened anew by the next transaction; so what an operator
/// put right needs no restart.
final class SQLiteStore: Store {
    private let file: SQLiteFile
    private var database: Database?
    private var isClosed = false

    init(_ file: SQLiteFile) throws(StoreError) {
        self.file = file
        _ = try connection()
    }

    func transaction<Result>(
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let database = try connection()
        try file.takeTurn()
        defer { file.endTurn() }
        return try run(on: database, { () throws(SQLiteError) in try database.begin() }, body)
    }

    func reading<Result>(
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let database = try connection()
        return try run(on: database, { () throws(SQLiteError) in try database.beginRead() }, body)
    }

    func close() {
        isClosed = true
        database = nil
    }

    private func run<Result>(
        on database: Database,
        _ begin: () throws(SQLiteError) -> Void,
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try sorted(begin)
        let transaction = SQLiteTransaction(database)
        let result: Result
        do throws(StoreError) {
            result = try body(transaction)
            try transaction.end()
        } catch {
            database.rollback()
            drop(after: error)
            throw error
        }
        guard !transaction.isUndone else {
            database.rollback()
            return result
        }
        do throws(SQLiteError) { try database.commit() } catch {
            drop(after: StoreError(error))
            // A full disk is met before the commit's mark is written; what else failed may have been behind it.
            throw error == .full || error == .busy ? StoreError(error) : .uncertain
        }
        return result
    }

    private func connection() throws(StoreError) -> Database {
        guard !isClosed else { throw .unavailable }
        if let database { return database }
        let opened = try Self.open(file.path)
        database = opened
        return opened
    }

    /// Opens the file, or makes it; of several who make it at once, one does.
    private static func open(_ path: String) throws(StoreError) -> Database {
        do throws(SQLiteError) {
            if Database.presence(of: path) == .absent {
                do throws(SQLiteError) { return try Database(creating: path, format: ServiceSchema.format) } catch {
                    guard error == .cannotOpen else { throw error }
                }
            }
            let database: Database
            do throws(SQLiteError) {
                database = try Database(opening: path, format: ServiceSchema.format)
            } catch {
                // An empty file is what a creation left that was cut off, or has not finished.
                guard error == .notADatabase else { throw error }
                do throws(SQLiteError) { return try Database(creating: path, format: ServiceSchema.format) } catch {
                    throw error == .cannotOpen ? .notADatabase : error
                }
            }
            try database.begin()
            do throws(SQLiteError) { try database.raiseVersion() } catch {
                database.rollback()
                throw error
            }
            try database.commit()
            return database
        } catch {
            throw StoreError(error)
        }
    }

    private func sorted<Result>(_ call: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
        do throws(SQLiteError) { return try call() } catch {
            drop(after: StoreError(error))
            throw StoreError(error)
        }
    }

    private func drop(after error: StoreError) {
        switch error {
        case .unavailable, .damaged, .other: database = nil
        case .uncertain, .busy, .full, .conflict, .tampered, .keyMissing, .newerFormat, .unsafeFile: break
        }
    }
}
