import Testing
import Thumbturn
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("useBiometricSettings over a vault", .waitsEnd)
struct BiometricSettingsTests {
    @Test(.holds("F-107-02")) func `consent and the PIN turn biometrics on, and the PIN turns them off`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        #expect(model.isShown && !model.enabled && model.capability.biometryType == .touchID)
        await model.enable(model.consent(), with: .init(text: TestVault.pin))
        await until { model.enabled }
        #expect(model.error == nil && !model.loading)
        await model.disable(with: .init(text: TestVault.pin))
        await until { !model.enabled }
        #expect(model.error == nil)
    }

    @Test(.holds("ERR-107-010")) func `a wrong PIN leaves them off`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        model.language = .french
        await model.enable(model.consent(), with: .init(text: "730000"))
        #expect(model.error?.code == "ERR-107-010" && model.error?.message == "Mot de passe incorrect.")
        #expect(!model.enabled)
        model.resetError()
        #expect(model.error == nil)
    }

    @Test(.holds("ERR-107-020")) func `a store that fails leaves them off`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        try made.simulated.simulate(.fault(.saveFails))
        await model.enable(model.consent(), with: .init(text: TestVault.pin))
        #expect(model.error?.code == "ERR-107-020" && !model.enabled)
        #expect(await made.vault.snapshot.biometrics == .disabled)
    }

    @Test(.holds("C5")) func `without the secret nothing is turned off where the policy wants it`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let model = await settings(of: made)
        await model.disable()
        #expect(model.error?.errorCode == .authorizationExpired && model.enabled)
    }

    @Test(.holds("C5")) func `where the policy wants none, one tap turns them off`() async throws {
        let made = try await TestVault.make(policy: .localPD107, biometrics: true)
        let model = await settings(of: made)
        #expect(!model.asksSecretToDisable)
        await model.disable()
        await until { !model.enabled }
    }

    @Test(.holds("B-08"), arguments: [SimulatedEvent.lockout, .sensor(.none), .permissionDenied, .passcodeOff])
    func `turning off works in every state of the sensor`(event: SimulatedEvent) async throws {
        let made = try await TestVault.make(biometrics: true)
        let model = await settings(of: made)
        try made.simulated.simulate(event)
        await model.refresh()
        #expect(model.isShown && model.enabled && model.obstacle == nil)
        await model.disable(with: .init(text: TestVault.pin))
        await until { !model.enabled }
        #expect(model.error == nil && made.simulated.promptsShown == 0)
    }

    @Test(.holds("ERR-107-021")) func `off is off, also where not all could be deleted`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let model = await settings(of: made)
        try made.simulated.simulate(.fault(.deleteFails))
        await model.disable(with: .init(text: TestVault.pin))
        await until { !model.enabled }
        #expect(model.error?.code == "ERR-107-021")
    }

    @Test(.holds("B-01")) func `a look shows what changed`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        try made.simulated.simulate(.unenroll)
        await model.refresh()
        await until { model.obstacle == .unavailable(.notEnrolled) }
        #expect(model.isShown)
        try made.simulated.simulate(.sensor(.none))
        await model.refresh()
        await until { !model.isShown }
    }

    @Test func `what was typed and said goes with the session`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        await model.disable()
        model.pin.type("4938")
        await model.enable(model.consent(), with: .init(text: "730000"))
        #expect(model.error != nil)
        await made.vault.lock()
        await until { model.error == nil }
        #expect(model.pin.count == 0)
    }

    @Test(.holds("A37")) func `what was typed goes when the app leaves the front`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        model.pin.type("4938")
        await made.vault.cover()
        // Snapshots come in order: once this shows, so has the cover.
        try made.simulated.simulate(.unenroll)
        await model.refresh()
        await until { model.obstacle == .unavailable(.notEnrolled) }
        #expect(model.pin.count == 0)
    }

    @Test(.holds("B-10")) func `nothing that was typed is in the model`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        model.pin.type(TestVault.pin)
        let typing = everything(in: model)
        await model.enable(model.consent(), with: model.pin.take())
        await until { model.enabled }
        let enabled = everything(in: model)
        #expect(!reveals(typing, TestVault.pin) && !reveals(enabled, TestVault.pin))
        #expect(typing.contains("PINEntry") && enabled.contains("touchID"), "the walk reaches entry and state")
    }

    private func settings(of made: TestVault) async -> BiometricSettingsObject {
        let model = BiometricSettingsModel(made.vault)
        await until { !model.loading }
        return model
    }
}
