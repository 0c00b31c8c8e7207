internal import CPostgres

/// The types of PostgreSQL that we use, by their constant numbers in its catalogue.
private enum PostgresType {
    static let boolean: Oid = 16
    static let bytes: Oid = 17
    static let integer: Oid = 20
    static let smallInteger: Oid = 21
    static let middleInteger: Oid = 23
    static let text: Oid = 25
}

/// The values of one statement, in PostgreSQL's binary format.
struct PostgresParameters {
    /// The types; a null has none, because the statement determines it.
    let types: [Oid]
    private var bytes: [UInt8] = []
    private var places: [Range<Int>?] = []

    init(_ values: [StoreValue]) {
        types = values.map { value in
            switch value {
            case .null: 0
            case .integer: PostgresType.integer
            case .text: PostgresType.text
            case .blob: PostgresType.bytes
            }
        }
        for value in values {
            let start = bytes.count
            switch value {
            case .null:
                places.append(nil)
                continue
            case .integer(let number): for shift in stride(from: 56, through: 0, by: -8) { append(number, shift) }
            case .text(let text): bytes += Array(text.utf8)
            case .blob(let blob): bytes += blob
            }
            places.append(start..<bytes.count)
        }
        bytes.append(0)  // An empty array may have no address, which libpq would read as null.
    }

    private mutating func append(_ number: Int64, _ shift: Int) {
        bytes.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
    }

    /// Passes the values to `body` as libpq expects them: addresses, lengths and formats.
    func lent<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Result
    ) -> Result {
        let lengths = places.map { Int32(clamping: $0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: places.count)
        return unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = unsafe places.map { place in
                unsafe place.flatMap { unsafe start?.advanced(by: $0.lowerBound) }
            }
            return unsafe body(pointers, lengths, formats)
        }
    }
}

struct PostgresAnswer {
    /// The rows; `nil` for a row with a value of a type that our statements never select.
    private(set) var rows: [StoreRow?] = []
    /// The number of rows inserted, updated or deleted.
    private(set) var changes = 0
    /// The statement's command tag, such as `COMMIT`.
    private(set) var word = ""

    init() {}

    init(_ result: OpaquePointer) {
        word = unsafe String(cString: PQcmdStatus(result))
        changes = unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
        let columns = unsafe PQnfields(result)
        for row in unsafe 0..<PQntuples(result) {
            var values: [StoreValue] = []
            for column in 0..<columns {
                guard let value = unsafe Self.value(of: result, row, column) else { break }
                values.append(value)
            }
            rows.append(values.count == columns ? StoreRow(values) : nil)
        }
    }

    private static func value(of result: OpaquePointer, _ row: Int32, _ column: Int32) -> StoreValue? {
        guard unsafe PQgetisnull(result, row, column) == 0 else { return .null }
        let start = unsafe UnsafeRawPointer(PQgetvalue(result, row, column))
        let count = unsafe Int(PQgetlength(result, row, column))
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
        // Answers to statements without values are in text format.
        guard unsafe PQfformat(result, column) == 1 else { return nil }
        switch unsafe PQftype(result, column) {
        case PostgresType.integer where count == 8, PostgresType.middleInteger where count == 4,
            PostgresType.smallInteger where count == 2:
            let sign: Int64 = bytes[0] & 0x80 == 0 ? 0 : -1
            return .integer(bytes.reduce(sign) { $0 << 8 | Int64($1) })
        case PostgresType.boolean where count == 1: return .integer(Int64(bytes[0]))
        case PostgresType.text: return .text(String(decoding: bytes, as: UTF8.self))
        case PostgresType.bytes: return .blob(bytes)
        default: return nil
        }
    }
}
