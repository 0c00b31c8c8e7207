#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnDevice

/// The folder that a run measures in, and the vaults in it, each made when it is first asked for.
final class Workshop {
    let folder: String
    private var vaults: [Int: BenchVault] = [:]
    private var hasCommandVault = false
    #if canImport(COpenSSL)
    private var rawWallets: [Int: RawWallets] = [:]
    private var commands: CountedCommands?
    #endif
    private var count = 0
    #if canImport(ThumbturnLinux)
    private var softwareTPM: BenchTPM?
    #endif

    init() throws {
        folder = try Folders.makeForMeasuring("thumbturn-bench")
    }

    func remove() {
        #if canImport(ThumbturnLinux)
        softwareTPM?.stop()
        #endif
        Folders.remove(folder)
    }

    /// An open vault with so many wallets, locked.
    func vault(wallets: Int) async throws -> BenchVault {
        if let vault = vaults[wallets] { return vault }
        let vault = try await newVault(wallets: wallets)
        vaults[wallets] = vault
        return vault
    }

    /// One that nobody else gets.
    func newVault(wallets: Int) async throws -> BenchVault {
        try await BenchVault(in: newFolder(), wallets: wallets)
    }

    #if canImport(COpenSSL)
    /// So many wallets, in a file that only the primitives use.
    func rawWallets(_ count: Int) async throws -> RawWallets {
        if let raw = rawWallets[count] { return raw }
        let folder = newFolder()
        try await BenchVault(in: folder, wallets: count).vault.close()
        let raw = try RawWallets(opening: folder + "/vault.sqlite")
        rawWallets[count] = raw
        return raw
    }
    #endif

    #if canImport(COpenSSL)
    /// The one vault of a run whose commands are counted.
    func countedCommands() throws -> CountedCommands {
        if let commands { return commands }
        let made = try CountedCommands(in: newFolder())
        commands = made
        return made
    }
    #endif

    /// The file of a vault that was made and closed.
    func closedVault() async throws -> String {
        let folder = newFolder()
        try await BenchVault(in: folder, wallets: 10).vault.close()
        return folder + "/vault.sqlite"
    }

    #if canImport(ThumbturnLinux)
    /// The one TPM of a run.
    func tpm() throws -> BenchTPM {
        if let softwareTPM { return softwareTPM }
        let tpm = try BenchTPM()
        softwareTPM = tpm
        return tpm
    }
    #endif

    /// The path of a folder that is not there.
    func newFolder() -> String {
        count += 1
        return "\(folder)/\(count)"
    }
}

// A vault that only processes use.
extension Workshop {
    func makeCommandVault() throws {
        guard !hasCommandVault else { return }
        hasCommandVault = true
        _ = try thumbturn("init", "--no-biometrics", givesPIN: true)
    }

    /// Runs our own executable on that vault; its home is in our folder, the simulated device's state included.
    func thumbturn(_ command: String..., givesPIN: Bool = false) throws -> MeasuredProcess {
        try MeasuredProcess.run(
            "/proc/self/exe",
            ["--vault", folder + "/command", "--device", "simulated"] + command
                + (givesPIN ? ["--secret-fd", "3"] : []),
            environment: ["HOME=\(folder)", "PATH=/usr/bin:/bin"],
            secret: givesPIN ? BenchVault.pin : nil
        )
    }
}
