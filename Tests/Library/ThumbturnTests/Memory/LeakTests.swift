import CrashExplorer
import Foundation
import Testing
import Thumbturn
import ThumbturnSimulator
import ThumbturnTestKit

/// A life of a vault with secrets that are looked for in everything it says and writes.
@Suite struct LeakTests {
    private static let secrets: [String: String] = [
        "PIN": "8402759163350718", "second PIN": "6193840275517382", "wrong PIN": "2750681943372951",
        "mnemonic": "legal winner thank year wave sausage worth useful legal winner thank yellow",
        "bad mnemonic": "sausage winner thank year wave sausage worth useful legal winner thank yellow",
        "private key": "5e11ab1ec0de5e11ab1ec0de0ddba11fade5e11ab1ec0de5e11ab1ec0de0ddba",
        "note": "sentinel-of-an-opaque-secret", "bad recovery key": "SENTINEL-0123-4567-89AB-CDEF",
    ]
    private static let entropy = [UInt8](repeating: 0x7F, count: 16)

    private let folder: TemporaryFolder
    private let said = Said()

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    @Test(.holds("A52", "B-10", "INV-107-05")) func `nothing that a vault says or writes holds a secret in any form`()
        async throws
    {
        let scene = try CrashScene(root: folder.path, device: SimulatedDevice(folder: folder.path + "/device"))
        var secrets = Self.secrets.mapValues { Array($0.utf8) }
        secrets["entropy"] = Self.entropy
        secrets["private key in binary"] = [UInt8](hexadecimal: Self.secrets["private key"] ?? "")

        let vault = try await open(in: scene)
        let recoveryKey = try await live(vault, in: scene)
        secrets["recovery key"] = recoveryKey
        let scanner = LeakScanner(secrets)
        #expect(try scanner.leaks(below: folder.path) == [])
        try await end(vault, in: scene)
        #expect(try scanner.leaks(below: folder.path) == [])

        let text = said.text
        #expect(text.count > 10_000)
        #expect(scanner.leaks(in: text) == [])
        print("leaks: \(secrets.count) secrets, \(text.count) characters said, none of a secret")
    }

    @Test(arguments: ["plain", "hexadecimal", "HEXADECIMAL", "UTF-16LE", "UTF-16BE", "base64"])
    func `the scanner finds a secret in each form, between other bytes`(form: String) throws {
        let secret = Array("sentinel-of-a-PIN".utf8)
        let scanner = LeakScanner(["PIN": secret])
        for length in 0..<4 {
            let before = [UInt8](repeating: 0xA5, count: length)
            let bytes = before + secret + [1, 2, 3]
            let data: Data =
                switch form {
                case "hexadecimal": Data(bytes.map { String(format: "%02x", $0) }.joined().utf8)
                case "HEXADECIMAL": Data(bytes.map { String(format: "%02X", $0) }.joined().utf8)
                case "UTF-16LE": Data(bytes.flatMap { [$0, 0] })
                case "UTF-16BE": Data(bytes.flatMap { [0, $0] })
                case "base64": Data(bytes).base64EncodedData()
                default: Data(bytes)
                }
            #expect(scanner.leaks(in: data).contains("PIN as \(form)"))
            #expect(scanner.leaks(in: data.dropLast(form == "base64" ? 16 : 12)) == [])
        }
    }

    private func open(in scene: CrashScene) async throws -> Vault {
        var configuration = scene.configuration
        configuration.audit = { [said] in said.note($0) }
        let creation = try await Vault.create(
            in: scene.vaultFolder,
            device: scene.device.device,
            secret: secret("PIN"),
            policy: .wallet.allowing(.simulated),
            biometrics: scene.consent,
            configuration: configuration
        )
        said.note(creation)
        return creation.vault
    }

    /// Everything that goes well, and much that does not.
    private func live(_ vault: Vault, in scene: CrashScene) async throws -> [UInt8] {
        let savings = try await vault.addWallet(named: WalletName("Savings"), .mnemonic(secret("mnemonic")))
        try await vault.addWallet(named: WalletName("Key"), .privateKey(secret("private key")))
        try await vault.addWallet(named: WalletName("Note"), .opaque(secret("note")))
        await expectRefusal {
            try await vault.addWallet(named: WalletName("No"), .mnemonic(self.secret("bad mnemonic")))
        }
        await expectRefusal { try await vault.addWallet(named: WalletName("No"), .privateKey(self.secret("note"))) }
        await expectRefusal { try await vault.addWallet(named: WalletName("Note"), .opaque(self.secret("note"))) }
        said.note(try await vault.wallets())

        await vault.lock()
        await expectRefusal { try await vault.unlock(with: self.secret("wrong PIN")) }
        await expectRefusal { try await vault.unlock(withRecoveryKey: self.secret("bad recovery key")) }
        try scene.device.simulate(.finger(.mismatch))
        await expectRefusal { try await vault.unlockWithBiometrics(TestVault.words) }
        try scene.device.simulate(.finger(.match))
        try await vault.unlockWithBiometrics(TestVault.words)
        await look(at: vault)

        var authorization = try await vault.unlock(with: secret("PIN"))
        let key = try await vault.createRecoveryKey(authorization) { text in text.exposed }
        authorization = try await vault.unlock(with: secret("PIN"))
        try await vault.confirmRecoveryKey(
            SecretBytes(text: String(decoding: key, as: UTF8.self)),
            authorization
        )
        authorization = try await vault.unlock(with: secret("PIN"))
        try await vault.exportWallet(savings.id, authorization) { _, _ in }
        authorization = try await vault.unlock(with: secret("PIN"))
        try await vault.changeLocalSecret(to: secret("second PIN"), authorization)
        authorization = try await vault.unlock(with: secret("second PIN"))
        try await vault.backUp(to: scene.backup, authorization)
        await look(at: vault)
        return key
    }

    /// The device is lost, the vault recovered, a wallet deleted, and everything erased.
    private func end(_ vault: Vault, in scene: CrashScene) async throws {
        await vault.close()
        await expectRefusal { try await vault.unlock(with: self.secret("PIN")) }
        let vault = try await scene.open()
        await expectRefusal { try await vault.unlock(with: self.secret("PIN")) }
        let authorization = try await vault.unlock(with: secret("second PIN"))
        if let wallet = try await vault.wallets().first { try await vault.deleteWallet(wallet.id, authorization) }
        await look(at: vault)
        try await vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        await look(at: vault)
    }

    private func look(at vault: Vault) async {
        said.note(await vault.snapshot)
        said.note(vault)
    }

    private func expectRefusal(_ body: () async throws -> some Any) async {
        do {
            _ = try await body()
            Issue.record("nothing was refused")
        } catch {
            said.note(error)
        }
    }

    private func secret(_ name: String) -> SecretBytes { SecretBytes(text: Self.secrets[name] ?? "") }
}

/// What was said so far, in every way that Swift has to say a value.
private final class Said: @unchecked Sendable {
    // Safe to share: `lock` guards the text.
    private let lock = NSLock()
    private var written = ""

    var text: String { lock.withLock { written } }

    func note(_ value: some Any) {
        var dumped = ""
        dump(value, to: &dumped)
        let error = (value as? any Error).map { "\($0.localizedDescription)" } ?? ""
        lock.withLock { written += "\(value)\n\(String(reflecting: value))\n\(dumped)\n\(error)\n" }
    }
}

extension [UInt8] {
    fileprivate init(hexadecimal text: String) {
        self = stride(from: 0, to: text.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
    }
}
