import Testing
import Thumbturn
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("System authentication by a finger or face", .waitsEnd)
struct SystemByBiometricsTests {
    @Test(.holds("C15", "S-04")) func `where the policy allows it, a finger turns it on instead of the PIN`()
        async throws
    {
        let made = try await vault(allows: true)
        let model = await settings(of: made)
        #expect(model.biometry == nil, "the consent comes first")
        await model.agree()
        #expect(model.step == .secret && model.biometry == .touchID)
        try made.simulated.simulate(.finger(.match))
        await model.enableByBiometrics()
        await until { model.isOn }
        #expect(model.error == nil && model.step == .warning && model.biometry == nil)
    }

    @Test(.holds("C15")) func `elsewhere only the PIN is asked for`() async throws {
        let made = try await vault(allows: false)
        let model = await settings(of: made)
        await model.agree()
        #expect(model.step == .secret && model.biometry == nil)
        try made.simulated.simulate(.finger(.match))
        await model.enableByBiometrics()
        #expect(!model.isOn && made.simulated.promptsShown == 0)
        #expect(await made.vault.snapshot.mode == .local)
    }

    @Test(.holds("C15")) func `without a recovery key no finger turns it on`() async throws {
        let made = try await vault(allows: true, recoveryKey: false)
        let model = await settings(of: made)
        #expect(model.obstacle == .recoveryKeyRequired)
        try made.simulated.simulate(.finger(.match))
        await model.agree()
        await model.enableByBiometrics()
        await until { !model.loading }
        #expect(await made.vault.snapshot.mode == .local)
    }

    @Test(.holds("C15", "A61")) func `a finger that is not the owner's changes nothing, and the vault is locked`()
        async throws
    {
        let made = try await vault(allows: true)
        let model = await settings(of: made)
        await model.agree()
        try made.simulated.simulate(.finger(.mismatch))
        await model.enableByBiometrics()
        await until { !model.loading }
        let snapshot = await made.vault.snapshot
        #expect(snapshot.mode == .local && !snapshot.state.hasSession && model.step == .warning)
    }

    @Test(.holds("C15")) func `without a consent no finger is asked for`() async throws {
        let made = try await vault(allows: true)
        let model = await settings(of: made)
        await model.enableByBiometrics()
        #expect(made.simulated.promptsShown == 0 && !model.isOn)
    }

    private func settings(of made: TestVault) async -> SystemSettingsObject {
        let model = SystemSettingsModel(made.vault, offer: SystemModeFlag.open.offer(to: "anybody"))
        await until { !model.loading }
        return model
    }

    private func vault(allows: Bool, recoveryKey: Bool = true) async throws -> TestVault {
        var policy = TestVault.policy
        policy.allowsSystemModeFromBiometrics = allows
        let made = try await TestVault.make(policy: policy, biometrics: true)
        if recoveryKey { _ = try await made.makeRecoveryKey() }
        return made
    }
}
