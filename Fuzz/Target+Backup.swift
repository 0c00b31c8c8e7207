import Thumbturn
import ThumbturnSimulator
@_spi(InsecureTestParameters) import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension Target {
    /// A backup that is read without SQLite, whatever became of it: what comes out is a secret that went in.
    static var scan: Target {
        Target(name: "scan", isVaultFile: true, pageByteCount: 4_096) { folder in
            let pin = Array("802461937514".utf8)
            let texts = ["first", "second", String(repeating: "a long one ", count: 900)]
            let creation = try await Vault.create(
                in: folder + "/vault",
                device: SimulatedDevice().device,
                secret: SecretBytes(exposed: pin),
                policy: .wallet.allowing(.simulated),
                configuration: VaultConfiguration(argon2: .insecureTest)
            )
            let vault = creation.vault
            for (number, text) in texts.enumerated() {
                let secret = WalletSecret.opaque(SecretBytes(exposed: Array(text.utf8)))
                try await vault.addWallet(named: WalletName("wallet \(number)"), secret)
            }
            let key = try await vault.createRecoveryKey(vault.unlock(with: SecretBytes(exposed: pin))) { text in
                unsafe text.withUnsafeBytes { unsafe Array($0) }
            }
            try await vault.confirmRecoveryKey(
                SecretBytes(exposed: key),
                vault.unlock(with: SecretBytes(exposed: pin))
            )
            let file = folder + "/backup"
            try await vault.backUp(to: file, vault.unlock(with: SecretBytes(exposed: pin)))
            await vault.close()
            let attempt: @Sendable ([UInt8]) async throws -> Void = { bytes in
                File.remove(file)
                try File.write(bytes, to: file)
                let opened = try OpenedBackup(at: file, recoveryKey: SecretBytes(exposed: key))
                for wallet in opened.inventory.wallets {
                    let text = try opened.exportWallet(wallet.id) { _, bytes in
                        unsafe bytes.withUnsafeBytes { unsafe Array($0) }
                    }
                    let wentIn = texts.contains { Array($0.utf8) == text }
                    if !wentIn { reportBug("a backup gave what never went in") }
                }
                guard opened.inventory.isAuthentic else { throw VaultDamage() }
            }
            let sample = try File.read(file)
            try await attempt(sample)
            return ([sample], attempt)
        }
    }

    private struct VaultDamage: Error {}
}
