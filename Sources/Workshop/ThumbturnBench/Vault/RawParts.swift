/// The bare parts of a biometric unlock: one SQLite read, one SQLite write of ledger and event that is flushed, like
/// ours, HKDF, and an AES-GCM box that is opened and one that is sealed.
final class RawParts {
    private let database: RawDatabase
    private let event: RawEvent
    private let evp = RawEVP()
    private let header: [UInt8]
    private let box: [UInt8]

    /// Opens the file of a closed vault, so that rows, pages and settings are those of a vault.
    init(opening path: String) throws {
        database = try RawDatabase(opening: path)
        event = try RawEvent(of: database)
        header = [UInt8](repeating: 3, count: 250)
        box = try evp.seal([UInt8](repeating: 4, count: 32), associatedData: header)
    }

    func run() throws {
        try database.read()
        try evp.derive()
        try evp.open(box, associatedData: header)
        try database.write(with: event.sealed())
    }
}
