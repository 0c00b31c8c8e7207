import ThumbturnConsole
import ThumbturnFiles
import ThumbturnService

/// The locations of the database and of the service key file given on the command line.
struct Places: Sendable {
    /// The value of `--store`.
    var store: StoreLocation?
    /// The value of `--service-key`.
    var serviceKey: String?

    static let options: [any OptionForm] = [Option.store, Option.serviceKey]
    static let operands = "[--store STORE] [--service-key FILE]"

    init(_ given: GivenOptions) throws(Failure) {
        store = try given[.store]
        serviceKey = try given[.serviceKey]
    }
}

extension Environment {
    /// Returns the default folder of both, each in its own subfolder, so that copying the database does not copy the
    /// key.
    private func serviceFolder() throws(Failure) -> String {
        guard let folder = folder("XDG_STATE_HOME", else: ".local/state") else {
            throw Failure(
                .usage,
                Words("HOME is not set", "HOME n'est pas défini"),
                hint: Words("name them: --store, --service-key", "nommez-les : --store, --service-key")
            )
        }
        return folder + "/thumbturnd"
    }

    /// Returns the location of the database; creates the default folder.
    func store(_ places: Places) throws(Failure) -> StoreLocation {
        if let store = places.store { return store }
        let path = try serviceFolder() + "/data/service.sqlite"
        try Folders.makeParents(of: path)
        return .sqlite(SQLiteFile(path))
    }

    /// Returns the path of the default key that signs the ledger, beside the service key.
    func auditKey(_ places: Places) throws(Failure) -> String {
        guard let key = places.serviceKey else { return try serviceFolder() + "/keys/audit.pem" }
        return OpenFolder.parent(of: key) + "/audit.pem"
    }

    /// Returns the file of the newest signed heads, beside the service key: it must not come back with the database.
    func auditHeads(_ places: Places) throws(Failure) -> HeadFile {
        HeadFile(OpenFolder.parent(of: try auditKey(places)) + "/audit.heads")
    }

    /// Returns the path of the default key that signs; creates the default folder.
    func newAuditKey(_ places: Places) throws(Failure) -> String {
        let path = try auditKey(places)
        if places.serviceKey == nil { try Folders.makeParents(of: path) }
        return path
    }

    /// Returns the service key file; creates the default folder.
    func serviceKey(_ places: Places) throws(Failure) -> ServiceKeyFile {
        if let path = places.serviceKey { return ServiceKeyFile(path) }
        let path = try serviceFolder() + "/keys/service.key"
        try Folders.makeParents(of: path)
        return ServiceKeyFile(path)
    }
}
