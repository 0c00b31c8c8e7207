import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A vault, its simulated device and a backup, with everything that opens them.
struct FrozenVault {
    struct Facts: Codable {
        struct Wallet: Codable {
            let name: String
            let text: String
        }

        let origin: String
        let pin: String
        let recoveryKey: String
        let wallets: [Wallet]
    }

    /// A sample's files, and where they lie while they are used.
    private static let files = [
        ("vault.sqlite", "vault/vault.sqlite"), ("device.state", "device/device.state"),
        ("vault.backup", "vault.backup"),
    ]

    /// Where a version's sample lies.
    static func sample(_ version: String) -> URL {
        URL(fileURLWithPath: VectorFolder.own).appendingPathComponent("vault/\(version)")
    }

    let folder: TemporaryFolder
    let facts: Facts

    var vaultPath: String { folder.file("vault") }
    var backupPath: String { folder.file("vault.backup") }
    private var devicePath: String { folder.file("device") }

    var device: Device {
        get throws { try SimulatedDevice(folder: devicePath).device }
    }

    func editFile(_ edit: (inout [UInt8]) -> Void) throws {
        var bytes = try folder.read("vault/vault.sqlite")
        edit(&bytes)
        try folder.write(bytes, to: "vault/vault.sqlite")
    }

    /// Copies a sample to where it may be changed; version control keeps no modes.
    init(copying source: URL) throws {
        folder = try TemporaryFolder()
        facts = try JSONDecoder().decode(
            Facts.self,
            from: Data(contentsOf: source.appendingPathComponent("facts.json"))
        )
        for place in [vaultPath, devicePath] {
            try FileManager.default.createDirectory(
                atPath: place,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        }
        for (name, place) in Self.files {
            try folder.write(Array(Data(contentsOf: source.appendingPathComponent(name))), to: place)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file(place))
        }
    }

    private init(folder: TemporaryFolder, facts: Facts) {
        (self.folder, self.facts) = (folder, facts)
    }

    /// Makes a vault with the real cost of the slow derivation, one wallet of each kind, a finger and a recovery key, and
    /// its backup.
    static func make() async throws -> FrozenVault {
        let folder = try TemporaryFolder()
        let device = try SimulatedDevice(folder: folder.file("device")).device
        let wallets = [
            Facts.Wallet(name: "Bytes \u{2764}\u{FE0F}", text: "anything at all"),
            Facts.Wallet(name: "Key", text: String(repeating: "1f", count: 32)),
            Facts.Wallet(name: "Words", text: String(repeating: "abandon ", count: 11) + "about"),
        ]
        let vault = try await Vault.create(
            in: folder.file("vault"),
            device: device,
            secret: SecretBytes(text: TestVault.pin),
            policy: TestVault.policy
        ).vault
        let authorization = try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        try await vault.enableBiometrics(BiometricConsent(ownerAgreedAt: device.clock()), authorization)
        try await vault.addWallet(named: WalletName(wallets[0].name), .opaque(SecretBytes(text: wallets[0].text)))
        try await vault.addWallet(named: WalletName(wallets[1].name), .privateKey(SecretBytes(text: wallets[1].text)))
        try await vault.addWallet(named: WalletName(wallets[2].name), .mnemonic(SecretBytes(text: wallets[2].text)))
        let proof = try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        let key = try await vault.createRecoveryKey(proof) { $0.exposedText }
        try await vault.confirmRecoveryKey(
            SecretBytes(text: key),
            vault.unlock(with: SecretBytes(text: TestVault.pin))
        )
        try await vault.backUp(
            to: folder.file("vault.backup"),
            vault.unlock(with: SecretBytes(text: TestVault.pin))
        )
        await vault.close()
        let facts = Facts(
            origin: "made by FrozenVaultTests; the secrets are a test's",
            pin: TestVault.pin,
            recoveryKey: key,
            wallets: wallets
        )
        return FrozenVault(folder: folder, facts: facts)
    }

    func freeze(to path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, place) in Self.files {
            try FileManager.default.copyItem(atPath: folder.file(place), toPath: path + "/" + name)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(facts).write(to: URL(fileURLWithPath: path + "/facts.json"))
    }

    func expectAllWaysIn() async throws {
        let simulated = try SimulatedDevice(folder: devicePath)
        let vault = try await Vault.open(in: vaultPath, device: simulated.device)
        #expect(await vault.snapshot.slots.map(\.kind) == [.localSecret, .biometric, .recovery])
        #expect(await vault.snapshot.walletCount == facts.wallets.count)
        try await vault.unlock(with: SecretBytes(text: facts.pin))
        try await expectWallets(in: vault)
        await vault.lock()
        try simulated.simulate(.finger(.match))
        try await vault.unlockWithBiometrics(TestVault.words)
        try await expectWallets(in: vault)
        await vault.lock()
        try await vault.unlock(withRecoveryKey: SecretBytes(text: facts.recoveryKey))
        try await expectWallets(in: vault)
        await vault.close()
    }

    /// Opens the backup, which makes a vault on another device.
    func expectBackup() async throws {
        let key = SecretBytes(text: facts.recoveryKey)
        let backup = try OpenedBackup(at: backupPath, recoveryKey: key)
        #expect(backup.inventory.isAuthentic)
        #expect(backup.inventory.wallets.map(\.name.text) == facts.wallets.map(\.name))
        let vault = try await Vault.restore(
            from: backupPath,
            in: folder.file("restored"),
            device: SimulatedDevice().device,
            recoveryKey: key,
            newSecret: SecretBytes(text: facts.pin)
        )
        try await expectWallets(in: vault)
        await vault.close()
    }

    func expectWallets(in vault: Vault) async throws {
        #expect(await vault.isOpen)
        var found: [String] = []
        for wallet in try await vault.wallets() {
            let authorization = try await vault.unlock(with: SecretBytes(text: facts.pin))
            let text = try await vault.exportWallet(wallet.id, authorization) { _, text in text.exposedText }
            found.append("\(wallet.name.text): \(text)")
        }
        #expect(found == facts.wallets.map { "\($0.name): \($0.text)" })
    }
}
