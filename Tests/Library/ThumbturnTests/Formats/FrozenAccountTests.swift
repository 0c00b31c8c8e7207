import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// An account's vault and backup of each format open for ever; see `FrozenVaultTests`, which says when a sample is made anew.
@Suite struct FrozenAccountTests {
    private struct Facts: Codable {
        let origin: String
        let userID: String
        let keyName: String
        let key: [UInt8]
        let epoch: UInt64
        let recoveryKey: String
        let wallet: String
    }

    /// A sample's files, and where they lie while they are used.
    private static let files = [
        ("vault.sqlite", "vault/vault.sqlite"), ("device.state", "device/device.state"),
        ("vault.backup", "vault.backup"),
    ]
    private static let kept = OfflineLogin(
        salt: Array(1...16),
        cost: Argon2Parameters(memoryKiB: 19_456, passes: 2),
        envelope: [1, 2, 3]
    )

    @Test(.holds("F-107-05", "F-107-09"), arguments: ["v1-account"])
    func `a frozen account's vault opens in every way, and its recovery key exports`(
        version: String
    ) async throws {
        let frozen = FrozenVault.sample(version)
        let facts = try JSONDecoder().decode(
            Facts.self,
            from: Data(contentsOf: frozen.appendingPathComponent("facts.json"))
        )
        let folder = try TemporaryFolder()
        for place in ["vault", "device"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(place),
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        }
        for (name, place) in Self.files {
            try folder.write(Array(Data(contentsOf: frozen.appendingPathComponent(name))), to: place)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file(place))
        }
        try await Self.expectAllWaysIn(folder, facts)
    }

    @Test func `an account's vault made today opens like the frozen ones`() async throws {
        let (folder, facts) = try await Self.make()
        if let path = ProcessInfo.processInfo.environment["THUMBTURN_FREEZE"] {
            try Self.freeze(folder, facts, to: path + "-account")
        }
        try await Self.expectAllWaysIn(folder, facts)
    }

    private static func make() async throws -> (TemporaryFolder, Facts) {
        let (folder, account) = (try TemporaryFolder(), TestAccount())
        account.setEpoch(3)
        let device = try SimulatedDevice(folder: folder.file("device")).device
        var policy = TestVault.accountPolicy
        policy.allowsOfflinePassword = true
        let (vault, known) = try await Vault.begin(in: folder.file("vault"), device: device, policy: policy)
        let identity = account.identity(known)
        let authorization = try await vault.create(by: account.opening(identity, offline: kept))
        try await vault.enableBiometrics(BiometricConsent(ownerAgreedAt: device.clock()), authorization)
        let text = "anything at all"
        try await vault.addWallet(named: WalletName("Bytes"), .opaque(SecretBytes(text: text)))
        let key = try await vault.createRecoveryKey(vault.unlock(with: account.opening(identity))) { $0.exposedText }
        try await vault.confirmRecoveryKey(
            SecretBytes(text: key),
            vault.unlock(with: account.opening(identity))
        )
        try await vault.backUp(
            to: folder.file("vault.backup"),
            vault.unlock(with: account.opening(identity))
        )
        await vault.close()
        let newest = account.newestKey
        let facts = Facts(
            origin: "made by FrozenAccountTests; the secrets are a test's",
            userID: account.userID.text,
            keyName: newest.name.text,
            key: newest.bytes,
            epoch: account.epoch,
            recoveryKey: key,
            wallet: text
        )
        return (folder, facts)
    }

    private static func freeze(_ folder: TemporaryFolder, _ facts: Facts, to path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, place) in files {
            try FileManager.default.copyItem(atPath: folder.file(place), toPath: path + "/" + name)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(facts).write(to: URL(fileURLWithPath: path + "/facts.json"))
    }

    private static func expectAllWaysIn(_ folder: TemporaryFolder, _ facts: Facts) async throws {
        let simulated = try SimulatedDevice(folder: folder.file("device"))
        let account = TestAccount(
            userID: try #require(Identifier(text: facts.userID)),
            key: try #require(Identifier(text: facts.keyName)),
            facts.key,
            epoch: facts.epoch
        )
        let vault = try await Vault.open(in: folder.file("vault"), device: simulated.device)
        let known = try #require(await vault.account)
        #expect(known.userID == account.userID)
        #expect(await vault.snapshot.slots.map(\.kind) == [.password, .biometric, .recovery])
        _ = try await vault.unlock(with: account.opening(known))
        func text() async throws -> String {
            let wallet = try #require(try await vault.wallets().first)
            return try await vault.withSecret(of: wallet.id) { _, bytes in bytes.exposedText }
        }
        #expect(try await text() == facts.wallet)
        await vault.lock()
        try simulated.simulate(.finger(.match))
        try await vault.unlockWithBiometrics(TestVault.words)
        #expect(try await text() == facts.wallet)
        await vault.lock()
        try await vault.unlockOffline { login in login == kept ? try? account.envelopeKeys() : nil }
        #expect(try await text() == facts.wallet)
        await vault.lock()
        try await vault.unlock(withRecoveryKey: SecretBytes(text: facts.recoveryKey))
        #expect(await vault.snapshot.state == .unlocked(.exportOnly))
        #expect(try await text() == facts.wallet)
        await vault.close()
        let backup = try OpenedBackup(
            at: folder.file("vault.backup"),
            recoveryKey: SecretBytes(text: facts.recoveryKey)
        )
        #expect(backup.inventory.isAuthentic)
        let wallet = try #require(backup.inventory.wallets.first)
        #expect(try backup.exportWallet(wallet.id) { _, text in text.exposedText } == facts.wallet)
    }
}
