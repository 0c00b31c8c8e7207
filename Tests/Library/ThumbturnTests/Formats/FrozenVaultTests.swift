import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A vault of each format opens for ever; until the first release there is one, and a change of it makes the sample anew:
/// `THUMBTURN_FREEZE=Tests/Vectors/vault/v1 swift test --filter Frozen`, the account's beside it.
@Suite struct FrozenVaultTests {
    @Test(.holds("K-01", "K-03", "K-04"), arguments: ["v1"])
    func `a frozen vault opens with its PIN, its finger and its recovery key`(version: String)
        async throws
    {
        let frozen = URL(fileURLWithPath: VectorFolder.own).appendingPathComponent("vault/\(version)")
        try await FrozenVault(copying: frozen).expectAllWaysIn()
    }

    @Test func `a file of the next format is refused by name, and nothing of it is changed`() async throws {
        let sample = try await FrozenVault.make()
        let next = VaultStore.format.newest.number + 1
        try sample.editFile { $0.replaceSubrange(60..<64, with: [0, 0, 0, UInt8(next)]) }
        let before = try sample.folder.read("vault/vault.sqlite")
        #expect(await refusal { try await Vault.open(in: sample.vaultPath, device: sample.device) } == .vaultNewer)
        #expect(try sample.folder.read("vault/vault.sqlite") == before)
    }

    @Test func `a vault made today opens like the frozen ones`() async throws {
        let sample = try await FrozenVault.make()
        if let folder = ProcessInfo.processInfo.environment["THUMBTURN_FREEZE"] { try sample.freeze(to: folder) }
        try await sample.expectAllWaysIn()
    }
}

/// A vault and its simulated device, with everything that opens it.
private struct FrozenVault {
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

    private static let names = ["vault.sqlite", "device.state"]
    let folder: TemporaryFolder
    let facts: Facts

    var vaultPath: String { folder.file("vault") }
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
        for (name, place) in zip(Self.names, ["vault", "device"]) {
            let bytes = try Array(Data(contentsOf: source.appendingPathComponent(name)))
            let closed: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try FileManager.default.createDirectory(
                atPath: folder.file(place),
                withIntermediateDirectories: false,
                attributes: closed
            )
            try folder.write(bytes, to: "\(place)/\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: folder.file("\(place)/\(name)")
            )
        }
    }

    private init(folder: TemporaryFolder, facts: Facts) {
        (self.folder, self.facts) = (folder, facts)
    }

    /// Makes a vault with the real cost of the slow derivation, one wallet of each kind, a finger and a recovery key.
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
        for (name, place) in zip(Self.names, ["vault", "device"]) {
            try FileManager.default.copyItem(atPath: folder.file("\(place)/\(name)"), toPath: path + "/" + name)
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
