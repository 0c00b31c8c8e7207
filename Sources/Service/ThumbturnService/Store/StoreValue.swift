/// One value that goes into or comes out of a store.
package enum StoreValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// Null where there is none.
    package static func optional(_ bytes: [UInt8]?) -> StoreValue { bytes.map { .blob($0) } ?? .null }

    /// Null where there is none.
    package static func optional(_ number: Int64?) -> StoreValue { number.map { .integer($0) } ?? .null }
}

/// One row of an answer, copied out of the store.
///
/// Columns count from 0. A value of another type than asked for, or a column that the query does not have, throws
/// `.damaged`: this program did not write it.
package struct StoreRow: Equatable, Sendable {
    private let values: [StoreValue]

    init(_ values: [StoreValue]) {
        self.values = values
    }

    /// Returns the bytes in `column`.
    package func blob(_ column: Int) throws(StoreError) -> [UInt8] {
        guard case .blob(let bytes) = try value(column) else { throw .damaged }
        return bytes
    }

    /// Returns the bytes in `column`, or `nil` where it is null.
    package func optionalBlob(_ column: Int) throws(StoreError) -> [UInt8]? {
        try isNull(column) ? nil : blob(column)
    }

    /// Returns the integer in `column`; what the store calls true is 1, and false 0.
    package func integer(_ column: Int) throws(StoreError) -> Int64 {
        guard case .integer(let number) = try value(column) else { throw .damaged }
        return number
    }

    /// Returns the integer in `column`, or `nil` where it is null.
    package func optionalInteger(_ column: Int) throws(StoreError) -> Int64? {
        try isNull(column) ? nil : integer(column)
    }

    /// Returns the text in `column`.
    package func text(_ column: Int) throws(StoreError) -> String {
        guard case .text(let text) = try value(column) else { throw .damaged }
        return text
    }

    /// Returns the text in `column`, or `nil` where it is null.
    package func optionalText(_ column: Int) throws(StoreError) -> String? {
        try isNull(column) ? nil : text(column)
    }

    private func isNull(_ column: Int) throws(StoreError) -> Bool {
        try value(column) == .null
    }

    private func value(_ column: Int) throws(StoreError) -> StoreValue {
        guard values.indices.contains(column) else { throw .damaged }
        return values[column]
    }
}
