import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

// An app's vault on the machine.
extension TestMachine {
    static let secret = "correct horse battery"
    static let wallet = "the secret of a wallet"

    /// Makes the vault that the PIN and the finger open, with one wallet in it.
    func makeVault(on device: Device) async throws -> Vault {
        let creation = try await Vault.create(
            in: folder.file("vault"),
            device: device,
            secret: SecretBytes(text: Self.secret),
            policy: VaultPolicy.wallet.allowing(.softwareFile),
            biometrics: BiometricConsent(ownerAgreedAt: device.clock()),
            configuration: TestVault.configuration()
        )
        if let failure = creation.biometricsFailure { throw failure }
        _ = try await creation.vault.addWallet(named: WalletName("Main"), .opaque(SecretBytes(text: Self.wallet)))
        return creation.vault
    }

    /// The vault as another process opens it.
    func open(later span: Milliseconds = .zero) async throws -> Vault {
        try await Vault.open(
            in: folder.file("vault"),
            device: device(later: span),
            configuration: TestVault.configuration()
        )
    }

    /// Gives the PIN, or a wrong one.
    func enter(_ secret: String = TestMachine.secret, into vault: Vault) async throws {
        _ = try await vault.unlock(with: SecretBytes(text: secret))
    }

    /// Lays the finger down.
    func lay(onto vault: Vault) async throws {
        touch()
        defer { leave() }
        try await vault.unlockWithBiometrics(TestVault.words)
    }

    /// Gives up an open vault, and expects that PIN and finger open another process's, with the wallet whole.
    func requireWhole(after vault: Vault, _ message: String = "") async throws {
        await vault.close()
        let vault = try await open()
        try await enter(into: vault)
        #expect(await vault.snapshot.failedAttempts == 0, "\(message)")
        await vault.lock()
        try await lay(onto: vault)
        for wallet in try await vault.wallets() {
            let text = try await vault.withSecret(of: wallet.id) { _, bytes in bytes.exposedText }
            #expect(text == Self.wallet, "\(message)")
        }
        #expect(await vault.snapshot.walletCount == 1, "\(message)")
        await vault.close()
    }
}

/// What a call of a vault was refused with; nil when it was not.
func code(of body: () async throws -> Void) async -> ErrorCode? {
    do { try await body() } catch { return (error as? VaultError)?.code ?? .usage }
    return nil
}
