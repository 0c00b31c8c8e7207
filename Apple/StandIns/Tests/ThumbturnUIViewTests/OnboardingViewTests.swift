import SwiftUI
import Testing
import Thumbturn
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("The screen of the first start", .timeLimit(.minutes(2)))
struct OnboardingViewTests {
    private let folder: TemporaryFolder
    private let simulated = SimulatedDevice()
    private let made = MadeVault()

    init() throws { folder = try TemporaryFolder() }

    @Test(.holds("B-02")) func `a PIN twice and a tap make a vault with a finger`() async throws {
        let model = model()
        let window = Window(OnboardingScreen(model))
        shows(window, "Choose a new PIN\n" + pad("○○○○○○") + "\n" + Words.keepSecretInMind.english)
        try window.enter(TestVault.pin)
        await until { model.fields.step == .repeated }
        shows(window, "Type the new PIN again\n" + pad("○○○○○○"))
        try window.enter(TestVault.pin)
        await until { window.screen.contains("[Enable]") }
        shows(window, "Enable Biometric Unlock?\n\(Words.consent.english)\n[Enable]\n[Skip]")
        try window.tap("Enable")
        await until { made.vault != nil }
        let vault = try #require(made.vault)
        #expect(await vault.snapshot.biometrics == .enabled)
    }

    @Test(.holds("C9")) func `a sensor without a finger is explained, and can only be skipped`() async throws {
        try simulated.simulate(.unenroll)
        let model = model()
        let window = Window(OnboardingScreen(model), locale: "fr")
        try window.enter(TestVault.pin)
        await until { model.fields.step == .repeated }
        try window.enter(TestVault.pin)
        await until { window.screen.contains("[Ignorer]") }
        #expect(window.screen.contains(Words.notEnrolled.french) && window.screen.contains("[Activer] off"))
        try window.tap("Ignorer")
        await until { made.vault != nil }
    }

    @Test func `a weak PIN, and two different ones, are said in words`() async throws {
        let model = model()
        let window = Window(OnboardingScreen(model), locale: "fr_CA")
        try window.enter("123456")
        await until { model.fields.error != nil }
        #expect(window.screen.hasPrefix(ErrorCode.secretTooCommon.message(in: .french)))
        try window.enter(TestVault.pin)
        await until { model.fields.step == .repeated }
        try window.enter("493818")
        await until { model.fields.error != nil }
        #expect(window.screen.hasPrefix(ErrorCode.confirmationDiffers.message(in: .french)))
        #expect(window.screen.contains("Choisissez un nouveau code"))
    }

    @Test func `a password is typed into the system's field, twice`() async throws {
        let model = model(secret: .password)
        let window = Window(OnboardingScreen(model))
        shows(window, "Choose a new password\n<Password: >\n[OK] off\n" + Words.keepSecretInMind.english)
        for step in [OnboardingFields.Step.secret, .repeated] {
            await until { model.fields.step == step }
            try window.type("correct horse battery", into: "Password")
            #expect(!window.screen.contains("horse") && !window.spoken.joined().contains("horse"))
            try window.tap("OK")
        }
        await until { window.screen.contains("[Skip]") }
    }

    /// Each step, as an app's preview shows it.
    @Test(.holds("P-107-04"), arguments: ["en", "fr"]) func `every step is there in each language, with labels`(
        locale: String
    ) throws {
        let language = Language(locale: locale)
        let sensor = BiometricCapability(biometryType: .faceID, assurance: .hardwareBound)
        let steps: [(OnboardingFields.Step, Words)] = [
            (.secret, .choosePIN), (.repeated, .repeatPIN), (.biometrics(sensor), .enableQuestion),
            (.making, .makingVault), (.withoutBiometrics, .vaultIsReady), (.done, .makingVault),
        ]
        for (step, words) in steps {
            for refusal in [nil, ErrorCode.secretTooCommon] {
                let model = OnboardingModel(showing: step, refusal: refusal, secret: .pin(length: 6))
                let window = Window(OnboardingScreen(model), locale: locale)
                #expect(window.screen.contains(words.in(language)), "\(step)")
                #expect(window.screen.contains(ErrorCode.secretTooCommon.message(in: language)) == (refusal != nil))
                #expect(window.unlabelled == [] && window.smallControls == [] && !window.screen.contains("⟨"))
            }
        }
    }

    @Test(.holds("A37", "P-107-04")) func `it covers itself, and forgets in the background and when it goes`()
        async throws
    {
        let model = model()
        let window = Window(OnboardingScreen(model))
        try window.enter(TestVault.pin)
        await until { model.fields.step == .repeated }
        try window.enter("49")
        window.phase = .inactive
        #expect(window.spoken == ["Hidden"] && model.pin.count == 0 && model.chosen != nil)
        window.phase = .background
        #expect(model.chosen == nil)
        window.phase = .active
        shows(window, "Choose a new PIN\n" + pad("○○○○○○") + "\n" + Words.keepSecretInMind.english)
        try window.enter(TestVault.pin)
        await until { model.fields.step == .repeated }
        window.close()
        #expect(model.chosen == nil)
    }

    private func model(secret: SecretKind = .pin(length: 6)) -> OnboardingModel {
        OnboardingModel(
            in: folder.file("vault"),
            on: simulated.device,
            policy: TestVault.policy,
            secret: secret,
            configuration: TestVault.configuration()
        ) { [made] in made.vault = $0 }
    }
}

/// What a first start handed over.
@MainActor private final class MadeVault {
    var vault: Vault?

    nonisolated init() {}
}
