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
    private var trailVaults: [UInt64: CommandVault] = [:]
    private var services: [Int: BenchService] = [:]
    private var ledgers: [String: BenchLedger] = [:]
    private var softwareTPM: BenchTPM?
    private var bareTPM: RawPIN?
    private var count = 0

    init(_ options: BenchOptions) throws {
        self.options = options
        folder = try Folders.makeForMeasuring("thumbturn-bench")
    }

    func remove() {
        services = [:]
        ledgers = [:]
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

    /// Returns a new folder, which is made.
    func place() throws -> String {
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

    /// Returns a vault with ten wallets and this many records in its trail.
    func commandVault(records: UInt64) async throws -> CommandVault {
        if let vault = trailVaults[records] { return vault }
        let vault = try CommandVault(in: newFolder(), program: program("thumbturn"), wallets: 10)
        try await vault.fillTrail(to: records)
        trailVaults[records] = vault
        return vault
    }

    /// Returns a vault on a simulated device, for one way into it.
    func waysVault() throws -> WaysVault { try WaysVault(in: newFolder(), program: program("thumbturn")) }

    /// Returns the run's only TPM.
    func tpm() throws -> BenchTPM {
        if let softwareTPM { return softwareTPM }
        let tpm = try BenchTPM()
        softwareTPM = tpm
        return tpm
    }

    /// Returns bare ESYS on that TPM, whose indices are there once.
    func rawPIN() throws -> RawPIN {
        if let bareTPM { return bareTPM }
        let raw = try RawPIN(on: RawTPM(transport: try tpm().tcti), folder: newFolder())
        bareTPM = raw
        return raw
    }
}

// Ledgers.
extension Workshop {
    /// Returns a ledger whose devices send so many records an upload.
    func ledger(records: Int, _ signing: BenchLedger.Signing) throws -> BenchLedger {
        try ledger("\(records) \(signing)") { try newLedger(records, signing) }
    }

    /// Returns a ledger with 10^`exponent` records, and then some, whose devices send ten an upload.
    func ledger(grownTo exponent: Int) throws -> BenchLedger {
        try ledger("grown \(exponent)") {
            let ledger = try newLedger(10, .file)
            try ledger.grow(to: (0..<exponent).reduce(1) { size, _ in size * 10 })
            return ledger
        }
    }

    /// Returns a new ledger with 20,000 records and more, ten an upload, exported.
    func ledgerExport() throws -> BenchExport {
        let ledger = try newLedger(10, .file)
        try ledger.send(uploads: 2_000)
        return try BenchExport(of: ledger)
    }

    private func ledger(_ name: String, _ make: () throws -> BenchLedger) throws -> BenchLedger {
        if let ledger = ledgers[name] { return ledger }
        let ledger = try make()
        ledgers[name] = ledger
        return ledger
    }

    private func newLedger(_ records: Int, _ signing: BenchLedger.Signing) throws -> BenchLedger {
        var options = ["--origin", BenchLedger.origin]
        if signing == .slow, let signer = self.options.signer { options += ["--signer", signer] }
        return try BenchLedger(
            ServedService(program("thumbturnd"), in: place(), options),
            devices: signing.devices,
            records: records,
            bareIn: place() + "/service.sqlite"
        )
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
