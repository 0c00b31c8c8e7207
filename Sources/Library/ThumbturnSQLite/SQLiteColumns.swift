internal import CSQLite

/// One row of an answer in SQLite's memory: its bytes are lent, and invalid after the next row.
@safe package struct SQLiteColumns: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { unsafe self.statement = statement }

    /// Returns the integer in `column`; nil if it has another type.
    package borrowing func integer(_ column: Int32) -> Int64? {
        guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
        return unsafe sqlite3_column_int64(statement, column)
    }

    /// Lends the bytes in the first four columns.
    ///
    /// - Returns: false, which means damage, if one of them has another type.
    package borrowing func withFourBlobs(_ body: (RawSpan, RawSpan, RawSpan, RawSpan) -> Void) -> Bool {
        guard isBlob(0), isBlob(1), isBlob(2), isBlob(3) else { return false }
        unsafe body(bytes(0).bytes, bytes(1).bytes, bytes(2).bytes, bytes(3).bytes)
        return true
    }

    private borrowing func isBlob(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB
    }

    private borrowing func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = unsafe sqlite3_column_blob(statement, column)
        let count = unsafe Int(sqlite3_column_bytes(statement, column))
        return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
}
