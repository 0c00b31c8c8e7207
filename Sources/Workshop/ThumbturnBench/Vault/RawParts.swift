/// The bare parts of a biometric unlock: one SQLite read, one SQLite write that is not flushed, like ours, HKDF, and
/// opening an AES-GCM box.
final class RawParts {
    private let database: RawDatabase
    private let evp = RawEVP()
    private let header: [UInt8]
    private let box: [UInt8]

    /// Opens the file of a closed vault, so that rows, pages and settings are those of a vault.
    init(opening path: String) throws {
        database = try RawDatabase(opening: path, isFlushed: false)
        header = [UInt8](repeating: 3, count: 250)
        box = try evp.seal([UInt8](repeating: 4, count: 32), associatedData: header)
    }

    func run() throws {
        try database.read()
        try database.write()
        try evp.derive()
        try evp.open(box, associatedData: header)
    }
}
