import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Whatever brings wallets into a vault keeps room on the disk for what must work when that is full.
@Suite struct VaultRoomTests {
    /// Whether the room beside a vault's file is as long as that needs.
    private static func isKept(in folder: String) throws -> Bool {
        let size = { (name: String) throws -> Int in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            return try #require(attributes[.size] as? Int)
        }
        guard let kept = try? size(SpareRoom.fileName) else { return false }
        return try kept >= SpareRoom.byteCount(besideFileOf: size("vault.sqlite"))
    }

    private static func rekey(_ made: TestVault) async throws {
        try await made.vault.rekey(
            with: SecretBytes(text: TestVault.pin),
            recoveryKey: nil,
            made.strong()
        )
    }

    @Test(.holds("A19")) func `room is kept by a wallet, by many at once, and by a new key`() async throws {
        let made = try await TestVault.make()
        try await made.add("One", String(repeating: "x", count: 20_000))
        #expect(try Self.isKept(in: made.path))
        SpareRoom.remove(in: made.path)
        let numbers = Counter()
        try await made.vault.addWallets { () throws(VaultError) in
            let number = numbers.next()
            guard number <= 20 else { return nil }
            let secret = SecretBytes(text: String(repeating: "y", count: 5_000))
            return WalletImport(name: WalletName(stored: "Wallet \(number)"), secret: .opaque(secret))
        }
        #expect(try Self.isKept(in: made.path))
        SpareRoom.remove(in: made.path)
        try await Self.rekey(made)
        #expect(try Self.isKept(in: made.path))
    }

    @Test(.holds("A19")) func `room is kept by a backup that is restored, and by a former app's wallet`() async throws {
        let made = try await TestVault.make()
        try await made.add("One", String(repeating: "x", count: 20_000))
        let key = try await made.makeRecoveryKey()
        try await made.vault.backUp(to: made.backup, try await made.strong())
        let target = try TemporaryFolder()
        _ = try await made.restore(key, into: target, on: SimulatedDevice().device)
        #expect(try Self.isKept(in: target.file("vault")))

        let app = try await FormerApp()
        try await app.migrate()
        #expect(try Self.isKept(in: app.path))
    }

    @Test(.holds("A19")) func `where there is no room for it no wallet comes in, by no way`() async throws {
        let made = try await TestVault.make()
        try await made.add("One", String(repeating: "x", count: 20_000))
        try Self.leaveNoRoom(in: made.path)
        #expect(await refusal { try await made.add("Two") } == .vaultUnsafe)
        // What is no new wallet needs none.
        try await Self.rekey(made)
        let key = try await made.makeRecoveryKey()
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), made.strong())
        try await made.vault.backUp(to: made.backup, made.vault.unlock(with: SecretBytes(text: "840275")))
        try await made.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "905148"))
        #expect(try await made.vault.wallets().map(\.name.text) == ["One"])

        let target = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: target.file("vault"),
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        try Self.leaveNoRoom(in: target.file("vault"))
        #expect(
            await refusal { try await made.restore(key, into: target, on: SimulatedDevice().device) } == .vaultUnsafe
        )
    }

    /// Puts something in the place of the room that is no file, and can't be removed.
    private static func leaveNoRoom(in folder: String) throws {
        SpareRoom.remove(in: folder)
        try FileManager.default.createDirectory(
            atPath: folder + "/" + SpareRoom.fileName + "/full",
            withIntermediateDirectories: true
        )
    }

    @Test(.holds("A19")) func `a quota that is used up is told by a failure, which gives the room back`() async throws {
        let made = try await TestVault.make()
        try await made.add("One")
        await made.vault.close()
        let disk = FaultyDisk()
        var configuration = TestVault.configuration()
        configuration.vfs = disk.vfsName
        let vault = try await Vault.open(in: made.path, device: made.device, configuration: configuration)
        disk.arm(.full(from: 1))
        #expect(try Self.isKept(in: made.path))
        #expect(await refusal { try await vault.unlock(with: SecretBytes(text: TestVault.pin)) } == .diskFull)
        #expect(try !Self.isKept(in: made.path), "the next try has it")
        disk.disarm()
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
    }
}
