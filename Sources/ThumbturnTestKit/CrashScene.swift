import Foundation
package import Thumbturn
@_spi(InsecureTestParameters) import ThumbturnCrypto
package import ThumbturnDevice

/// Where a transition takes place: a folder with the vault and what belongs to it, and a device.
///
/// What anyone has to know to open the vault is constant, or lies in the folder as the owner's paper would; so a child
/// process can take the same transition up with nothing but the two paths.
package struct CrashScene: Sendable {
    package static let firstPIN = "736251"
    package static let secondPIN = "905148"
    package static let wrongPIN = "480917"

    /// Three kinds of secret, one long enough to fill a page of the database.
    package static let wallets: [(name: String, secret: String, kind: WalletKind)] = [
        ("Savings", "legal winner thank year wave sausage worth useful legal winner thank yellow", .mnemonic),
        ("Key", String(repeating: "5e11ab1e", count: 8), .privateKey),
        ("Note", String(repeating: "a note of some length / ", count: 180), .opaque),
    ]

    /// The folder of everything; it exists and holds nothing else.
    package let root: String
    package let device: SimulatedDevice
    /// The VFS that the vault's files go through; `nil` is the system's.
    package var vfs: String?

    package init(root: String, device: SimulatedDevice, vfs: String? = nil) {
        self.root = root
        self.device = device
        self.vfs = vfs
    }

    package var vaultFolder: String { root + "/vault" }
    package var backup: String { root + "/backup" }
    /// A recovery key that opens the vault.
    package var oldKey: String { root + "/old-key" }
    /// A recovery key that was shown and not yet typed back.
    package var newKey: String { root + "/new-key" }

    package var configuration: VaultConfiguration {
        var configuration = VaultConfiguration(argon2: .insecureTest)
        configuration.vfs = vfs
        return configuration
    }

    /// Opens the vault, locked.
    package func open() async throws(VaultError) -> Vault {
        try await Vault.open(in: vaultFolder, device: device.device, configuration: configuration)
    }

    /// Makes a vault behind `firstPIN`, whose rules accept the simulated device.
    package func create(biometrics: Bool = false) async throws(VaultError) -> Vault {
        let creation = try await Vault.create(
            in: vaultFolder,
            device: device.device,
            secret: SecretBytes(text: Self.firstPIN),
            policy: .wallet.allowing(.simulated),
            biometrics: biometrics ? consent : nil,
            configuration: configuration
        )
        if let failure = creation.biometricsFailure { throw failure }
        return creation.vault
    }

    package var consent: BiometricConsent { BiometricConsent(ownerAgreedAt: device.device.clock()) }

    /// Makes a vault with all that a vault can have: three wallets, a recovery key, biometrics.
    package func furnish(biometrics: Bool = true) async throws {
        let vault = try await create(biometrics: biometrics)
        for wallet in Self.wallets {
            try await vault.addWallet(named: WalletName(wallet.name), Self.secret(wallet.secret, wallet.kind))
        }
        try await keepRecoveryKey(of: vault, at: oldKey)
        try await vault.confirmRecoveryKey(SecretBytes(text: text(at: oldKey)))
        await vault.close()
    }

    /// Makes a recovery key and writes down what is shown.
    package func keepRecoveryKey(of vault: Vault, at path: String) async throws {
        let authorization = try await vault.unlock(with: SecretBytes(text: Self.firstPIN))
        let shown = try await vault.createRecoveryKey(authorization) { text in text.exposed }
        try Data(shown).write(to: URL(fileURLWithPath: path))
    }

    package static func secret(_ text: String, _ kind: WalletKind) -> WalletSecret {
        switch kind {
        case .mnemonic: .mnemonic(SecretBytes(text: text))
        case .privateKey: .privateKey(SecretBytes(text: text))
        case .opaque: .opaque(SecretBytes(text: text))
        }
    }

    /// The text in a file; empty when there is none.
    package func text(at path: String) -> String {
        String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data(), as: UTF8.self)
    }
}
