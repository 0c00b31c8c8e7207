import Glibc
import ThumbturnConsole
import ThumbturnService

/// The folder that a run measures in, and the services in it, each made when it is first asked for.
final class Workshop {
    let folder: String
    private let options: BenchOptions
    private var services: [Int: BenchService] = [:]
    private var count = 0

    init(_ options: BenchOptions) throws {
        self.options = options
        folder = try Folders.makeForMeasuring("thumbturnd-bench")
    }

    func remove() {
        services = [:]
        Folders.remove(folder)
    }

    /// A service on SQLite in which so many accounts are, besides those that log in.
    func service(among accounts: Int = 0) throws -> BenchService {
        if let service = services[accounts] { return service }
        let file = try place() + "/service.sqlite"
        let service = try BenchService(.sqlite(SQLiteFile(file)), key: ServiceKeyFile(try place() + "/service.key"))
        try Ballast(file: file).add(accounts)
        services[accounts] = service
        return service
    }

    /// A service on the database of `--postgres`.
    func serviceOnPostgres() throws -> BenchService {
        guard let uri = options.postgres, let location = StoreLocation(uri) else {
            throw BenchError(what: "--postgres names no server")
        }
        return try BenchService(location, key: ServiceKeyFile(try place() + "/service.key"))
    }

    /// How much a database grows by an open handshake, indexes and all.
    func bytesOfHandshake(count: Int) throws -> Double {
        let file = try place() + "/service.sqlite"
        let service = try BenchService(.sqlite(SQLiteFile(file)), key: ServiceKeyFile(try place() + "/service.key"))
        let ballast = Ballast(file: file)
        let before = try ballast.byteCount()
        try service.login().begin(strangers: count)
        return Double(try ballast.byteCount() - before) / Double(count)
    }

    private func place() throws -> String {
        count += 1
        let place = "\(folder)/\(count)"
        guard unsafe mkdir(place, 0o700) == 0 else { throw BenchError(what: "\(place) can't be made") }
        return place
    }
}
