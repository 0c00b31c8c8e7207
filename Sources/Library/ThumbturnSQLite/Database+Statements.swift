internal import CSQLite

extension Database {
    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    package var changes: Int { unsafe handle == nil ? 0 : Int(sqlite3_changes(handle)) }

    /// Runs one statement with `values` in place of its question marks; rows that it returns are dropped.
    package func run(_ sql: StaticString, _ values: SQLiteValue...) throws(SQLiteError) { try run(sql, with: values) }

    /// Runs one statement with `values` in place of its question marks; rows that it returns are dropped.
    package func run(_ sql: StaticString, with values: [SQLiteValue]) throws(SQLiteError) {
        let statement = unsafe try prepare(sql, values)
        defer { unsafe release(statement, sql) }
        while unsafe try step(statement) {}
    }

    /// Runs one query and returns all its rows.
    package func rows(_ sql: StaticString, _ values: SQLiteValue...) throws(SQLiteError) -> [SQLiteRow] {
        try rows(sql, with: values)
    }

    /// Runs one query and returns all its rows.
    package func rows(_ sql: StaticString, with values: [SQLiteValue]) throws(SQLiteError) -> [SQLiteRow] {
        let statement = unsafe try prepare(sql, values)
        defer { unsafe release(statement, sql) }
        var rows: [SQLiteRow] = []
        while unsafe try step(statement) { unsafe rows.append(row(of: statement)) }
        return rows
    }

    /// Runs one query and passes its rows to `body` one by one, so that only one is in memory.
    ///
    /// `body` may use the database, but not close it.
    ///
    /// - Parameters:
    ///   - mapping: turns a database error into one of the caller's.
    ///   - body: called for each row; an error it throws ends the query.
    package func forEachRow<Failure: Error>(
        _ sql: StaticString,
        _ values: SQLiteValue...,
        mapping: (SQLiteError) -> Failure,
        body: (SQLiteRow) throws(Failure) -> Void
    ) throws(Failure) {
        unsafe try forEachStep(sql, values, mapping: mapping) { (statement) throws(Failure) in
            unsafe try body(row(of: statement))
        }
    }

    /// Does the same for many thousands of rows: nothing is copied, and nothing is generic, which would slow down each
    /// row.
    ///
    /// - Parameter body: returns false to end the query.
    package func lendEachRow(
        _ sql: StaticString,
        _ values: SQLiteValue...,
        body: (borrowing SQLiteColumns) -> Bool
    ) throws(SQLiteError) {
        let statement = unsafe try prepare(sql, values)
        openCursors += 1
        defer {
            openCursors -= 1
            unsafe release(statement, sql)
        }
        let columns = unsafe SQLiteColumns(statement)
        while unsafe try step(statement), body(columns) {}
    }

    private func forEachStep<Failure: Error>(
        _ sql: StaticString,
        _ values: [SQLiteValue],
        mapping: (SQLiteError) -> Failure,
        body: (OpaquePointer) throws(Failure) -> Void
    ) throws(Failure) {
        func mapped<Result>(_ call: () throws(SQLiteError) -> Result) throws(Failure) -> Result {
            do throws(SQLiteError) { return try call() } catch { throw mapping(error) }
        }
        let statement = unsafe try mapped { () throws(SQLiteError) in unsafe try prepare(sql, values) }
        openCursors += 1
        defer {
            openCursors -= 1
            unsafe release(statement, sql)
        }
        while try mapped({ () throws(SQLiteError) in unsafe try step(statement) }) { unsafe try body(statement) }
    }

    /// Interrupts every running statement, which then throws; does nothing between statements.
    ///
    /// This is the one call that may come from another thread; it must not overlap `close`.
    package func interrupt() {
        guard unsafe handle != nil else { return }
        unsafe sqlite3_interrupt(handle)
    }

    func finalizeStatements() {
        while let (_, statement) = unsafe statements.popFirst() { _ = unsafe sqlite3_finalize(statement) }
    }

