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
    /// Whether nothing waits for the disk: a file that is deleted before its process ends has nothing to survive.
    let isScratch: Bool
    package static let pageByteCount: Int64 = 4_096
    /// Where the header says who may write and read the file: 2 for both, where it has a log and no journal.
    private static let offsetOfVersions = 18
    /// How many pages were in the log when this connection last wrote to it.
    var pagesInLog: Int64?
    /// Where the log ended then, and the version of what is stored, where that was a transaction.
    var logEnd: (byteCount: Int64, version: UInt32)?

    /// Makes a new database at `path`; its folder too, when only that is missing.
    ///
    /// It is made whole under a draft's name, which no journal belongs to, and then gets its own. So a creation that failed or
    /// crashed leaves nothing at `path`, and what a crash leaves of a draft goes with the next one. An empty file is none of
    /// ours, and is taken over.
    ///
    /// - Parameters:
    ///   - vfs: the name of a registered SQLite VFS; `nil` is the system's.
    ///   - isScratch: whether power loss may take it, for a file that is soon deleted.
    /// - Throws: `.cannotOpen` when something is already at `path`, `.unsafeFile`, `.full`, `.ioError`, `.busy`.
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
        if location.isThere { try location.checkFiles() }
        guard location.byteCount() == 0, location.byteCount(ofFileWith: "-wal") == 0 else { throw .cannotOpen }
        let draft = location.draft
        do throws(SQLiteError) {
            try draft.removeFiles()
            try draft.createFile()
            try Database(drafting: draft, format: format, vfs: vfs, isScratch: isScratch).close()
        } catch {
            try? draft.removeFiles()
            // Only what lies in the draft's place can be meant, and at `path` there is nothing.
            throw error == .cannotOpen ? .ioError(extended: SQLITE_CANTOPEN) : error
        }
        do throws(SQLiteError) {
            try draft.move(to: location)
        } catch {
            try? draft.removeFiles()
            throw error
        }
        if !isScratch {
            // The folder takes both names at once; of a log that it knows SQLite does not flush it again.
            location.makeLog()
            try location.synchronizeFolder()
        }
        do throws(SQLiteError) {
            try self.init(opening: path, format: format, vfs: vfs, isScratch: isScratch)
        } catch {
            // It is ours that can't be opened, and nothing was there before.
            throw error == .cannotOpen ? .ioError(extended: SQLITE_CANTOPEN) : error
        }
    }

    /// Fills an empty file that nobody else knows, through to the disk.
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
            // The file gets its name afterwards, so one flush is enough: that of what says that it has a log.
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
    ///   - isScratch: whether power loss may take what is written, for a file that is soon deleted.
    /// - Throws: `.cannotOpen` when there is none (`presence(of:)` tells missing from unreadable), `.unsafeFile`,
    ///   `.notADatabase` (also for an empty file, another program's, and one whose header names no log), `.newerFormat`,
    ///   `.schemaMismatch`, `.corrupt`, `.readOnly`, `.busy`, `.ioError`.
    package init(
        opening path: String,
        format: Format,
        vfs: String? = nil,
        isScratch: Bool = false
    ) throws(SQLiteError) {
        let location = try DatabaseLocation(resolving: path)
        try location.checkFolder()
        try location.checkFiles()
        // An empty file may be one that another process is making.
        if location.byteCount() == 0 { _ = try location.lockMaking() }
        // SQLite would take an empty file for a new database, and delete the log beside it.
        guard location.byteCount() > 0 else { throw .notADatabase }
        self.format = format
        self.isScratch = isScratch
        newLog = location.hasLog || isScratch ? nil : location
        unsafe handle = try Self.connect(to: location.path, vfs: vfs)
        do throws(SQLiteError) {
            // Before SQLite reads anything: it would play back a journal that lies there, and delete the file that this one names.
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
