internal import CSQLite

// Room in the log for what must not fail.
extension Database {
    /// Makes sure that the next transactions can write some pages, also on a disk that is full by then; within a transaction.
    ///
    /// A commit overwrites what lies in the log behind the last one. So the log is made longer by zeros, which nobody takes for a
    /// commit. A file system that never writes in place keeps no such promise.
    ///
    /// - Throws: `.full` where there is no room.
    package func reserveLog(pages: Int64) throws(SQLiteError) {
        // Nobody else appends to the log while this connection is in a transaction that writes.
        guard unsafe sqlite3_get_autocommit(handle) == 0, let log = try logFile() else { throw .other(SQLITE_MISUSE) }
        var length = try log.byteCount()
        // Where another connection's last write ended is unknown, but it lies within the file.
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

    /// What a page takes in the log.
    var logPageByteCount: Int64 { Self.logPageHeaderByteCount + Self.pageByteCount }

    /// Rises with every change of what is stored, by whichever connection.
    var dataVersion: UInt32 {
        var version: UInt32 = 0
        _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    /// Hears of each commit how long the log is, and moves it into the database where it is long, as SQLite does by itself while
    /// nobody hears.
    func watchLog() {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe sqlite3_wal_hook(
            handle,
            { me, handle, name, pages in
                guard let me = unsafe me else { return SQLITE_OK }
                unsafe Unmanaged<Database>.fromOpaque(me).takeUnretainedValue().pagesInLog = Int64(pages)
                // What can't be moved now can be later.
                let isLong = pages >= 1_000
                if isLong { _ = unsafe sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil) }
                return SQLITE_OK
            },
            me
        )
    }

    /// Keeps the log's file where the last connection closes: to make and delete it costs two writes to the folder, each time.
    ///
    /// It is emptied then (`emptyLogAtClose`), so that the database alone is whole.
    func keepLog() {
        var keeps: Int32 = 1
        _ = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
    }

    /// Has SQLite empty the log where this is the last connection.
    ///
    /// Only here: before, the limit would also cut off the room that `reserveLog` made.
    func emptyLogAtClose() {
        allowEverything()
        try? execute("PRAGMA journal_size_limit = 0")
    }

    /// The log; nil as long as this connection neither read nor wrote.
    func logFile() throws(SQLiteError) -> File? { try file(SQLITE_FCNTL_JOURNAL_POINTER) }
}
