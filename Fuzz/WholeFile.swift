import Thumbturn
import ThumbturnSimulator
@_spi(InsecureTestParameters) import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// A small vault whose file is replaced by mutants, each opened as an app would.
///
/// The device keeps its state in a folder and gets it back before each mutant, so that none meets what another left.
struct WholeFile: Sendable {
    let vaultFolder: String
    private let file: String
    private let deviceFolder: String
    private let deviceState: [UInt8]
    private let vaultBytes: [UInt8]
    private let secrets: [String: [UInt8]]

    @Sendable static func prepare(
        in folder: String
    ) async throws -> (samples: [[UInt8]], attempt: @Sendable ([UInt8]) async throws -> Void) {
        let file = try await WholeFile(in: folder)
        try await file.attempt(file.vaultBytes)  // the good file opens, or nothing that follows means anything
        return ([file.vaultBytes], file.attempt)
    }

    init(in folder: String) async throws {
        vaultFolder = folder + "/vault"
        file = vaultFolder + "/vault.sqlite"
        deviceFolder = folder + "/device"
        let device = try SimulatedDevice(folder: deviceFolder).device
        let vault = try await Vault.create(
            in: vaultFolder,
            device: device,
            secret: SecretBytes(exposed: Array("802461937514".utf8)),
            policy: .wallet.allowing(.simulated),
            biometrics: BiometricConsent(ownerAgreedAt: device.clock()),
            configuration: Self.configuration
        ).vault
        for number in 0..<3 {
            try await vault.addWallet(named: WalletName("wallet \(number)"), .newMnemonic(words: .twelve))
        }
        secrets = try await Self.secrets(of: vault)
        await vault.close()
        try SimulatedDevice(folder: deviceFolder).simulate(.finger(.match))
        deviceState = try File.read(deviceFolder + "/device.state")
        vaultBytes = try File.read(file)
    }

    /// Opens a mutant with a finger and reads every wallet.
    ///
    /// A session that is not refused anything must tell the truth: that is what the MACs are for.
    @Sendable private func attempt(_ mutant: [UInt8]) async throws {
        try File.write(deviceState, to: deviceFolder + "/device.state")
        for suffix in ["-wal", "-shm", "-journal"] { File.remove(file + suffix) }
        try File.write(mutant, to: file)
        let device = try SimulatedDevice(folder: deviceFolder).device
        let vault = try await Vault.open(in: vaultFolder, device: device, configuration: Self.configuration)
        _ = await vault.snapshot
        do {
            try await vault.unlockWithBiometrics(PromptText(reason: "fuzz"))
            let found = try await Self.secrets(of: vault)
            if found != secrets { reportBug("a changed file opened to other wallets") }
        } catch {
            await vault.close()
            throw error
        }
        await vault.close()
    }

    private static let configuration = VaultConfiguration(argon2: .insecureTest)

    private static func secrets(of vault: Vault) async throws -> [String: [UInt8]] {
        var secrets: [String: [UInt8]] = [:]
        for wallet in try await vault.wallets() {
            secrets[wallet.name.text] = try await vault.withSecret(of: wallet.id) { _, bytes in
                unsafe bytes.withUnsafeBytes { unsafe Array($0) }
            }
        }
        return secrets
    }
}