    /// Returns the statement of `sql`, prepared on first use and kept, with `values` bound.
    private func prepare(_ sql: StaticString, _ values: [SQLiteValue]) throws(SQLiteError) -> OpaquePointer {
        let statement = unsafe try prepare(sql)
        do throws(SQLiteError) {
            for (index, value) in values.enumerated() { unsafe try bind(value, to: statement, at: Int32(index + 1)) }
        } catch {
            unsafe release(statement, sql)
            throw error
        }
        return unsafe statement
    }

    private func prepare(_ sql: StaticString) throws(SQLiteError) -> OpaquePointer {
        guard unsafe handle != nil else { throw .other(SQLITE_MISUSE) }
        let kept = unsafe statements[sql.address]
        // A query inside a query of the same text gets its own statement, which `release` finalizes.
        if let kept = unsafe kept, unsafe sqlite3_stmt_busy(kept) == 0 { return unsafe kept }
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle,
            sql.characters,
            Int32(sql.utf8CodeUnitCount),
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &statement,
            nil
        )
        guard code == SQLITE_OK, let statement = unsafe statement else { throw SQLiteError(code: code) }
        if unsafe kept == nil { unsafe statements[sql.address] = statement }
        return unsafe statement
    }

    private func release(_ statement: OpaquePointer, _ sql: StaticString) {
        guard unsafe statements[sql.address] == statement else {
            _ = unsafe sqlite3_finalize(statement)
            return
        }
        // `reset` repeats the error of the last step, which was already thrown.
        _ = unsafe sqlite3_reset(statement)
        _ = unsafe sqlite3_clear_bindings(statement)
    }

    private func step(_ statement: OpaquePointer) throws(SQLiteError) -> Bool {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteError(code: code, errno: unsafe sqlite3_system_errno(handle))
        }
    }

    private func bind(_ value: SQLiteValue, to statement: OpaquePointer, at index: Int32) throws(SQLiteError) {
        let code =
            switch value {
            case .null:
                unsafe sqlite3_bind_null(statement, index)
            case .integer(let number):
                unsafe sqlite3_bind_int64(statement, index, number)
            case .text(let text):
                unsafe sqlite3_bind_text(statement, index, text, Int32(clamping: text.utf8.count), transient)
            case .blob(let bytes) where bytes.isEmpty:
                // An empty array may have no address, which SQLite would take for null.
                unsafe sqlite3_bind_zeroblob(statement, index, 0)
            case .blob(let bytes):
                unsafe sqlite3_bind_blob(statement, index, bytes, Int32(clamping: bytes.count), transient)
            case .damaged:
                SQLITE_MISMATCH
            }
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }

    private func row(of statement: OpaquePointer) -> SQLiteRow {
        var values: [SQLiteValue] = []
        for column in unsafe 0..<sqlite3_column_count(statement) {
            unsafe values.append(value(of: statement, column))
        }
        return SQLiteRow(values)
    }

    private func value(of statement: OpaquePointer, _ column: Int32) -> SQLiteValue {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_NULL:
            return .null
        case SQLITE_INTEGER:
            return unsafe .integer(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT:
            let start = unsafe UnsafeRawPointer(sqlite3_column_text(statement, column))
            let bytes = unsafe bytes(of: statement, column, from: start)
            let text = String(decoding: bytes, as: UTF8.self)
            return text.utf8.elementsEqual(bytes) ? .text(text) : .damaged  // repaired, so it was not UTF-8
        case SQLITE_BLOB:
            return unsafe .blob(bytes(of: statement, column, from: sqlite3_column_blob(statement, column)))
        default:
            return .damaged
        }
    }

    private func bytes(of statement: OpaquePointer, _ column: Int32, from start: UnsafeRawPointer?) -> [UInt8] {
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}

/// `SQLITE_TRANSIENT`, a macro that Swift cannot import: SQLite copies the bytes before the call returns.
private var transient: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

extension StaticString {
    fileprivate var address: UInt { unsafe UInt(bitPattern: utf8Start) }
    fileprivate var characters: UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
