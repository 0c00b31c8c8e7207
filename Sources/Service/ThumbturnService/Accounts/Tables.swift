import ThumbturnRules

/// The tables, for the calls about accounts in one transaction.
///
/// Each statement is in an extension next to the type of its rows.
struct Tables {
    private let transaction: any StoreTransaction

    init(_ transaction: any StoreTransaction) { self.transaction = transaction }

    func seals(_ keys: AccountKeys) throws(Problem) -> Seals {
        try using { transaction throws(StoreError) in Seals(try keys.service.sealer(in: transaction)) }
    }

    func rows(_ sql: StaticString, _ values: StoreValue...) throws(Problem) -> [Columns] {
        do throws(StoreError) { return try transaction.rows(sql, with: values).map { Columns(row: $0) } } catch {
            throw Problem(store: error)
        }
    }

    func row(_ sql: StaticString, _ values: StoreValue...) throws(Problem) -> Columns? {
        do throws(StoreError) { return try transaction.rows(sql, with: values).first.map { Columns(row: $0) } } catch {
            throw Problem(store: error)
        }
    }

    /// - Returns: the number of rows inserted, updated or deleted.
    func run(_ sql: StaticString, _ values: StoreValue...) throws(Problem) -> Int {
        do throws(StoreError) { return try transaction.run(sql, with: values) } catch { throw Problem(store: error) }
    }

    /// Runs what is not about accounts in the same transaction.
    func using<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(Problem) -> R {
        do throws(StoreError) { return try body(transaction) } catch { throw Problem(store: error) }
    }

    /// Runs a statement whose number of changed rows is not needed; a later statement may throw its error.
    func put(_ sql: StaticString, _ values: StoreValue...) throws(Problem) {
        do throws(StoreError) { try transaction.put(sql, with: values) } catch { throw Problem(store: error) }
    }
}

/// A row, read by column.
struct Columns {
    fileprivate let row: StoreRow

    func blob(_ column: Int) throws(Problem) -> [UInt8] {
        do throws(StoreError) { return try row.blob(column) } catch { throw Problem(store: error) }
    }

    func optionalBlob(_ column: Int) throws(Problem) -> [UInt8]? {
        do throws(StoreError) { return try row.optionalBlob(column) } catch { throw Problem(store: error) }
    }

    func integer(_ column: Int) throws(Problem) -> Int64 {
        do throws(StoreError) { return try row.integer(column) } catch { throw Problem(store: error) }
    }

    func optionalInteger(_ column: Int) throws(Problem) -> Int64? {
        do throws(StoreError) { return try row.optionalInteger(column) } catch { throw Problem(store: error) }
    }

    func text(_ column: Int) throws(Problem) -> String {
        do throws(StoreError) { return try row.text(column) } catch { throw Problem(store: error) }
    }

    func optionalText(_ column: Int) throws(Problem) -> String? {
        do throws(StoreError) { return try row.optionalText(column) } catch { throw Problem(store: error) }
    }

    func time(_ column: Int) throws(Problem) -> ServiceTime { ServiceTime(try integer(column)) }

    func identifier(_ column: Int) throws(Problem) -> Identifier {
        guard let identifier = Identifier(bytes: try blob(column)) else { throw Problem(store: .damaged) }
        return identifier
    }
}

extension StoreValue {
    static func time(_ time: ServiceTime) -> StoreValue { .integer(time.count) }

    static func identifier(_ identifier: Identifier) -> StoreValue { .blob(identifier.bytes) }
}
