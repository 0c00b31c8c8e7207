internal import ThumbturnFiles
internal import ThumbturnSQLite

/// The embedded store: a SQLite file that only this user can access.
///
/// If the connection could not be opened, or its file failed, the next transaction opens it anew; so no restart is
/// needed after an operator's repair.
final class SQLiteStore: Store {
    private let file: SQLiteFile
    private var opened: (database: Database, status: FileStatus)?
    private var isClosed = false

    /// Opens or creates the file; of several concurrent callers, only one creates it.
    ///
    /// - Parameter making: whether to create a missing file.
    /// - Throws: `.absent` and `.folderMissing`, among others, which later calls do not throw.
    init(_ file: SQLiteFile, making: Bool = true) throws(StoreError) {
        self.file = file
        if Database.presence(of: file.path) == .absent {
            guard Database.presence(of: OpenFolder.parent(of: file.path)) != .absent || making else {
                throw .folderMissing
            }
            guard making else { throw .absent }
            do throws(SQLiteError) { _ = try Self.create(file) } catch {
                guard error == .cannotOpen else { throw StoreError(error) }
                guard Database.presence(of: OpenFolder.parent(of: file.path)) != .absent else { throw .folderMissing }
            }
        }
        _ = try connection()
    }

    @discardableResult
    func transaction<Result>(_ body: (any StoreTransaction) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let database = try connection()
        try file.takeTurn()
        defer { file.endTurn() }
        let begin = { () throws(SQLiteError) in
            try database.begin()
            // Another program may have upgraded the tables since they were opened, or an older file may have been put
            // back.
            try database.raiseVersion()
        }
        return try run(on: database, begin, body)
    }

    func reading<Result>(_ body: (any StoreTransaction) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let database = try connection()
        return try run(on: database, { () throws(SQLiteError) in try database.beginRead() }, body)
    }

    func close() {
        isClosed = true
        opened = nil
    }

    private func run<Result>(
        on database: Database,
        _ begin: () throws(SQLiteError) -> Void,
        _ body: (any StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SQLiteError) { try begin() } catch {
            database.rollback()
            drop(after: StoreError(error))
            throw StoreError(error)
        }
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
            // A full disk is detected before the commit is marked; any other failure may have come after it.
            throw error == .full || error == .busy ? StoreError(error) : .uncertain
        }
        return result
    }

    /// Returns the connection while the path still names its file: writes to a file that was moved away would be lost.
    private func connection() throws(StoreError) -> Database {
        guard !isClosed else { throw .unavailable }
        if let opened, let status = try? FileStatus(of: file.path), status.isSameFile(as: opened.status) {
            return opened.database
        }
        opened = nil
        do throws(SQLiteError) {
            let database = try Self.open(file)
            guard let status = try? FileStatus(of: file.path) else { throw .cannotOpen }
            opened = (database, status)
            return database
        } catch {
            throw StoreError(error)
        }
    }

    /// Opens the file, which an operator may have put back; a missing one is not created.
    private static func open(_ file: SQLiteFile) throws(SQLiteError) -> Database {
        let database: Database
        do throws(SQLiteError) { database = try find(file) } catch {
            // An empty file means that its creation was interrupted or has not finished.
            guard error == .notADatabase else { throw error }
            do throws(SQLiteError) { return try create(file) } catch {
                guard error == .cannotOpen else { throw error }
                return try find(file)
            }
        }
        guard try database.version() < file.schema.newest.number else { return database }
        try database.begin()
        do throws(SQLiteError) { try database.raiseVersion() } catch {
            database.rollback()
            throw error
        }
        try database.commit()
        return database
    }

    private static func create(_ file: SQLiteFile) throws(SQLiteError) -> Database {
        try Database(creating: file.path, format: file.schema.format, vfs: file.vfs)
    }

    private static func find(_ file: SQLiteFile) throws(SQLiteError) -> Database {
        try Database(opening: file.path, format: file.schema.format, vfs: file.vfs)
    }

    private func drop(after error: StoreError) {
        switch error {
        case .unavailable, .uncertain, .damaged, .other: opened = nil
        case .busy, .full, .conflict, .tampered, .keyMissing, .newerFormat, .unsafeFile, .absent, .folderMissing: break
        }
    }
}
