import CSQLite
import ThumbturnConsole

/// Plain SQLite with the settings of a vault and prepared statements.
@safe final class RawDatabase {
    private var handle: OpaquePointer?
    private var queries: [OpaquePointer?] = unsafe []
    private var update: OpaquePointer?
    private var insertion: OpaquePointer?
    private var versionQuery: OpaquePointer?

    /// Opens a vault's file; what is written goes through to the disk.
    init(opening path: String) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        try check(unsafe sqlite3_open_v2(path, &handle, flags, nil))
        let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = EXTRA; PRAGMA secure_delete = ON"
        try check(unsafe sqlite3_exec(handle, settings, nil, nil, nil))
        for sql in [
            "BEGIN", "SELECT body, mac FROM head", "SELECT body, mac FROM attempt_ledger",
            "SELECT id, record FROM slot ORDER BY id", "COMMIT",
        ] {
            unsafe queries.append(try prepare(sql))
        }
        unsafe update = try prepare("UPDATE attempt_ledger SET body = randomblob(length(body)), mac = randomblob(32)")
        unsafe insertion = try prepare("INSERT INTO event SELECT coalesce(max(number) + 1, 0), ? FROM event")
        unsafe versionQuery = try prepare("PRAGMA data_version")
    }

    /// Returns a number that changes when another connection has changed the file.
    func version() throws -> Int32 {
        defer { unsafe sqlite3_reset(versionQuery) }
        guard unsafe sqlite3_step(versionQuery) == SQLITE_ROW else { throw BenchError(what: "SQLite has no version") }
        return unsafe sqlite3_column_int(versionQuery, 0)
    }

    deinit {
        unsafe sqlite3_finalize(versionQuery)
        unsafe queries.forEach { unsafe _ = sqlite3_finalize($0) }
        unsafe sqlite3_finalize(update)
        unsafe sqlite3_finalize(insertion)
        unsafe sqlite3_close(handle)
    }

    /// Reads head, ledger and slots in one transaction.
    func read() throws { for index in unsafe queries.indices { unsafe try run(queries[index]) } }

    /// Writes this many wallet rows, each as long as an existing one, and the head's, durably in one transaction.
    func insertWallets(_ count: Int) throws {
        let statements = unsafe [
            try prepare(
                """
                INSERT INTO wallet
                SELECT randomblob(16), randomblob(16), randomblob(length(label)), randomblob(length(secret))
                FROM wallet LIMIT 1
                """
            ),
            try prepare("UPDATE head SET body = randomblob(length(body)), mac = randomblob(32)"),
        ]
        defer { unsafe statements.forEach { unsafe _ = sqlite3_finalize($0) } }
        unsafe try run(queries.first ?? nil)
        for _ in 0..<count { unsafe try run(statements[0]) }
        unsafe try run(statements[1])
        unsafe try run(queries.last ?? nil)
    }

    /// Writes the ledger's row and an event's, in one transaction.
    func write(with box: [UInt8]) throws {
        unsafe try run(queries.first ?? nil)
        unsafe try run(update)
        try append(box)
        unsafe try run(queries.last ?? nil)
    }

    /// Adds an event's row; a transaction by itself where there is none.
    func append(_ box: [UInt8]) throws {
        unsafe try box.withUnsafeBytes { bytes in
            try check(unsafe sqlite3_bind_blob(insertion, 1, bytes.baseAddress, Int32(bytes.count), nil))
            unsafe try run(insertion)
        }
    }

    /// Returns the length of an event's box.
    func eventByteCount() throws -> Int {
        let query = unsafe try prepare("SELECT length(box) FROM event LIMIT 1")
        defer { unsafe sqlite3_finalize(query) }
        guard unsafe sqlite3_step(query) == SQLITE_ROW else { throw BenchError(what: "the vault has no event") }
        return Int(unsafe sqlite3_column_int(query, 0))
    }

    private func prepare(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        try check(unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        return unsafe statement
    }

    private func run(_ statement: OpaquePointer?) throws {
        var code = unsafe sqlite3_step(statement)
        while code == SQLITE_ROW {
            let columns = unsafe sqlite3_column_count(statement)
            for column in 0..<columns { _ = unsafe sqlite3_column_blob(statement, column) }
            code = unsafe sqlite3_step(statement)
        }
        try check(unsafe sqlite3_reset(statement))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw BenchError(what: "SQLite: \(code)") }
    }
}
