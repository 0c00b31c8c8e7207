import Glibc
import Thumbturn
import ThumbturnConsole
import ThumbturnDevice
import ThumbturnLinux
import ThumbturnRules

/// A vault that processes open, as a user does by commands; each deed undoes its changes.
final class CommandVault {
    private static let mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    private static let pins = [BenchVault.pin, "573910284637"]

    private let home: CommandHome
    private let wallets: Int
    private var pin = CommandVault.pins[0]
    private var recoveryKey: String?
    private var renamed = "wallet 2"
    private var count = 0

    /// - Parameters:
    ///   - folder: is created.
    ///   - wallets: the number of wallets, named `wallet 1` and so on.
    init(in folder: String, program: String, wallets: Int) throws {
        home = try CommandHome(folder, program: program)
        self.wallets = wallets
        _ = try home.run(["init"], [pin])
        _ = try fill(home)
    }

    /// Writes records until its trail has this many.
    func fillTrail(to count: UInt64) async throws {
        let folder = home.folder + "/.local/state/thumbturn/files"
        let device = try await Device.linux(LinuxConfiguration(folder: folder, store: .files))
        let vault = try await Vault.open(in: home.folder + "/.local/share/thumbturn/vault", device: device)
        let known = await vault.trailSummary?.count ?? 0
        guard known > 0, known <= count else { throw BenchError(what: "the trail has \(known) records") }
        try await vault.insecurelyTell(.policyChanged, times: Int(count - known), together: true)
        await vault.close()
    }

    /// Performs a deed.
    ///
    /// - Parameter calls: as for `CommandHome.run`.
    func run(_ deed: Deed, counting calls: String? = nil) throws -> MeasuredProcess {
        count += 1
        switch deed {
        case .status: return try home.run(["status"], counting: calls)
        case .unlock: return try home.run(["unlock"], [pin], counting: calls)
        case .list: return try home.run(["wallet", "list"], [pin], counting: calls)
        case .export: return try home.run(["wallet", "export", "wallet 1"], [pin], counting: calls)
        case .exportAll: return try home.run(["wallet", "export", "--all"], [pin], counting: calls)
        case .import: return try add("new \(count)", counting: calls)
        case .rename:
            let name = "renamed \(count)"
            defer { renamed = name }
            return try home.run(["wallet", "rename", renamed, name], [pin], counting: calls)
        case .delete:
            let name = "doomed \(count)"
            _ = try add(name)
            return try home.run(["wallet", "delete", name], [pin, name], counting: calls)
        case .rekey:
            // Otherwise the new recovery key would have to be typed back.
            if recoveryKey != nil { _ = try home.run(["recovery", "remove"], [pin]) }
            recoveryKey = nil
            return try home.run(["rekey"], [pin], counting: calls)
        case .changePIN:
            let next = Self.pins[pin == Self.pins[0] ? 1 : 0]
            defer { pin = next }
            return try home.run(["pin", "change"], [pin, next], counting: calls)
        case .backup:
            _ = try key()
            return try withFile { try home.run(["backup", $0], [pin], counting: calls) }
        case .verify:
            return try withBackup { try home.run(["backup", "verify", $0], [$1], counting: calls) }
        case .restore:
            return try withBackup { file, key in
                try elsewhere { try $0.run(["restore", file], [key, pin], counting: calls) }
            }
        case .bulk:
            return try elsewhere {
                _ = try $0.run(["init"], [pin])
                return try fill($0, counting: calls)
            }
        case .makeVault: return try elsewhere { try $0.run(["init"], [pin], counting: calls) }
        case .setCredential:
            let words = ["credential", "set", "token", "--no-biometrics"]
            return try elsewhere { try $0.run(words, ["a token"], counting: calls) }
        }
    }

    private func add(_ name: String, counting calls: String? = nil) throws -> MeasuredProcess {
        try home.run(["wallet", "import", name], [pin, Self.mnemonic], counting: calls)
    }

    private func fill(_ home: CommandHome, counting calls: String? = nil) throws -> MeasuredProcess {
        let lines = (1...wallets).map { "wallet \($0)\t\(Self.mnemonic)" }
        return try home.run(["wallet", "import", "--bulk"], [pin] + lines, counting: calls)
    }

    /// Returns its recovery key, which is created on first use.
    private func key() throws -> String {
        if let recoveryKey { return recoveryKey }
        let key = try home.makeRecoveryKey(pin)
        recoveryKey = key
        return key
    }

    private func withFile(_ body: (String) throws -> MeasuredProcess) throws -> MeasuredProcess {
        let file = "\(home.folder)/\(count).backup"
        defer { _ = unsafe unlink(file) }
        return try body(file)
    }

    private func withBackup(_ body: (_ file: String, _ key: String) throws -> MeasuredProcess) throws -> MeasuredProcess
    {
        let key = try key()
        return try withFile { file in
            _ = try home.run(["backup", file], [pin])
            return try body(file, key)
        }
    }

    /// Runs `body` in a new home without a vault.
    private func elsewhere(_ body: (CommandHome) throws -> MeasuredProcess) throws -> MeasuredProcess {
        let other = try CommandHome("\(home.folder)/\(count)", program: home.program)
        defer { Folders.remove(other.folder) }
        return try body(other)
    }
}
