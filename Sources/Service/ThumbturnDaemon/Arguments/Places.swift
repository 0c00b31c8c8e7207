import ThumbturnConsole
import ThumbturnService

/// Where the database and the file of the service keys are, as far as the command line says it.
struct Places: Sendable {
    /// What stands after `--store`.
    var store: StoreLocation?
    /// What stands after `--service-key`.
    var serviceKey: String?

    static let options: [any OptionForm] = [Option.store, Option.serviceKey]
    static let operands = "[--store STORE] [--service-key FILE]"

    init(_ given: GivenOptions) throws(Failure) {
        store = try given[.store]
        serviceKey = try given[.serviceKey]
    }
}

extension Environment {
    /// The folder in which an operator who says nothing finds both, each in a folder of its own: what is copied with the
    /// database is not copied with the key.
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

    /// Where the database is; the folder of the default is made.
    func store(_ places: Places) throws(Failure) -> StoreLocation {
        if let store = places.store { return store }
        let path = try serviceFolder() + "/data/service.sqlite"
        try Folders.makeParents(of: path)
        return .sqlite(SQLiteFile(path))
    }

    /// Where the service key is; the folder of the default is made.
    func serviceKey(_ places: Places) throws(Failure) -> ServiceKeyFile {
        if let path = places.serviceKey { return ServiceKeyFile(path) }
        let path = try serviceFolder() + "/keys/service.key"
        try Folders.makeParents(of: path)
        return ServiceKeyFile(path)
    }
}
