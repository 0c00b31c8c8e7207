internal import CSQLite

// Reserves room in the log for writes that must not fail.
extension Database {
    /// Reserves log space so that the next transactions can write some pages even if the disk fills up; call within a
    /// transaction.
    ///
    /// A commit overwrites the log after the last commit. So zeros, which no reader takes for a commit, are appended to
    /// the log. On a file system that never writes in place this guarantees nothing.
    ///
    /// - Throws: `.full` if there is no room.
    package func reserveLog(pages: Int64) throws(SQLiteError) {
        // No other connection appends to the log during this connection's write transaction.
        guard unsafe sqlite3_get_autocommit(handle) == 0, let log = try logFile() else { throw .other(SQLITE_MISUSE) }
        var length = try log.byteCount()
        // The end of another connection's last write is unknown, but it is within the file.
        let known = logEnd.flatMap { $0.version == dataVersion ? $0.byteCount : nil }
        let wanted = (known ?? max(length, Self.logHeaderByteCount)) + pages * logPageByteCount
        let zeros = [UInt8](repeating: 0, count: Int(logPageByteCount))
        while length < wanted {
            try log.write(zeros, at: length)
            length += logPageByteCount
        }
    }

    static let logHeaderByteCount: Int64 = 32
    private static let logPageHeaderByteCount: Int64 = 24

    var logPageByteCount: Int64 { Self.logPageHeaderByteCount + Self.pageByteCount }

    /// A number that changes with every change of the stored data, by any connection.
    var dataVersion: UInt32 {
        var version: UInt32 = 0
        _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    /// Records the log's length at each commit, and checkpoints a long log, as SQLite does by default without a hook.
    func watchLog() {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe sqlite3_wal_hook(
            handle,
            { me, handle, name, pages in
                guard let me = unsafe me else { return SQLITE_OK }
                unsafe Unmanaged<Database>.fromOpaque(me).takeUnretainedValue().pagesInLog = Int64(pages)
                // A checkpoint that fails now can succeed later.
                let isLong = pages >= 1_000
                if isLong { _ = unsafe sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil) }
                return SQLITE_OK
            },
            me
        )
    }

    /// Keeps the log's file when the last connection closes: creating and deleting it costs two writes to the folder
    /// each time.
    ///
    /// It is emptied at that time (`emptyLogAtClose`), so that the database file alone is complete.
    func keepLog() {
        var keeps: Int32 = 1
        _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
    }

    /// Makes SQLite empty the log on close if this is the last connection.
    ///
    /// Set only here: earlier, the limit would also cut off the room that `reserveLog` made.
    func emptyLogAtClose() {
        allowEverything()
        try? execute("PRAGMA journal_size_limit = 0")
    }

    /// Returns the log; nil until this connection has read or written.
    func logFile() throws(SQLiteError) -> File? { try file(SQLITE_FCNTL_JOURNAL_POINTER) }
}
