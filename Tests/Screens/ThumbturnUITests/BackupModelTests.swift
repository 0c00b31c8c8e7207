import Foundation
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("Backups in the model", .waitsEnd)
struct BackupModelTests {
    @Test(.holds("B-12")) func `the PIN writes a backup, and says where it went`() async throws {
        let (made, key) = try await vault()
        let model = await screen(of: made)
        #expect(model.step == .start && model.madeAt == nil && model.advice == .backup && model.total == 1)
        model.start()
        #expect(model.step == .secret)
        await enter(TestVault.pin, into: model)
        #expect(model.step == .made && model.error == nil && model.advice == nil && model.madeAt != nil)
        let path = try #require(model.path)
        let opened = try OpenedBackup(at: path, recoveryKey: SecretBytes(text: key))
        #expect(opened.inventory.wallets.count == 1)
        model.cancel()
        #expect(model.step == .start && model.path == nil)
    }

    @Test func `what changed since is worth a reminder, and a payment is not interrupted`() async throws {
        let (made, _) = try await vault()
        let model = await screen(of: made)
        model.start()
        await enter(TestVault.pin, into: model)
        #expect(model.advice == nil)
        try await made.add("Later")
        await until { model.advice == .backup }
        #expect(model.madeAt == nil)
        model.isPaying = true
        #expect(model.advice == nil)
        model.isPaying = false
        #expect(model.advice == .backup)
        model.dismissReminder()
        #expect(model.advice == nil)
    }

    @Test func `without a recovery key nothing is written, and the reminder says why`() async throws {
        let made = try await TestVault.make()
        try await made.add("Savings")
        let model = await screen(of: made)
        await until { model.advice == .recoveryKey }
        #expect(model.obstacle == .recoveryMissing)
        model.start()
        #expect(model.step == .start)
        // What was put off comes back as soon as something else is missing.
        model.dismissReminder()
        _ = try await made.makeRecoveryKey()
        await until { model.advice == .backup }
        #expect(model.obstacle == nil)
    }

    @Test func `a file that is there already is not written over`() async throws {
        let (made, _) = try await vault()
        try made.folder.write([1, 2, 3], to: "1.backup")
        let model = await screen(of: made)
        model.start()
        await enter(TestVault.pin, into: model)
        #expect(model.error?.errorCode == .fileExists && model.step == .start && model.path == nil)
        #expect(try made.folder.read("1.backup") == [1, 2, 3])
    }

    @Test func `a wrong PIN writes nothing`() async throws {
        let (made, _) = try await vault()
        let model = await screen(of: made)
        model.start()
        await enter("730000", into: model)
        #expect(model.error?.errorCode == .strongFactorRefused && model.step == .secret)
        #expect(!FileManager.default.fileExists(atPath: made.folder.file("1.backup")))
    }

    @Test(.holds("A36", "A37"), arguments: 0..<3)
    func `a cover, a lock or leaving ends the question`(way: Int) async throws {
        let (made, _) = try await vault()
        let model = await screen(of: made)
        model.start()
        model.pin.type("71")
        switch way {
        case 0: await made.vault.cover()
        case 1: await made.vault.lock()
        default: model.cancel()
        }
        await until { model.step == .start }
        #expect(model.pin.count == 0)
        await enter(TestVault.pin, into: model)
        #expect(model.step == .start && model.path == nil)
    }

    @Test(.holds("A61")) func `leaving while the PIN is proved writes nothing`() async throws {
        let meanwhile = Meanwhile()
        let (made, _) = try await vault(meanwhile)
        let model = await screen(of: made)
        model.start()
        meanwhile.set { await model.cancel() }
        await enter(TestVault.pin, into: model)
        #expect(meanwhile.count > 0 && model.step == .start && model.error == nil && !model.fields.loading)
        #expect(!FileManager.default.fileExists(atPath: made.folder.file("1.backup")))
    }

    private func vault(_ meanwhile: Meanwhile = Meanwhile()) async throws -> (made: TestVault, key: String) {
        let made = try await TestVault.make(on: meanwhile.simulated, seenAs: meanwhile.device)
        try await made.add("Savings")
        return (made, try await made.makeRecoveryKey())
    }

    private func enter(_ pin: String, into model: BackupModel) async {
        model.pin.type(pin)
        await model.submitPIN()
    }

    private func screen(of made: TestVault) async -> BackupModel {
        let path = made.folder.file("1.backup")
        let model = BackupModel(made.vault, to: { path })
        await until { !model.loading }
        return model
    }
}
