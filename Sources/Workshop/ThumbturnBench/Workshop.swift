import Glibc
import Thumbturn
import ThumbturnConsole
import ThumbturnService

/// The folder that a run measures in, and its contents, each created on first use.
final class Workshop {
    let folder: String
    private let options: BenchOptions
    private var vaults: [Int: BenchVault] = [:]
    private var rawWallets: [Int: RawWallets] = [:]
    private var commandVaults: [Int: CommandVault] = [:]
    private var services: [Int: BenchService] = [:]
    private var softwareTPM: BenchTPM?
    private var count = 0

    init(_ options: BenchOptions) throws {
        self.options = options
        folder = try Folders.makeForMeasuring("thumbturn-bench")
    }

    func remove() {
        services = [:]
        softwareTPM?.stop()
        Folders.remove(folder)
    }

    /// Returns the path of a program that was built with this one.
    func program(_ name: String) throws -> String {
        let own = Folders.absolute("/proc/self/exe")
        let program = own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/" + name
        guard unsafe access(program, X_OK) == 0 else { throw BenchError(what: "\(program) is not there") }
        return program
    }

    func newFolder() -> String {
        count += 1
        return "\(folder)/\(count)"
    }

    private func place() throws -> String {
        let place = newFolder()
        guard unsafe mkdir(place, 0o700) == 0 else { throw BenchError(what: "\(place) can't be made") }
        return place
    }
}

// Vaults.
extension Workshop {
    /// Returns a vault with this many wallets, opened and locked.
    func vault(wallets: Int) async throws -> BenchVault {
        if let vault = vaults[wallets] { return vault }
        let vault = try await BenchVault(in: newFolder(), wallets: wallets)
        vaults[wallets] = vault
        return vault
    }

    /// Returns this many wallets, in a file that only the primitives use.
    func rawWallets(_ count: Int) async throws -> RawWallets {
        if let raw = rawWallets[count] { return raw }
        let folder = newFolder()
        try await BenchVault(in: folder, wallets: count).vault.close()
        let raw = try RawWallets(opening: folder + "/vault.sqlite")
        rawWallets[count] = raw
        return raw
    }

    func closedVault() async throws -> String {
        let folder = newFolder()
        try await BenchVault(in: folder, wallets: 10).vault.close()
        return folder + "/vault.sqlite"
    }

    func commandVault(wallets: Int) throws -> CommandVault {
        if let vault = commandVaults[wallets] { return vault }
        let vault = try CommandVault(in: newFolder(), program: program("thumbturn"), wallets: wallets)
        commandVaults[wallets] = vault
        return vault
    }

    /// Returns the run's only TPM.
    func tpm() throws -> BenchTPM {
        if let softwareTPM { return softwareTPM }
        let tpm = try BenchTPM()
        softwareTPM = tpm
        return tpm
    }
}

// Services.
extension Workshop {
    /// Returns a service on SQLite with this many accounts besides those that log in.
    func service(among accounts: Int = 0) throws -> BenchService {
        if let service = services[accounts] { return service }
        let file = try place() + "/service.sqlite"
        let service = try BenchService(.sqlite(SQLiteFile(file)), key: ServiceKeyFile(try place() + "/service.key"))
        try Ballast(file: file).add(accounts)
        services[accounts] = service
        return service
    }

    func serviceOnPostgres() throws -> BenchService {
        guard let uri = options.postgres, let location = StoreLocation(uri) else {
            throw BenchError(what: "--postgres names no server")
        }
        return try BenchService(location, key: ServiceKeyFile(try place() + "/service.key"))
    }

    /// Starts the service's program, on SQLite.
    func servedService() throws -> ServedService { try ServedService(program("thumbturnd"), in: place()) }

    /// Returns how much a database grows with each open handshake, including its indexes.
    func bytesOfHandshake(count: Int) throws -> Double {
        let file = try place() + "/service.sqlite"
        let service = try BenchService(.sqlite(SQLiteFile(file)), key: ServiceKeyFile(try place() + "/service.key"))
        let ballast = Ballast(file: file)
        let before = try ballast.byteCount()
        try service.login().begin(strangers: count)
        return Double(try ballast.byteCount() - before) / Double(count)
    }
}
