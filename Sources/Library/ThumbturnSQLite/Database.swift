internal import CSQLite

/// One connection to a database file that only this user can reach.
///
/// A commit survives power loss, deleted rows are overwritten, and nothing in the file can run: its tables must be
/// exactly those of its version of `Format`, without views or triggers, and the connection allows only reading and
/// writing their rows. Several connections, in several processes, may use one file.
///
/// Not `Sendable`: it belongs to one actor, and one thread at a time uses it.
@safe package final class Database {
    /// The largest size of one value or one row: 2 MiB.
    package static let maximumValueByteCount: Int32 = 2 << 20

    var handle: OpaquePointer?
    let format: Format
    /// Statements by the address of their text, which is constant for the life of the program.
    var statements: [UInt: OpaquePointer] = unsafe [:]
    var openCursors = 0
    /// The location of a log that this connection may have created.
    private let newLog: DatabaseLocation?
    /// Whether to skip flushing: a file that is deleted before its process ends need not survive power loss.
    let isScratch: Bool
    package static let pageByteCount: Int64 = 4_096
    /// The header's offset of the write and read version: 2 for both with a write-ahead log.
    private static let offsetOfVersions = 18
    /// The number of pages in the log when this connection last wrote to it.
    var pagesInLog: Int64?
    /// The log's end after this connection's last transaction, and the data version then.
    var logEnd: (byteCount: Int64, version: UInt32)?

    /// Creates a new database at `path`; its folder too, if only that is missing.
    ///
    /// It is created under a draft's name, which no journal belongs to, and then renamed. So a failed or interrupted
    /// creation leaves nothing at `path`, and the next one removes the draft of a crash. An empty file is not one of
    /// ours, and is replaced.
    ///
    /// - Parameters:
    ///   - vfs: the name of a registered SQLite VFS; `nil` is the system's.
    ///   - isScratch: whether power loss may destroy it, for a file that is soon deleted.
    /// - Throws: `.cannotOpen` when there is already something at `path`, `.unsafeFile`, `.full`, `.ioError`, `.busy`.
    package convenience init(
        creating path: String,
        format: Format,
        vfs: String? = nil,
        isScratch: Bool = false
    ) throws(SQLiteError) {
        let location = try DatabaseLocation(resolving: path, makesFolder: true)
        try location.checkFolder()
        let making = try location.lockMaking()
        defer { withExtendedLifetime(making) {} }
        if try location.isThere { try location.checkFiles() }
        guard try location.byteCount() == 0, try location.byteCount(ofFileWith: "-wal") == 0 else { throw .cannotOpen }
        let draft = location.draft
        do throws(SQLiteError) {
            try draft.removeFiles()
            try draft.createFile()
            try Database(drafting: draft, format: format, vfs: vfs, isScratch: isScratch).close()
        } catch {
            try? draft.removeFiles()
            // This can only concern the draft, since there is nothing at `path`.
            throw error == .cannotOpen ? .ioError(extended: SQLITE_CANTOPEN) : error
        }
        do throws(SQLiteError) {
            try draft.move(to: location)
        } catch {
            try? draft.removeFiles()
            throw error
        }
        if !isScratch {
            // The folder's flush covers both names; SQLite does not flush it again for a log that exists.
            location.makeLog()
            try location.synchronizeFolder()
        }
        do throws(SQLiteError) {
            try self.init(opening: path, format: format, vfs: vfs, isScratch: isScratch)
        } catch {
            // Our own new file can't be opened, and there was nothing before.
            throw error == .cannotOpen ? .ioError(extended: SQLITE_CANTOPEN) : error
        }
    }

    /// Fills an empty file that no other process knows, through to the disk.
    private init(
        drafting location: DatabaseLocation,
        format: Format,
        vfs: String?,
        isScratch: Bool
    ) throws(SQLiteError) {
        self.format = format
        self.isScratch = isScratch
        newLog = nil
        unsafe handle = try Self.connect(to: location.path, vfs: vfs)
        do throws(SQLiteError) {
            try configure()
            try execute(
                """
                PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA page_size = \(Self.pageByteCount)
                """
            )
            try begin()
            for statement in format.newest.schema { try execute(statement) }
            try execute("PRAGMA application_id = \(format.applicationID)")
            try execute("PRAGMA user_version = \(format.newest.number)")
            try verifyFormat()
            try commit()
            // The file gets its name afterwards, so one flush is enough: that of the header which says that it has a
            // log.
            if !isScratch { try execute("PRAGMA synchronous = EXTRA") }
            guard try hasLog() else { throw .cannotOpen }
        } catch {
            close()
            throw error
        }
    }

    /// Opens the database at `path`, and never creates one.
    ///
    /// - Parameters:
    ///   - vfs: the name of a registered SQLite VFS; `nil` is the system's.
    ///   - isScratch: whether power loss may destroy what is written, for a file that is soon deleted.
    /// - Throws: `.cannotOpen` when there is none (`presence(of:)` tells missing from unreadable), `.unsafeFile`,
    ///   `.notADatabase` (also for an empty file, another program's, and one whose header names no log),
    ///   `.newerFormat`, `.schemaMismatch`, `.corrupt`, `.readOnly`, `.busy`, `.ioError`.
    package init(
        opening path: String,
        format: Format,
        vfs: String? = nil,
        isScratch: Bool = false
    ) throws(SQLiteError) {
        let location = try DatabaseLocation(resolving: path)
        try location.checkFolder()
        try location.checkFiles()
        // Another process may be creating an empty file.
        if try location.byteCount() == 0 { _ = try location.lockMaking() }
        // SQLite would treat an empty file as a new database, and delete the log beside it.
        guard try location.byteCount() > 0 else { throw .notADatabase }
        self.format = format
        self.isScratch = isScratch
        newLog = try location.hasLog || isScratch ? nil : location
        unsafe handle = try Self.connect(to: location.path, vfs: vfs)
        do throws(SQLiteError) {
            // Before SQLite reads anything: it would play back a journal beside the file, and delete the file which
            // that names.
            guard try bytes(at: Self.offsetOfVersions, count: 2) == [2, 2] else { throw .notADatabase }
            try location.setJournalAside()
            try configure()
            try beginRead()
            try verifyFormat()
            try verifyLength(location)
            try verifyWritable(location)
            try commit()
            if isScratch { try execute("PRAGMA synchronous = OFF") } else { try execute("PRAGMA synchronous = EXTRA") }
            try startLog()
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Closes the connection, which undoes uncommitted changes; every later call throws.
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
