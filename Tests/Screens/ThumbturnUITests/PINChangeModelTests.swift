import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("A new PIN in the model", .waitsEnd)
struct PINChangeModelTests {
    private static let newPIN = "718293"

    @Test(.holds("C5", "A22")) func `the present PIN and twice the new one change it, and biometrics stay`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let model = await screen(of: made)
        #expect(model.step == .present && model.keepsBiometrics && model.obstacle == nil)
        await enter(TestVault.pin, into: model)
        #expect(model.step == .new && model.error == nil)
        // Choosing may take longer than a proof lasts.
        try made.advance(.minutes(3))
        await enter(Self.newPIN, into: model)
        #expect(model.step == .repeated)
        await enter(Self.newPIN, into: model)
        #expect(model.step == .done && model.error == nil && model.keepsBiometrics)
        await made.vault.lock()
        await #expect(throws: VaultError(.strongFactorRefused)) { try await made.strong() }
        try await made.vault.unlock(with: SecretBytes(text: Self.newPIN))
        await made.vault.lock()
        try await made.touch()
    }

    @Test func `a wrong present PIN goes no further`() async throws {
        let model = await screen(of: try await TestVault.make())
        await enter("730000", into: model)
        #expect(model.error?.errorCode == .strongFactorRefused && model.step == .present)
    }

    @Test(.holds("C6")) func `a weak PIN is refused before it is typed again`() async throws {
        let model = await screen(of: try await TestVault.make())
        await enter(TestVault.pin, into: model)
        for (weak, code) in [("123456", ErrorCode.secretTooCommon), ("7182", .secretTooShort)] {
            await enter(weak, into: model)
            #expect(model.error?.errorCode == code && model.step == .new)
        }
        await enter(Self.newPIN, into: model)
        #expect(model.step == .repeated && model.error == nil)
    }

    @Test func `two that differ start with the new one again`() async throws {
        let made = try await TestVault.make()
        let model = await screen(of: made)
        await enter(TestVault.pin, into: model)
        await enter(Self.newPIN, into: model)
        await enter("718294", into: model)
        #expect(model.error?.errorCode == .confirmationDiffers && model.step == .new)
        await made.vault.lock()
        try await made.strong()
    }

    @Test(.holds("A36", "A37"), arguments: 0..<3, [1, 2])
    func `a cover, a lock or leaving wipes what was typed`(way: Int, typed: Int) async throws {
        let made = try await TestVault.make()
        let model = await screen(of: made)
        for pin in [TestVault.pin, Self.newPIN].prefix(typed) { await enter(pin, into: model) }
        #expect(model.step == (typed == 1 ? .new : .repeated))
        model.pin.type("71")
        switch way {
        case 0: await made.vault.cover()
        case 1: await made.vault.lock()
        default: model.cancel()
        }
        await until { model.step == .present }
        #expect(model.pin.count == 0)
        await enter(Self.newPIN, into: model)
        #expect(model.step == .present, "the new one is no proof")
    }

    @Test(.holds("A61")) func `leaving while the PIN is proved again changes nothing`() async throws {
        let meanwhile = Meanwhile()
        let made = try await TestVault.make(on: meanwhile.simulated, seenAs: meanwhile.device)
        let model = await screen(of: made)
        await enter(TestVault.pin, into: model)
        await enter(Self.newPIN, into: model)
        meanwhile.set { await model.cancel() }
        await enter(Self.newPIN, into: model)
        #expect(meanwhile.count > 0 && model.step == .present && model.error == nil && !model.fields.loading)
        meanwhile.set(nil)
        await made.vault.lock()
        try await made.strong()
    }

    @Test func `in system mode there is no PIN to change`() async throws {
        let made = try await TestVault.make()
        try await made.turnSystemModeOn()
        let model = await screen(of: made)
        #expect(model.obstacle == .systemModeOnly)
        await enter(TestVault.pin, into: model)
        #expect(model.step == .present)
    }

    @Test(.holds("B-10")) func `nothing that was typed is in the model`() async throws {
        let model = await screen(of: try await TestVault.make())
        await enter(TestVault.pin, into: model)
        await enter(Self.newPIN, into: model)
        model.pin.type(Self.newPIN)
        let seen = everything(in: model)
        #expect(!reveals(seen, TestVault.pin) && !reveals(seen, Self.newPIN))
        #expect(seen.contains("PINEntry") && seen.contains("repeated"), "the walk reaches entry and state")
    }

    private func enter(_ pin: String, into model: PINChangeModel) async {
        model.pin.type(pin)
        await model.submitPIN()
    }

    private func screen(of made: TestVault) async -> PINChangeModel {
        let model = PINChangeModel(made.vault)
        await until { !model.loading }
        return model
    }
}
