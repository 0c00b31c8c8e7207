internal import CSQLite

extension Database {
    /// A number that changes when another connection commits; this one's own commits don't change it.
    package func contentVersion() throws(SQLiteError) -> Int64 { try number("PRAGMA data_version") }

    /// Begins a transaction that writes; waits up to 5 s for another writer, then throws `.busy`.
    ///
    /// What it reads cannot change before it commits, so reading a generation and writing the next one loses no update.
    package func begin() throws(SQLiteError) {
        try run("BEGIN IMMEDIATE")
    }

    /// Begins a transaction that only reads, from one snapshot; it waits for no writer and holds up none.
    package func beginRead() throws(SQLiteError) {
        try run("BEGIN DEFERRED")
    }

    /// Says whether the commits that follow survive power loss when they return.
    ///
    /// They do until something else is said. Those that do not, do from the next one that does, or once the last connection
    /// closed. Not to be called in a transaction.
    package func flushCommits(_ flushes: Bool) throws(SQLiteError) {
        if flushes { try run("PRAGMA synchronous = EXTRA") } else { try run("PRAGMA synchronous = NORMAL") }
    }

    /// Commits; when it returns, the transaction survives power loss.
    ///
    /// When it throws, the transaction is over, and whether its rows are stored is unknown until they are read again.
    package func commit() throws(SQLiteError) {
        do throws(SQLiteError) {
            (pagesInLog, logEnd) = (nil, nil)
            try run("COMMIT")
            // Where nothing was written, nothing is known of the log either.
            let header = Self.logHeaderByteCount
            logEnd = pagesInLog.map { (byteCount: header + $0 * logPageByteCount, version: dataVersion) }
        } catch {
            rollback()
            throw error
        }
    }

    /// Undoes the open transaction; without one it does nothing.
    package func rollback() {
        guard unsafe handle != nil, unsafe sqlite3_get_autocommit(handle) == 0 else { return }
        // Should even this fail, nothing is committed: closing the connection, or the next one to open, undoes it.
        try? run("ROLLBACK")
    }

    /// Moves the log into the database and empties it, durably, so that what was removed is in neither.
    ///
    /// - Throws: `.busy` while another connection reads or writes (the removal itself stands; call again later).
    package func truncateLog() throws(SQLiteError) {
        guard unsafe handle != nil else { throw .other(SQLITE_MISUSE) }
        logEnd = nil
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, errno: unsafe sqlite3_system_errno(handle)) }
        try synchronizeLog()
    }

    /// SQLite leaves the truncation itself unsynced; power loss could bring the old log back.
    private func synchronizeLog() throws(SQLiteError) {
        // No log is open as long as this connection neither read nor wrote; then there was nothing to truncate.
        guard !isScratch, let log = try logFile() else { return }
        try log.synchronize()
    }
}
