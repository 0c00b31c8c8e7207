internal import CSQLite

extension Database {
    /// Opens a connection that never creates a file and follows no symbolic link.
    static func connect(to path: String, vfs: String?) throws(SQLiteError) -> OpaquePointer {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let code = unsafe sqlite3_open_v2(path, &handle, flags, vfs ?? LogKeepingFiles.name)
        // SQLite returns a connection even when opening failed, and it has to be closed.
        guard code == SQLITE_OK, let handle = unsafe handle else {
            _ = unsafe sqlite3_close(handle)
            throw SQLiteError(code: code)
        }
        return unsafe handle
    }

    /// Sets what must be in effect before the first byte of the file is trusted.
    func configure() throws(SQLiteError) {
        guard unsafe sqlite3_db_readonly(handle, "main") == 0 else { throw .readOnly }
        unsafe sqlite3_extended_result_codes(handle, 1)
        waitForOthers(atMostMilliseconds: 5_000)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.maximumValueByteCount)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 64 << 10)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        // The last two are for Apple's systems, where a plain fsync leaves data in the drive's cache.
        try execute(
            """
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
            PRAGMA secure_delete = ON; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
            """
        )
    }

    /// Sets how long a call waits for another connection before it throws `.busy`.
    func waitForOthers(atMostMilliseconds milliseconds: Int32) { unsafe sqlite3_busy_timeout(handle, milliseconds) }

    /// Checks, inside a read transaction, that the file has the length that its header says (attack A40).
    ///
    /// SQLite reads a partial page at the end as if zeros followed, and overwrites pages past a page count that is too
    /// small. While the log contains pages the file may be shorter, but our files never shrink; while it contains none,
    /// our read lock keeps every other connection from changing the file's length.
    func verifyLength(_ location: DatabaseLocation) throws(SQLiteError) {
        let expected = try number("PRAGMA page_count") * number("PRAGMA page_size")
        let isLogged = try location.byteCount(ofFileWith: "-wal") > 0
        let found = try location.byteCount()
        guard found == expected || isLogged && found < expected else { throw .corrupt }
    }

    /// Checks that the header, once it was read, allows writing (attack A40).
    ///
    /// A header with a version unknown to SQLite makes a file read-only; that is damage, not a fault of the disk.
    func verifyWritable(_ location: DatabaseLocation) throws(SQLiteError) {
        guard unsafe sqlite3_db_readonly(handle, "main") != 0 else { return }
        throw location.isWritable ? .corrupt : .readOnly
    }

    /// Switches to the write-ahead log, and allows only reading and writing rows from here on.
    func startLog() throws(SQLiteError) {
        guard try hasLog() else { throw .cannotOpen }
        keepLog()
        watchLog()
        finalizeStatements()
        allowRowsOnly()
    }

    /// Switches the file to a write-ahead log, if it has none yet.
    ///
    /// - Returns: whether it has one; false if the file system has no shared memory.
    func hasLog() throws(SQLiteError) -> Bool { try rows("PRAGMA journal_mode = WAL").first?.text(0) == "wal" }

    /// Runs statements that return nothing; only for configuration and creation.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }
}
