internal import CSQLite

/// One connection to a database file that only this user can reach.
///
/// A commit survives power loss, what is deleted is overwritten, and nothing that lies in the file can run: its tables
/// must be exactly those of its version of `Format`, without views or triggers, and the connection accepts nothing but
/// reading and writing their rows. Several connections, in several processes, may hold one file.
///
/// Not `Sendable`: it lives inside one actor, and one thread at a time uses it.
@safe package final class Database {
    /// The most bytes that one value or one row may have: 2 MiB.
    package static let maximumValueByteCount: Int32 = 2 << 20

    var handle: OpaquePointer?
    let format: Format
    /// Statements by the address of their text, which is constant for the life of the program.
    var statements: [UInt: OpaquePointer] = unsafe [:]
    var openCursors = 0
    /// Where the log lies that this connection may have made.
    private let newLog: DatabaseLocation?
    package static let pageByteCount: Int64 = 4_096
    /// How many pages were in the log when this connection last wrote to it.
    var pagesInLog: Int64?
    /// Where the log ended then, and the version of what is stored, where that was a transaction.
    var logEnd: (byteCount: Int64, version: UInt32)?

    /// Makes a new database at `path`; its folder too, when only that is missing.
    ///
    /// All or nothing, also across a crash, and durable when it returns. What a failed or crashed creation leaves is an
    /// empty file: `Database(opening:)` calls it `.notADatabase`, and the next creation takes it over.
    ///
    /// - Parameter vfs: the name of a registered SQLite VFS; `nil` is the system's.
    /// - Throws: `.cannotOpen` when something is already at `path`, `.unsafeFile`, `.full`, `.ioError`, `.busy`.
    package init(creating path: String, format: Format, vfs: String? = nil) throws(SQLiteError) {
        let location = try DatabaseLocation(resolving: path, makesFolder: true)
        try location.checkFolder()
        let making = try location.lockMaking()
        defer { withExtendedLifetime(making) {} }
        try location.createFile()
        try location.checkFiles()
        // With a journal beside it, the file may be a creation that crashed; only the lock below can tell.
        let mayBeUnfinished = location.byteCount() == 0 || location.byteCount(ofFileWith: "-journal") > 0
        guard mayBeUnfinished, location.byteCount(ofFileWith: "-wal") == 0 else { throw .cannotOpen }
        self.format = format
        newLog = location
        do throws(SQLiteError) {
            unsafe handle = try Self.connect(to: location.path, vfs: vfs)
        } catch {
            throw location.creationFault(error)
        }
        var isOurs = false
        do throws(SQLiteError) {
            try configure()
            try execute("PRAGMA synchronous = EXTRA; PRAGMA page_size = \(Self.pageByteCount)")
            try begin()  // which also undoes what a crashed creation had written
            guard location.byteCount() == 0 else { throw .cannotOpen }
            isOurs = true
            for statement in format.newest.schema { try execute(statement) }
            try execute("PRAGMA application_id = \(format.applicationID)")
            try execute("PRAGMA user_version = \(format.newest.number)")
            try verifyFormat()
            try commit()
            try location.synchronizeFolder()
            try startLog()
        } catch {
            close()
            throw location.creationFault(error, isOurs: isOurs)
        }
    }

    /// Opens the database at `path`, and never creates one.
    ///
    /// - Parameter vfs: the name of a registered SQLite VFS; `nil` is the system's.
    /// - Throws: `.cannotOpen` when there is none (`presence(of:)` tells missing from unreadable), `.unsafeFile`,
    ///   `.notADatabase` (also for an empty file and another program's), `.newerFormat`, `.schemaMismatch`, `.corrupt`,
    ///   `.readOnly`, `.busy`, `.ioError`.
    package init(opening path: String, format: Format, vfs: String? = nil) throws(SQLiteError) {
        let location = try DatabaseLocation(resolving: path)
        try location.checkFolder()
        try location.checkFiles()
        // An empty file may be one that another process is making.
        if location.byteCount() == 0 { _ = try location.lockMaking() }
        // SQLite would take an empty file for a new database, and delete the log beside it.
        guard location.byteCount() > 0 else { throw .notADatabase }
        self.format = format
        newLog = location.hasLog ? nil : location
        unsafe handle = try Self.connect(to: location.path, vfs: vfs)
        do throws(SQLiteError) {
            try configure()
            try beginRead()
            try verifyFormat()
            try verifyLength(location)
            try verifyWritable(location)
            try commit()
            try execute("PRAGMA synchronous = EXTRA")
            try startLog()
        } catch {
            close()
            throw error
        }
    }

    deinit {
        close()
    }

    /// Closes the connection, which undoes what was not committed; every later call throws.
    package func close() {
        precondition(openCursors == 0, "the database was closed from inside one of its own queries")
        guard unsafe handle != nil else { return }
        finalizeStatements()
        emptyLogAtClose()
        _ = unsafe sqlite3_close(handle)
        unsafe handle = nil
        try? newLog?.synchronizeFolder()
    }
}

extension DatabaseLocation {
    /// What a creation failed of: where the file is empty, or was when this creation began, no database was there before.
    fileprivate func creationFault(_ error: SQLiteError, isOurs: Bool = false) -> SQLiteError {
        guard error == .cannotOpen, isOurs || byteCount() == 0 else { return error }
        return .ioError(extended: SQLITE_CANTOPEN)
    }
}
