/// A sealed row in a vault's file, by SQLite and OpenSSL: the least for an event that is kept.
final class RawEvent {
    private let database: RawDatabase
    private let evp = RawEVP()
    private let record: [UInt8]
    /// A label, two identifiers and a number.
    private static let associatedData = [UInt8](repeating: 3, count: 58)
    /// Nonce and tag.
    private static let overhead = 28

    /// Creates events as long as those that the file of a closed vault has.
    init(of database: RawDatabase) throws {
        self.database = database
        record = [UInt8](repeating: 5, count: try database.eventByteCount() - Self.overhead)
    }

    func sealed() throws -> [UInt8] { try evp.seal(record, associatedData: Self.associatedData) }

    /// Appends events, each in a transaction that is flushed.
    func append(count: Int) throws {
        for _ in 0..<count { try database.append(sealed()) }
    }
}
