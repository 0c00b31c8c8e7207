/// A value passed to or read from a store.
package enum StoreValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// Returns a blob, or null for `nil`.
    package static func optional(_ bytes: [UInt8]?) -> StoreValue { bytes.map { .blob($0) } ?? .null }
}

/// A row of a result, copied out of the store.
///
/// Columns are numbered from 0. A value of another type than requested, or a column that the query does not have,
/// throws `.damaged`: this program did not write it.
package struct StoreRow: Equatable, Sendable {
    private let values: [StoreValue]

    init(_ values: [StoreValue]) { self.values = values }

    /// Returns the bytes in `column`.
    package func blob(_ column: Int) throws(StoreError) -> [UInt8] {
        guard case .blob(let bytes) = try value(column) else { throw .damaged }
        return bytes
    }

    /// Returns the bytes in `column`, or `nil` if it is null.
    package func optionalBlob(_ column: Int) throws(StoreError) -> [UInt8]? { try isNull(column) ? nil : blob(column) }

    /// Returns the integer in `column`: 1 for the store's true, and 0 for false.
    package func integer(_ column: Int) throws(StoreError) -> Int64 {
        guard case .integer(let number) = try value(column) else { throw .damaged }
        return number
    }

    /// Returns the integer in `column`, or `nil` if it is null.
    package func optionalInteger(_ column: Int) throws(StoreError) -> Int64? {
        try isNull(column) ? nil : integer(column)
    }

    /// Returns the text in `column`.
    package func text(_ column: Int) throws(StoreError) -> String {
        guard case .text(let text) = try value(column) else { throw .damaged }
        return text
    }

    /// Returns the text in `column`, or `nil` if it is null.
    package func optionalText(_ column: Int) throws(StoreError) -> String? { try isNull(column) ? nil : text(column) }

    private func isNull(_ column: Int) throws(StoreError) -> Bool { try value(column) == .null }

    private func value(_ column: Int) throws(StoreError) -> StoreValue {
        guard values.indices.contains(column) else { throw .damaged }
        return values[column]
    }
}
