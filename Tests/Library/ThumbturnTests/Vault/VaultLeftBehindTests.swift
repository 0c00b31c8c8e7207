import Foundation
import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@_spi(InsecureTestParameters) import ThumbturnCrypto
@testable import Thumbturn

/// What earlier calls, crashes and other programs leave behind does not trip a vault up.
@Suite struct VaultLeftBehindTests {
    private let root: String
    private let phone = SimulatedDevice()
    private let configuration = VaultConfiguration(argon2: .insecureTest)

    init() throws {
        root = FileManager.default.temporaryDirectory.path + "/thumbturn-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: root,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    @Test(.holds("A40")) func `a log that a crashed backup left does not block the next backup`() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let vault = try await makeVault()
        _ = try await confirmedRecoveryKey(of: vault)
        try leavePartials()
        try await vault.backUp(to: root + "/backup", vault.unlock(with: Self.pin))
        #expect(FileManager.default.fileExists(atPath: root + "/backup"))
    }

    @Test(.holds("A61")) func `what a cut off backup or restore left goes at the next opening and at a reset`()
        async throws
    {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let vault = try await makeVault()
        try leavePartials()
        await vault.close()
        let again = try await Vault.open(in: root + "/vault", device: phone.device, configuration: configuration)
        #expect(try partials.isEmpty)
        try leavePartials()
        let authorization = try await again.unlock(with: Self.pin)
        try await again.changeLocalSecret(to: Self.secret("591 blue doors"), authorization)
        #expect(try partials.isEmpty, "a copy of what was deleted")
        try leavePartials()
        try await again.reset(ResetConfirmation(typed: "RESET"))
        #expect(try partials.isEmpty)
    }

    @Test func `a restored vault is authentic at once`() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let vault = try await makeVault()
        let key = try await confirmedRecoveryKey(of: vault)
        try await vault.backUp(to: root + "/backup", vault.unlock(with: Self.pin))
        let restored = try await Vault.restore(
            from: root + "/backup",
            in: root + "/restored",
            device: SimulatedDevice().device,
            recoveryKey: Self.secret(key),
            newSecret: Self.pin,
            configuration: configuration
        )
        #expect(await restored.snapshot.isAuthentic == true)
    }

    @Test func `an anchor at the end of its range refuses and does not trap`() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let vault = try await makeVault()
        let item = try #require(await vault.ledgerItem)
        try await phone.rise(to: .max, for: item)
        _ = try await vault.refresh()
        try phone.simulate(.advance(.hours(24)))
        let older = try OlderCopyConfirmation(typed: OlderCopyConfirmation.phrase)
        try await vault.acceptOlderCopy(older, vault.unlock(with: Self.pin))
        let authorization = try await vault.unlock(with: Self.pin)
        try await vault.changeLocalSecret(to: Self.secret("591 blue doors"), authorization)
        #expect(await vault.snapshot.failedAttempts == 0)
    }

    /// Leaves what a crash in the middle of a backup and of a restore would.
    private func leavePartials() throws {
        for name in ["backup.partial", "restore.partial"] {
            for suffix in ["", "-wal", "-journal"] {
                let path = root + "/vault/" + name + suffix
                let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
                try #require(
                    FileManager.default.createFile(atPath: path, contents: Data([1]), attributes: attributes)
                )
            }
        }
    }

    private var partials: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: root + "/vault").filter { $0.contains(".partial") }
        }
    }

    private func makeVault() async throws -> Vault {
        try await Vault.create(
            in: root + "/vault",
            device: phone.device,
            secret: Self.pin,
            policy: TestVault.policy,
            configuration: configuration
        ).vault
    }

    private func confirmedRecoveryKey(of vault: Vault) async throws -> String {
        let key = try await vault.createRecoveryKey(vault.unlock(with: Self.pin)) { text in
            String(decoding: (0..<text.byteCount).map { text.byte(at: $0) }, as: UTF8.self)
        }
        try await vault.confirmRecoveryKey(Self.secret(key), vault.unlock(with: Self.pin))
        return key
    }

    private static var pin: SecretBytes { secret("480295") }

    private static func secret(_ text: String) -> SecretBytes {
        let bytes = Array(text.utf8)
        return unsafe SecretBytes(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }
}
