import Foundation
package import Thumbturn
package import ThumbturnSimulator
@_spi(InsecureTestParameters) package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules
import ThumbturnTestKit

/// Where a transition takes place: a folder with the vault and what belongs to it, and a device.
///
/// What anyone has to know to open the vault is constant, or lies in the folder as the owner's paper would; so a child
/// process can take the same transition up with nothing but the two paths.
package struct CrashScene: Sendable {
    /// Also the PIN of the former app.
    package static let firstPIN = FormerApp.pin
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
    /// What a copy of the vault's folder is called after it; empty for the folder itself.
    var copy = ""
    /// What a vault sees of the device, where that is not the device itself.
    package var view: Device?
    /// The VFS that the vault's files go through; `nil` is the system's.
    package var vfs: String?
    /// What vaults tell of themselves here.
    let log = EventLog()
    /// The cost of the slow derivation.
    package var argon2 = Argon2Limits.insecureTest

    package init(root: String, device: SimulatedDevice, vfs: String? = nil) {
        self.root = root
        self.device = device
        self.vfs = vfs
    }

    package var vaultFolder: String { root + "/vault" + copy }
    package var backup: String { root + "/backup" }
    /// A recovery key that opens the vault.
    package var oldKey: String { root + "/old-key" }
    /// A recovery key that was shown and not yet typed back.
    package var newKey: String { root + "/new-key" }

    package var configuration: VaultConfiguration {
        var configuration = VaultConfiguration(argon2: argon2) { [log] in log.append($0) }
        configuration.vfs = vfs
        configuration.legacy = migration
        return configuration
    }

    /// The device as a vault has it.
    package var seen: Device { view ?? device.device }

    /// Opens the vault, locked.
    package func open() async throws(VaultError) -> Vault {
        try await Vault.open(in: vaultFolder, device: seen, configuration: configuration)
    }

    /// Rules that accept the simulated device, and a finger's word on system authentication, and lock in the background.
    static var policy: VaultPolicy {
        var policy = VaultPolicy.wallet.allowing(.simulated)
        policy.locksInBackground = true
        policy.allowsSystemModeFromBiometrics = true
        return policy
    }

    /// Makes a vault behind `firstPIN`.
    package func create() async throws(VaultError) -> Vault { try await create(with: nil).vault }

    package func create(with biometrics: BiometricConsent?) async throws(VaultError) -> Vault.Creation {
        try await Vault.create(
            in: vaultFolder,
            device: seen,
            secret: SecretBytes(text: Self.firstPIN),
            policy: Self.policy,
            biometrics: biometrics,
            configuration: configuration
        )
    }

    package var consent: BiometricConsent { BiometricConsent(ownerAgreedAt: device.device.clock()) }

    /// Makes a vault with all that a vault can have: three wallets, a recovery key, biometrics.
    package func furnish(biometrics: Bool = true) async throws {
        let creation = try await create(with: biometrics ? consent : nil)
        if let failure = creation.biometricsFailure { throw failure }
        let vault = creation.vault
        try await fill(vault)
        try await keepRecoveryKey(of: vault, at: oldKey)
        try await vault.confirmRecoveryKey(SecretBytes(text: text(at: oldKey)), prove(to: vault))
        await vault.close()
    }

    /// Adds the three wallets.
    func fill(_ vault: Vault) async throws {
        for wallet in Self.wallets {
            try await vault.addWallet(named: WalletName(wallet.name), Self.secret(wallet.secret, wallet.kind))
        }
    }

    /// The same with so many wallets.
    func furnish(with count: Int) async throws {
        try await furnish()
        let vault = try await open()
        _ = try await vault.unlock(with: SecretBytes(text: Self.firstPIN))
        var numbers = Array(Self.wallets.count..<count)
        try await vault.addWallets { () throws(VaultError) in
            guard let number = numbers.popLast() else { return nil }
            let secret = WalletSecret.opaque(SecretBytes(text: "secret \(number)"))
            return WalletImport(name: try WalletName("Wallet \(number)"), secret: secret)
        }
        await vault.close()
    }

    /// Gives the strong factor: the account's password, or the PIN.
    func prove(to vault: Vault) async throws -> StrongAuthorization {
        if hasAccount { return try await logIn(to: vault) }
        return try await Self.give(Self.firstPIN, to: vault)
    }

    /// Gives a PIN, and nothing but that: a half migrated vault does without its finger then.
    static func give(_ pin: String, to vault: Vault) async throws -> StrongAuthorization {
        guard await vault.snapshot.migration == .half else {
            return try await vault.unlock(with: SecretBytes(text: pin))
        }
        return try await vault.completeMigration(with: SecretBytes(text: pin), withoutBiometrics: true)
    }

    /// Makes a recovery key and writes down what is shown.
    package func keepRecoveryKey(of vault: Vault, at path: String) async throws {
        let authorization = try await vault.unlock(with: SecretBytes(text: Self.firstPIN))
        let shown = try await vault.createRecoveryKey(authorization) { text in text.exposed }
        try Data(shown).write(to: URL(fileURLWithPath: path))
    }

    /// Guesses wrong, so often that one more guess is still free.
    package func guessWrong() async throws {
        let vault = try await open()
        for _ in 0..<2 { _ = try? await vault.unlock(with: SecretBytes(text: Self.wrongPIN)) }
        await vault.close()
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
