import Observation
import Testing
import Thumbturn
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("The screens without a vault", .waitsEnd)
struct ScreenVaultTests {
    @Test(.holds("S-06")) func `the prompt that comes by itself is that of the vault's mode`() async {
        for (mode, decision) in [(UnlockMode.local, UnlockDecision.promptBiometrics), (.system, .promptSystem)] {
            let vault = ScriptedVault(VaultSnapshot(mode: mode, decision: decision), refusing: .promptCancelled)
            let model = AppUnlockModel(vault, secret: .pin(length: 6))
            await until { model.screen != .opening }
            model.appBecame(.active)
            await vault.say(VaultSnapshot(mode: mode, decision: decision))
            await until { model.error?.errorCode == .promptCancelled }
            let words = PromptText(reason: "Open the vault", fallbackTitle: mode == .local ? "Use PIN" : "")
            #expect(await vault.asked.filter { $0 != .appBecame(.active) } == [.prompt(words, mode)])
        }
    }

    @Test(.holds("A36"), arguments: ErrorCode.allCases)
    func `whatever is refused is said, but for a lock that came first, and nothing opens`(
        code: ErrorCode
    ) async {
        let vault = ScriptedVault(VaultSnapshot(), refusing: code)
        let model = AppUnlockModel(vault, secret: .pin(length: 6))
        await until { model.screen != .opening }
        await model.type(TestVault.pin)
        #expect(model.error?.errorCode == (code == .locked ? nil : code) && model.screen == .secret)
        await model.unlockWithBiometric()
        #expect(model.error?.errorCode == (code == .locked ? nil : code) && model.scope == nil && !model.isBusy)
        #expect(await vault.asked.count == 2)
    }

    @Test(.holds("P-107-01")) func `a prompt that was answered opens no screen; only a snapshot does`() async {
        let vault = ScriptedVault(VaultSnapshot(decision: .promptBiometrics))
        let model = AppUnlockModel(vault)
        await until { model.screen != .opening }
        await model.unlockWithBiometric()
        #expect(model.error == nil && model.screen == .secret && model.scope == nil)
        await vault.say(VaultSnapshot(state: .unlocked(.full)))
        await model.shows(.content)
    }

    @Test(.holds("C17")) func `the vault hears each phase of the app, in their order`() async {
        let vault = ScriptedVault(VaultSnapshot())
        let model = AppUnlockModel(vault)
        await until { model.screen != .opening }
        let phases: [AppPhase] = [.active, .inactive, .background, .inactive, .active, .inactive, .active]
        for phase in phases { model.appBecame(phase) }
        var heard: [ScriptedVault.Call] = []
        while heard.count < phases.count {
            await Task.yield()
            heard = await vault.asked
        }
        #expect(heard == phases.map(ScriptedVault.Call.appBecame))
    }

    @Test func `a return to a device that can't be looked at uncovers, and is told to the app's log`() async throws {
        let made = try await TestVault.make()
        await made.vault.cover()
        try made.simulated.simulate(.lockDevice)
        await made.vault.appBecame(.active)
        #expect(await !made.vault.snapshot.isCovered)
        #expect(made.log.tolerated.count == 1)
    }

    @Test func `consent is dated by the vault's clock`() async {
        let vault = ScriptedVault(VaultSnapshot())
        #expect(AppUnlockModel(vault).consent() == BiometricConsent(ownerAgreedAt: vault.now))
    }

    /// What stands in for the vault of a test: the same facts, said by hand.
    @Test func `what an app makes itself shows the same screens as a vault`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        let sensor = BiometricCapability(biometryType: .touchID, assurance: .simulated)
        func same(_ mine: VaultSnapshot, at location: SourceLocation = #_sourceLocation) async throws {
            let snapshot = try await made.look()
            for phase in AppPhase.allCases {
                let around = AppUnlockFields.Surroundings(phase: phase, language: .french)
                #expect(AppUnlockFields(mine, around) == AppUnlockFields(snapshot, around), sourceLocation: location)
            }
            let settings = BiometricSettingsFields.Surroundings()
            #expect(
                BiometricSettingsFields(mine, settings) == BiometricSettingsFields(snapshot, settings),
                sourceLocation: location
            )
            let unlocking = await AppUnlockObject.watching(made)
            #expect(AppUnlockObject(showing: mine).fields == unlocking.fields, sourceLocation: location)
            let toggle = BiometricSettingsModel(made.vault)
            await until { !toggle.loading }
            #expect(BiometricSettingsObject(showing: mine).fields == toggle.fields, sourceLocation: location)
            let offer = SystemModeFlag.open.offer(to: "anybody")
            let system = SystemSettingsModel(made.vault, offer: offer)
            await until { !system.loading }
            let obstacle = await made.vault.obstacleToSystemAuthentication(offer)
            let shown = SystemSettingsObject(showing: mine, obstacle: obstacle)
            #expect(shown.fields == system.fields, sourceLocation: location)
        }
        try await same(
            VaultSnapshot(
                biometrics: .enabled,
                capability: sensor,
                policy: TestVault.policy,
                decision: .promptBiometrics
            )
        )
        for number in 0..<4 { try? await made.guess(number) }
        try await same(
            VaultSnapshot(
                state: .requiresStrongFactor(.fallbackChosen),
                biometrics: .enabled,
                capability: sensor,
                policy: TestVault.policy,
                failedAttempts: 4,
                nextAttempt: .wait(.seconds(30)),
                decision: .promptBiometrics
            )
        )
        try await made.touch()
        try await same(
            VaultSnapshot(
                state: .unlocked(.full),
                biometrics: .enabled,
                capability: sensor,
                policy: TestVault.policy,
                failedAttempts: 4,
                nextAttempt: .wait(.seconds(30)),
                decision: .promptBiometrics
            )
        )
    }

    @Test func `a preview opens for nobody, and stays as it is`() async {
        let unlocking = AppUnlockModel(showing: VaultSnapshot(decision: .promptBiometrics))
        unlocking.appBecame(.active)
        await unlocking.type(TestVault.pin)
        await unlocking.unlockWithBiometric()
        await unlocking.unlockWithSystem()
        await unlocking.reset(typed: ResetConfirmation.phrase)
        #expect(unlocking.screen == .secret && unlocking.scope == nil && !unlocking.isCovered)
        let toggle = BiometricSettingsModel(showing: VaultSnapshot())
        await toggle.enable(toggle.consent(), with: .init(text: TestVault.pin))
        #expect(!toggle.enabled && toggle.error?.errorCode == .locked)
        let system = SystemSettingsModel(showing: VaultSnapshot(mode: .system))
        await system.agree()
        #expect(system.isOn && system.step == .warning && system.error?.errorCode == .locked)
    }
}
