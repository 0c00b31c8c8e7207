internal import CSQLite

extension Database {
    /// Opens a connection that never creates a file and follows no symbolic link.
    static func connect(to path: String, vfs: String?) throws(SQLiteError) -> OpaquePointer {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let code = unsafe sqlite3_open_v2(path, &handle, flags, vfs)
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

    /// Checks whose file it is and its version, from the header alone, and only then its tables.
    func verifyFormat(_ format: Format) throws(SQLiteError) {
        guard try number("PRAGMA application_id") == format.applicationID else { throw .notADatabase }
        let version = Int32(truncatingIfNeeded: try number("PRAGMA user_version"))
        guard version <= format.versions.upperBound else { throw .newerFormat(version) }
        guard format.versions.contains(version) else { throw .schemaMismatch }

        var schema: [String] = []
        for row in try rows("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid") {
            if let statement = try row.optionalText(2) {
                schema.append(statement)
            } else {
                // Only the index behind a PRIMARY KEY or UNIQUE has no statement of its own.
                guard try row.text(0) == "index", try row.text(1).hasPrefix("sqlite_autoindex_") else {
                    throw .schemaMismatch
                }
            }
        }
        guard schema == format.schema else { throw .schemaMismatch }
    }

    /// Checks, inside a read transaction, that no tail of the file is missing (attack A40).
    ///
    /// SQLite itself reads a half page at the end as if zeros followed. While the log holds pages the file may rightly
    /// be shorter; while it holds none, our read lock keeps every other connection from changing the file's length.
    func verifyLength(_ location: DatabaseLocation) throws(SQLiteError) {
        let expected = try number("PRAGMA page_count") * number("PRAGMA page_size")
        guard location.byteCount(ofFileWith: "-wal") == 0 else { return }
        guard location.byteCount() == expected else { throw .corrupt }
    }

    /// Turns the write-ahead log on, and from here allows nothing but reading and writing rows.
    func startLog() throws(SQLiteError) {
        guard try rows("PRAGMA journal_mode = WAL").first?.text(0) == "wal" else { throw .cannotOpen }
        finalizeStatements()
        let allow:
            @convention(c) (
                UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
                UnsafePointer<CChar>?
            ) -> Int32 = { _, action, name, _, _, trigger in
                // Asked when a statement is prepared, so it costs nothing later; also when it is prepared again because
                // another process changed the tables, perhaps to plant a trigger, whose name is the last argument.
                guard unsafe trigger == nil else { return SQLITE_DENY }
                switch action {
                case SQLITE_SELECT, SQLITE_READ, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_TRANSACTION,
                    SQLITE_FUNCTION, SQLITE_RECURSIVE:
                    return SQLITE_OK
                case SQLITE_PRAGMA:
                    // How `raiseVersion` marks a file; there is no other setting that a statement could change.
                    return unsafe sqlite3_stricmp(name, "user_version") == 0 ? SQLITE_OK : SQLITE_DENY
                default:
                    return SQLITE_DENY
                }
            }
        _ = unsafe sqlite3_set_authorizer(handle, allow, nil)
    }

    /// Marks an older file as one of the newest version, as a part of the transaction that writes what is new in it.
    package func raiseVersion() throws(SQLiteError) {
        guard try number("PRAGMA user_version") < newestVersion else { return }
        try execute("PRAGMA user_version = \(newestVersion)")
    }

    /// Runs statements that return nothing; only for configuration and creation.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }

    private func number(_ sql: StaticString) throws(SQLiteError) -> Int64 {
        guard let row = try rows(sql).first else { throw .corrupt }
        return try row.integer(0)
    }
}
