internal import CSQLite

extension Database {
    /// Opens a connection that never creates a file and follows no symbolic link.
    static func connect(to path: String, vfs: String?) throws(SQLiteError) -> OpaquePointer {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let code = unsafe sqlite3_open_v2(path, &handle, flags, vfs ?? LogKeepingFiles.name)
        // SQLite hands out a connection even when opening failed, and it has to be closed.
        guard code == SQLITE_OK, let handle = unsafe handle else {
            _ = unsafe sqlite3_close(handle)
            throw SQLiteError(code: code)
        }
        return unsafe handle
    }

    /// Sets what must hold before the first byte of the file is trusted.
    func configure() throws(SQLiteError) {
        guard unsafe sqlite3_db_readonly(handle, "main") == 0 else { throw .readOnly }
        unsafe sqlite3_extended_result_codes(handle, 1)
        waitForOthers(atMostMilliseconds: 5_000)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.maximumValueByteCount)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 64 << 10)
        unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        // The last two are for Apple's systems, where an ordinary fsync leaves data in the drive's cache.
        try execute(
            """
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
            PRAGMA secure_delete = ON; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
            """
        )
    }

    /// How long a call waits for another connection before it throws `.busy`.
    func waitForOthers(atMostMilliseconds milliseconds: Int32) {
        unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Checks, inside a read transaction, that the file is as long as it says (attack A40).
    ///
    /// SQLite itself reads a half page at the end as if zeros followed, and writes new pages over those that come after a
    /// number that is too small. While the log holds pages the file may rightly be shorter, but no file of ours shrinks; while
    /// it holds none, our read lock keeps every other connection from changing the file's length.
    func verifyLength(_ location: DatabaseLocation) throws(SQLiteError) {
        let expected = try number("PRAGMA page_count") * number("PRAGMA page_size")
        let isLogged = location.byteCount(ofFileWith: "-wal") > 0
        let found = location.byteCount()
        guard found == expected || isLogged && found < expected else { throw .corrupt }
    }

    /// Checks, once the header was read, that it lets us write (attack A40).
    ///
    /// A header of a version that SQLite does not know makes a file read-only; that is damage, and no fault of the disk.
    func verifyWritable(_ location: DatabaseLocation) throws(SQLiteError) {
        guard unsafe sqlite3_db_readonly(handle, "main") != 0 else { return }
        throw location.isWritable ? .corrupt : .readOnly
    }

    /// Uses the write-ahead log, and from here allows nothing but reading and writing rows.
    func startLog() throws(SQLiteError) {
        guard try hasLog() else { throw .cannotOpen }
        keepLog()
        watchLog()
        finalizeStatements()
        allowRowsOnly()
    }

    /// Has the file keep a log, if it does not yet.
    ///
    /// - Returns: whether it does; not where the file system has no shared memory.
    func hasLog() throws(SQLiteError) -> Bool { try rows("PRAGMA journal_mode = WAL").first?.text(0) == "wal" }

    /// Runs statements that return nothing; only for configuration and creation.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }
}
