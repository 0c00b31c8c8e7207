import CSQLite
import ThumbturnConsole

/// Plain SQLite with the settings of the service's database.
@safe final class RawSQLite {
    private var handle: OpaquePointer?

    init(_ path: String) throws {
        try check(unsafe sqlite3_open(path, &handle))
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
        try run("PRAGMA secure_delete = ON")
        try check(unsafe sqlite3_busy_timeout(handle, 10_000))
    }

    // The connection lasts until its last statement is gone.
    deinit { unsafe sqlite3_close_v2(handle) }

    func run(_ sql: String) throws { try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil)) }

    func prepare(_ sql: String) throws -> RawStatement {
        var statement: OpaquePointer?
        try check(unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        return unsafe RawStatement(statement)
    }

    /// Returns the number that a query results in.
    func number(_ sql: String) throws -> Int {
        var statement: OpaquePointer?
        try check(unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { unsafe sqlite3_finalize(statement) }
        guard unsafe sqlite3_step(statement) == SQLITE_ROW else { throw BenchError(what: "SQLite has no row") }
        return Int(unsafe sqlite3_column_int64(statement, 0))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw BenchError(what: "SQLite: \(code)") }
    }
}

/// A statement that is run many times, and returns nothing.
@safe final class RawStatement {
    enum Value {
        case number(Int64)
        case bytes([UInt8])
    }

    private let statement: OpaquePointer?

    fileprivate init(_ statement: OpaquePointer?) { unsafe self.statement = unsafe statement }

    deinit { unsafe sqlite3_finalize(statement) }

    func run(_ values: Value...) throws {
        for (index, value) in values.enumerated() {
            switch value {
            case .number(let number): unsafe sqlite3_bind_int64(statement, Int32(index + 1), number)
            case .bytes(let bytes):
                // SQLite copies the bytes, which may move.
                let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                unsafe sqlite3_bind_blob(statement, Int32(index + 1), bytes, Int32(bytes.count), copies)
            }
        }
        guard unsafe sqlite3_step(statement) == SQLITE_DONE, unsafe sqlite3_reset(statement) == SQLITE_OK else {
            throw BenchError(what: "SQLite refused a row")
        }
    }
}

/// Commits of one row about as long as a handshake's, and nothing else.
final class BareCommits {
    private let database: RawSQLite

    init(in folder: String) throws {
        database = try RawSQLite(folder + "/bare.sqlite")
        try database.run("CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT")
    }

    func run(count: Int) throws {
        for _ in 0..<count { try database.run("INSERT INTO rows (value) VALUES (randomblob(1200))") }
    }
}
