internal import CSQLite

extension Database {
    /// Returns a number that changes when another connection commits, but not at this connection's own commits.
    package func contentVersion() throws(SQLiteError) -> Int64 { try number("PRAGMA data_version") }

    /// Begins a write transaction; waits up to 5 s for another writer, then throws `.busy`.
    ///
    /// What it reads cannot change before it commits, so reading a generation and writing the next one loses no update.
    package func begin() throws(SQLiteError) { try run("BEGIN IMMEDIATE") }

    /// Begins a transaction that reads from one snapshot; it neither waits for a writer nor blocks one.
    package func beginRead() throws(SQLiteError) { try run("BEGIN DEFERRED") }

    /// Sets whether later commits survive power loss when they return; true by default.
    ///
    /// An unflushed commit becomes durable with the next flushed one, or when the last connection closes.
    ///
    /// Must not be called in a transaction.
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
            // If nothing was written, the log's end remains unknown.
            let header = Self.logHeaderByteCount
            logEnd = pagesInLog.map { (byteCount: header + $0 * logPageByteCount, version: dataVersion) }
        } catch {
            rollback()
            throw error
        }
    }

    /// Undoes the open transaction; does nothing without one.
    package func rollback() {
        guard unsafe handle != nil, unsafe sqlite3_get_autocommit(handle) == 0 else { return }
        // Even if this fails, nothing is committed: closing the connection undoes the transaction, or the next open
        // does.
        try? run("ROLLBACK")
    }

    /// Moves the log into the database and empties it, durably, so that removed rows are in neither.
    ///
    /// - Throws: `.busy` while another connection reads or writes (the removal itself is stored; call again later).
    package func truncateLog() throws(SQLiteError) {
        guard unsafe handle != nil else { throw .other(SQLITE_MISUSE) }
        logEnd = nil
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code, errno: unsafe sqlite3_system_errno(handle)) }
        try synchronizeLog()
    }

    /// Flushes the truncation, which SQLite does not: power loss could bring the old log back.
    private func synchronizeLog() throws(SQLiteError) {
        // Until this connection has read or written, no log is open, and nothing was truncated.
        guard !isScratch, let log = try logFile() else { return }
        try log.synchronize()
    }
}
