import Foundation
import Testing
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody plants something where the vault's file should be.
@Suite struct PlantedFilesTests {
    @Test(.holds("A39")) func `a symbolic link in the file's or the folder's place is refused`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        try FileManager.default.moveItem(atPath: made.file, toPath: made.folder.file("moved"))
        try FileManager.default.createSymbolicLink(atPath: made.file, withDestinationPath: made.folder.file("moved"))
        #expect(await refusal { try await made.reopened() } == .vaultUnsafe)

        let other = try await TestVault.make()
        await other.vault.close()
        try FileManager.default.moveItem(atPath: other.path, toPath: other.folder.file("elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: other.path,
            withDestinationPath: other.folder.file("elsewhere")
        )
        #expect(await refusal { try await other.reopened() } == .vaultUnsafe)
    }

    @Test(.holds("A39")) func `a second name for the file is refused`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        try FileManager.default.linkItem(atPath: made.file, toPath: made.folder.file("second"))
        #expect(await refusal { try await made.reopened() } == .vaultUnsafe)
    }

    @Test(.holds("A39"), arguments: [0o644, 0o660, 0o602])
    func `a file or folder that others may reach is refused`(mode: Int) async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        try Self.set(mode, of: made.file)
        #expect(await refusal { try await made.reopened() } == .vaultUnsafe)
        try Self.set(0o600, of: made.file)
        try Self.set(0o755, of: made.path)
        #expect(await refusal { try await made.reopened() } == .vaultUnsafe)
        try Self.set(0o700, of: made.path)
        try await made.reopened().strong()
    }

    @Test(.holds("A39")) func `a folder in the file's place is refused, and nothing is made over it`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        try FileManager.default.removeItem(atPath: made.file)
        try FileManager.default.createDirectory(atPath: made.file, withIntermediateDirectories: false)
        #expect(await refusal { try await made.reopened() } == .vaultUnsafe)
        let code = await refusal {
            try await Vault.create(
                in: made.path,
                device: made.device,
                secret: SecretBytes(text: TestVault.pin),
                policy: TestVault.policy
            )
        }
        #expect(code == .vaultUnsafe)
    }

    @Test(.holds("A39")) func `a link in the lock's place is not followed`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        let lock = made.path + "/" + ProcessLock.fileName
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: made.folder.file("target"))
        #expect(await refusal { try await made.reopened() } == .vaultUnsafe)
        #expect(!FileManager.default.fileExists(atPath: made.folder.file("target")))
    }

    @Test(.holds("A39"), arguments: ["pipe", "name"])
    func `a pipe or a second name in the lock's place is refused`(kind: String) async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        let lock = made.path + "/" + ProcessLock.fileName
        try FileManager.default.removeItem(atPath: lock)
        if kind == "pipe" {
            try #require(unsafe mkfifo(lock, 0o600) == 0)
        } else {
            try made.folder.write([], to: "target")
            try FileManager.default.linkItem(atPath: made.folder.file("target"), toPath: lock)
        }
        #expect(await refusal { try await made.reopened() } == .vaultUnsafe)
    }

    @Test(.holds("A39")) func `a link in the place of a backup is neither followed nor read`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        try await made.vault.backUp(to: made.backup, try await made.strong())
        let link = made.folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: made.folder.file("target"))
        #expect(await refusal { try await made.vault.backUp(to: link, try await made.strong()) } == .fileExists)
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: made.backup)
        let target = try TemporaryFolder()
        let code = await refusal { try await made.restore(key, from: link, into: target, on: SimulatedDevice().device) }
        #expect(code == .vaultUnsafe)
    }

    @Test(.holds("A39")) func `every file of a vault is its owner's alone`() async throws {
        let made = try await TestVault.make()
        try await made.add("Savings")
        for name in try made.folder.files().keys {
            let mode = try FileManager.default.attributesOfItem(atPath: made.folder.file(name))[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
    }

    private static func set(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}

extension TestVault {
    var file: String { path + "/vault.sqlite" }
}
