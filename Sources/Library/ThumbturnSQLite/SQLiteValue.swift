/// One value that goes into or comes out of a database.
package enum SQLiteValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// A value that our tables never contain: a floating-point number, or text that is not UTF-8.
    ///
    /// It counts as damage: reading this column fails, while the other columns of its row can be read.
    case damaged
}

/// One row of an answer, copied out of the database.
///
/// Columns count from 0.
///
/// A value of another type than requested, or a missing column, throws `.corrupt`: SQLite decides types at run time, so
/// a wrong one means a damaged or forged file.
package struct SQLiteRow: Equatable, Sendable {
    /// The values, in the order of the columns.
    package let values: [SQLiteValue]

    init(_ values: [SQLiteValue]) { self.values = values }

    /// Returns the bytes in `column`.
    package func blob(_ column: Int) throws(SQLiteError) -> [UInt8] {
        guard case .blob(let bytes) = try value(column) else { throw .corrupt }
        return bytes
    }

    /// Returns the bytes in `column`, or `nil` if it is null.
    package func optionalBlob(_ column: Int) throws(SQLiteError) -> [UInt8]? { try isNull(column) ? nil : blob(column) }

    /// Returns the integer in `column`.
    package func integer(_ column: Int) throws(SQLiteError) -> Int64 {
        guard case .integer(let number) = try value(column) else { throw .corrupt }
        return number
    }

    /// Returns the text in `column`.
    package func text(_ column: Int) throws(SQLiteError) -> String {
        guard case .text(let text) = try value(column) else { throw .corrupt }
        return text
    }

    /// Returns the text in `column`, or `nil` if it is null.
    package func optionalText(_ column: Int) throws(SQLiteError) -> String? { try isNull(column) ? nil : text(column) }

    private func isNull(_ column: Int) throws(SQLiteError) -> Bool { try value(column) == .null }

    private func value(_ column: Int) throws(SQLiteError) -> SQLiteValue {
        guard values.indices.contains(column) else { throw .corrupt }
        return values[column]
    }
}
