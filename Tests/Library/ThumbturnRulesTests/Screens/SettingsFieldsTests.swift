import Testing

@testable import ThumbturnRules

@Suite("What the settings show of each state")
struct SettingsFieldsTests {
    @Test(.holds("C9"), arguments: BiometricCapability.Reason.allCases)
    func `what the device can't do is hidden, what it can't do now is shown with the reason`(
        reason: BiometricCapability.Reason
    ) {
        let off = fields(.test(biometrics: .disabled, reason: reason))
        #expect(off.isShown == (reason != .noHardware))
        #expect(off.obstacle == .unavailable(reason) && !off.enabled)
        let on = fields(.test(biometrics: .enabled, reason: reason))
        #expect(on.isShown && on.enabled && on.obstacle == nil, "turning off always works")
    }

    @Test(.holds("C9")) func `a device without a sensor shows nothing, unless there is something to turn off`() {
        #expect(fields(.test(biometrics: .disabled, biometry: .none)).isShown == false)
        #expect(fields(.test(biometrics: .enabled, biometry: .none)).isShown == true)
    }

    @Test(.holds("S-03")) func `in system mode there are no biometrics to turn on`() {
        #expect(fields(.test(mode: .system, biometrics: .disabled, decision: .promptSystem)).isShown == false)
    }

    @Test(.holds("C14")) func `a device that protects too little can't enable, and says so`() {
        let weak = fields(.test(biometrics: .disabled, assurance: .osKeychain))
        #expect(weak.isShown && weak.obstacle == .assuranceTooLow)
        let chosen = fields(.test(biometrics: .disabled, assurance: .osKeychain, policy: .wallet.allowing(.osKeychain)))
        #expect(chosen.obstacle == nil)
    }

    @Test(.holds("C5")) func `the policy says whether turning off asks for the secret`() {
        #expect(fields(.test()).asksSecretToDisable)
        #expect(!fields(.test(policy: .pd107)).asksSecretToDisable)
    }

    @Test func `nothing is known at first`() {
        let fields = fields(nil)
        #expect(fields.loading && !fields.isShown && !fields.enabled && fields.obstacle != nil)
        let system = SystemSettingsFields(nil, SystemSettingsFields.Surroundings())
        #expect(system.loading && !system.isShown && !system.isOn && system.obstacle == .systemModeNotOffered)
    }

    @Test func `what was refused is said in the user's language, and a call under way shows`() {
        var around = BiometricSettingsFields.Surroundings(language: .french)
        around.isBusy = true
        around.refusal = .strongFactorRefused
        let biometric = BiometricSettingsFields(.test(), around)
        #expect(biometric.loading && biometric.error?.message == "Impossible de vous authentifier.")
        var systemAround = SystemSettingsFields.Surroundings(step: .secret, language: .french)
        systemAround.isBusy = true
        systemAround.refusal = .strongFactorRefused
        let system = SystemSettingsFields(.test(), systemAround)
        #expect(system.loading && system.step == .secret && system.error == biometric.error)
    }

    @Test(.holds("S-01")) func `system authentication shows where it is offered or on, and what is on has no obstacle`()
    {
        for obstacle in [ErrorCode.systemModeNotOffered, .recoveryKeyRequired, .passcodeMissing] {
            let around = SystemSettingsFields.Surroundings(obstacle: obstacle)
            let off = SystemSettingsFields(.test(), around)
            #expect(off.isShown == (obstacle != .systemModeNotOffered))
            #expect(!off.isOn && off.obstacle == obstacle && off.warning == .enabling)
            let on = SystemSettingsFields(.test(mode: .system, decision: .promptSystem), around)
            #expect(on.isShown && on.isOn && on.obstacle == nil && on.warning == .disabling)
        }
    }

    private func fields(_ snapshot: VaultSnapshot?) -> BiometricSettingsFields {
        BiometricSettingsFields(snapshot, BiometricSettingsFields.Surroundings())
    }
}
