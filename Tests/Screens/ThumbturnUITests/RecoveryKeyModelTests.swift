import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("The recovery key in the model", .waitsEnd)
struct RecoveryKeyModelTests {
    @Test(.holds("K-10")) func `a key is made, written down and typed back, however long that takes`() async throws {
        let made = try await TestVault.make()
        let model = await screen(of: made)
        #expect(model.step == .start && !model.hasKey && !model.awaitsCheck)
        let key = try await showKey(in: model)
        model.recoveryKeyIsWritten()
        #expect(model.step == .typed && model.withRecoveryKey { _ in true } == nil)
        await model.enter(SecretBytes(text: "XXXX"))
        #expect(model.error?.errorCode == .recoveryKeyMalformed && model.step == .typed)
        try made.advance(.minutes(3))
        await model.enter(SecretBytes(text: key))
        #expect(model.step == .done && model.error == nil)
        await until { model.hasKey }
        #expect(!model.awaitsCheck)
        await made.vault.lock()
        try await made.vault.unlock(withRecoveryKey: SecretBytes(text: key))
    }

    @Test func `a key that was shown before is typed back later, without a new one`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey(confirming: false)
        let model = await screen(of: made)
        #expect(model.awaitsCheck && !model.hasKey)
        model.typeBack()
        await enter(TestVault.pin, into: model)
        #expect(model.step == .typed && model.withRecoveryKey { _ in true } == nil)
        await model.enter(SecretBytes(text: key))
        #expect(model.step == .done)
    }

    @Test func `nothing is typed back where nothing was shown`() async throws {
        let model = await screen(of: try await TestVault.make())
        model.typeBack()
        #expect(model.step == .start)
        await model.enter(SecretBytes(text: TestVault.pin))
        model.recoveryKeyIsWritten()
        #expect(model.step == .start && model.error == nil)
    }

    @Test func `a wrong PIN makes no key`() async throws {
        let made = try await TestVault.make()
        let model = await screen(of: made)
        model.make()
        await enter("730000", into: model)
        #expect(model.error?.errorCode == .strongFactorRefused && model.step == .secret)
        #expect(await !made.vault.snapshot.recoveryKeyAwaitsCheck)
    }

    @Test(.holds("A36", "A37", "P-107-04"), arguments: 0..<3, [false, true])
    func `a cover, a lock or leaving wipes the key and what was proved`(way: Int, isWritten: Bool) async throws {
        let made = try await TestVault.make()
        let model = await screen(of: made)
        let key = try await showKey(in: model)
        if isWritten { model.recoveryKeyIsWritten() }
        switch way {
        case 0: await made.vault.cover()
        case 1: await made.vault.lock()
        default: model.cancel()
        }
        await until { model.step == .start }
        #expect(model.withRecoveryKey { _ in true } == nil)
        await model.enter(SecretBytes(text: key))
        #expect(await made.vault.snapshot.recoveryKeyAwaitsCheck, "what proved the owner is gone too")
    }

    @Test(.holds("A61")) func `leaving while the PIN is proved makes no key`() async throws {
        let meanwhile = Meanwhile()
        let made = try await TestVault.make(on: meanwhile.simulated, seenAs: meanwhile.device)
        let model = await screen(of: made)
        model.make()
        meanwhile.set { await model.cancel() }
        await enter(TestVault.pin, into: model)
        #expect(meanwhile.count > 0 && model.step == .start && model.error == nil && !model.fields.loading)
        #expect(await !made.vault.snapshot.recoveryKeyAwaitsCheck)
    }

    @Test(.holds("S-06")) func `in system mode the device's own prompt proves the owner, both times`() async throws {
        let made = try await TestVault.make()
        try await made.turnSystemModeOn()
        let model = await screen(of: made)
        #expect(model.asksSystem && model.hasKey)
        model.make()
        try made.simulated.simulate(.finger(.passcode))
        await model.enterBySystem()
        let key = try #require(model.withRecoveryKey { $0.exposedText })
        model.recoveryKeyIsWritten()
        try made.simulated.simulate(.finger(.passcode))
        await model.enter(SecretBytes(text: key))
        #expect(model.step == .done && made.simulated.promptsShown == 2)
    }

    @Test(.holds("B-10", "P-107-04")) func `the key is in nothing that the model shows or remembers`() async throws {
        let model = await screen(of: try await TestVault.make())
        let key = try await showKey(in: model)
        let seen = everything(in: model)
        #expect(!reveals(seen, key) && !reveals(seen, TestVault.pin) && seen.contains("RecoveryKeyFields"))
        model.isCaptured = true
        #expect(model.isHidden && model.withRecoveryKey { _ in true } == nil)
    }

    private func showKey(in model: RecoveryKeyModel) async throws -> String {
        model.make()
        #expect(model.step == .secret)
        await enter(TestVault.pin, into: model)
        #expect(model.step == .key && model.error == nil)
        return try #require(model.withRecoveryKey { $0.exposedText })
    }

    private func enter(_ pin: String, into model: RecoveryKeyModel) async {
        model.pin.type(pin)
        await model.submitPIN()
    }

    private func screen(of made: TestVault) async -> RecoveryKeyModel {
        let model = RecoveryKeyModel(made.vault)
        await until { !model.loading }
        return model
    }
}
