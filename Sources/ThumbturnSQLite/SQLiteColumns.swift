internal import CSQLite

/// One row of an answer where SQLite keeps it: its bytes are lent, and gone at the next row.
@safe package struct SQLiteColumns: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    /// Returns the integer in `column`; nil where there is something else.
    package borrowing func integer(_ column: Int32) -> Int64? {
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_int64(statement, column)
    }

    /// Lends the bytes in `column`; nil, which stands for damage, where there is something else.
    package borrowing func withBlob<Result, Failure: Error>(
        _ column: Int32,
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
        let start = unsafe sqlite3_column_blob(statement, column)
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return try unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count).bytes)
    }
}
