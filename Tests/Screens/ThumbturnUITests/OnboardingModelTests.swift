import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("The first start", .waitsEnd)
struct OnboardingModelTests {
    private let folder: TemporaryFolder
    private let simulated = SimulatedDevice()
    private let made = Made()

    init() throws { folder = try TemporaryFolder() }

    @Test(.holds("B-02", "F-107-02")) func `a PIN twice and a yes make a vault that a finger opens`() async throws {
        let model = model()
        #expect(model.fields.step == .secret)
        await model.type(TestVault.pin)
        #expect(model.fields.step == .repeated && model.pin.count == 0)
        await model.type(TestVault.pin)
        guard case .biometrics(let capability) = model.fields.step else {
            Issue.record("\(model.fields.step)")
            return
        }
        #expect(capability.available)
        await model.answer(BiometricConsent(ownerAgreedAt: simulated.device.clock()))
        #expect(model.fields.step == .done && model.fields.error == nil)
        let vault = try #require(made.vault)
        #expect(await vault.snapshot.biometrics == .enabled)
        await vault.lock()
        try simulated.simulate(.finger(.match))
        try await vault.unlockWithBiometrics(TestVault.words)
    }

    @Test(.holds("B-02")) func `a no makes one that the PIN alone opens`() async throws {
        let model = try await chosen()
        await model.answer(nil)
        let vault = try #require(made.vault)
        #expect(model.fields.step == .done)
        #expect(await vault.snapshot.biometrics == .disabled)
        await vault.lock()
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
    }

    @Test(.holds("C9")) func `without a sensor nothing is asked, and the vault is made`() async throws {
        try simulated.simulate(.sensor(.none))
        let model = model()
        await model.type(TestVault.pin)
        await model.type(TestVault.pin)
        #expect(model.fields.step == .done && made.vault != nil)
    }

    @Test(.holds("C9")) func `a sensor that can't be used now is shown, for its reason`() async throws {
        try simulated.simulate(.unenroll)
        let model = model()
        await model.type(TestVault.pin)
        await model.type(TestVault.pin)
        guard case .biometrics(let capability) = model.fields.step else {
            Issue.record("\(model.fields.step)")
            return
        }
        #expect(capability.obstacle(under: TestVault.policy) == .unavailable(.notEnrolled))
    }

    @Test(arguments: ["000000", "123456", "4938"]) func `a weak PIN is refused before it is repeated`(
        pin: String
    ) async throws {
        let model = model()
        await model.type(pin)
        #expect(model.fields.step == .secret && model.chosen == nil)
        let refusal = try #require(model.fields.error?.errorCode)
        #expect(refusal == (pin.count < 6 ? .secretTooShort : .secretTooCommon))
        await model.type(TestVault.pin)
        #expect(model.fields.error == nil && model.fields.step == .repeated)
    }

    @Test func `two different PINs start over`() async throws {
        let model = model()
        await model.type(TestVault.pin)
        await model.type("493818")
        #expect(model.fields.step == .secret && model.fields.error?.errorCode == .confirmationDiffers)
        #expect(model.chosen == nil)
        await model.type("493818")
        await model.type(TestVault.pin)
        #expect(model.fields.error?.errorCode == .confirmationDiffers, "the first one does not count any more")
    }

    @Test func `a password makes a vault too`() async throws {
        let model = model(secret: .password)
        let password = "correct horse battery"
        await model.enter(SecretBytes(text: "short"))
        #expect(model.fields.error?.errorCode == .secretTooShort)
        await model.enter(SecretBytes(text: password))
        await model.enter(SecretBytes(text: password))
        await model.answer(nil)
        let vault = try #require(made.vault)
        await vault.lock()
        try await vault.unlock(with: SecretBytes(text: password))
    }

    /// The consent is five minutes old: what fails is the second of the two transactions.
    @Test(.holds("B-02")) func `where biometrics fail the vault is there, and its owner is told`() async throws {
        let model = try await chosen()
        let consent = BiometricConsent(ownerAgreedAt: simulated.device.clock())
        try simulated.simulate(.advance(.minutes(6)))
        await model.answer(consent)
        #expect(model.fields.step == .withoutBiometrics && model.fields.error != nil)
        #expect(made.vault == nil, "not before it was read")
        model.appBecame(.background)
        model.appBecame(.active)
        #expect(model.fields.step == .withoutBiometrics)
        model.goOn()
        let vault = try #require(made.vault)
        #expect(model.fields.step == .done && model.fields.error == nil)
        #expect(await vault.snapshot.biometrics == .disabled)
    }

    @Test func `a vault that can't be made is told, and its owner chooses again`() async throws {
        let model = try await chosen()
        try simulated.simulate(.fault(.saveFails))
        await model.answer(nil)
        #expect(model.fields.step == .secret && model.fields.error != nil && made.vault == nil)
        #expect(model.chosen == nil && !model.fields.isBusy)
        await model.type(TestVault.pin)
        await model.type(TestVault.pin)
        await model.answer(nil)
        #expect(made.vault != nil)
    }

    @Test func `a policy that this device does not meet makes no vault`() async throws {
        let model = model(policy: .wallet)
        await model.type(TestVault.pin)
        await model.type(TestVault.pin)
        await model.answer(nil)
        #expect(model.fields.error?.errorCode == .assuranceTooLow && made.vault == nil)
    }

    @Test(.holds("P-107-04")) func `a PIN that was chosen does not outlive the foreground`() async throws {
        let model = model()
        await model.type(TestVault.pin)
        weak let held = model.chosen
        model.pin.type("49")
        model.appBecame(.inactive)
        #expect(model.pin.count == 0 && held != nil && model.fields.step == .repeated, "a glance at a banner")
        model.appBecame(.background)
        #expect(held == nil && model.fields.step == .secret)
        await model.type(TestVault.pin)
        #expect(model.fields.step == .repeated, "it counts as the first one")
    }

    @Test(.holds("P-107-04")) func `nor does it outlive the question, its screen, or the vault's making`() async throws
    {
        let asked = try await chosen()
        weak let atQuestion = asked.chosen
        asked.clear()
        #expect(atQuestion == nil && asked.fields.step == .secret)
        await asked.answer(BiometricConsent(ownerAgreedAt: simulated.device.clock()))
        #expect(made.vault == nil, "there is nothing to make a vault of")

        let done = try await chosen()
        weak let atDone = done.chosen
        await done.answer(nil)
        #expect(atDone == nil && made.vault != nil)
    }

    @Test(.holds("P-107-04")) func `no field of the model shows what is typed`() async throws {
        let model = model()
        await model.type(TestVault.pin)
        model.pin.type("4938")
        #expect(!reveals(everything(in: model), TestVault.pin) && !reveals(everything(in: model.pin), "4938"))
    }

    @Test func `a screen that goes in mid-call leaves no task, and the vault is handed over`() async throws {
        let held = HeldCall()
        var model: OnboardingModel? = model(holding: held)
        weak let remains = model
        await model?.type(TestVault.pin)
        await model?.type(TestVault.pin)
        let answering = Task { [model] in await model?.answer(nil) }
        await held.arrives()
        #expect(remains?.fields.step == .making)
        model?.clear()
        await answering.value
        #expect(made.vault != nil)
        model = nil
        while remains != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test(.holds("A37")) func `a vault that is made while the app is away is locked`() async throws {
        let held = HeldCall()
        let model = model(holding: held)
        await model.type(TestVault.pin)
        await model.type(TestVault.pin)
        let answering = Task { await model.answer(nil) }
        await held.arrives()
        model.appBecame(.background)
        held.open()
        await answering.value
        let vault = try #require(made.vault)
        for await snapshot in await vault.snapshots() where !snapshot.state.hasSession { break }
        #expect(await !vault.snapshot.state.hasSession)
    }

    @Test func `a preview shows each step, and makes nothing`() async throws {
        let model = OnboardingModel(showing: .repeated, refusal: .secretTooCommon)
        #expect(model.fields.step == .repeated && model.fields.error?.errorCode == .secretTooCommon)
        await model.type(TestVault.pin)
        #expect(model.fields.step == .repeated)
    }

    private struct Misled: Error {}

    /// A model whose owner has typed the PIN twice.
    private func chosen() async throws -> OnboardingModel {
        let model = model()
        await model.type(TestVault.pin)
        await model.type(TestVault.pin)
        guard case .biometrics = model.fields.step else { throw Misled() }
        return model
    }

    /// A model whose vault is made once `held` is open.
    private func model(holding held: HeldCall) -> OnboardingModel {
        var policy = TestVault.policy
        policy.locksInBackground = true
        return OnboardingModel(
            on: simulated.device,
            policy: policy,
            secret: .pin(length: 6),
            made: { [made] in made.vault = $0 },
            make: { [path = folder.file("vault"), device = simulated.device] secret, consent throws(VaultError) in
                await held.pass()
                return try await Vault.create(
                    in: path,
                    device: device,
                    secret: secret.bytes,
                    policy: policy,
                    biometrics: consent,
                    configuration: TestVault.configuration()
                )
            }
        )
    }

    private func model(
        policy: VaultPolicy = TestVault.policy,
        secret: SecretKind = .pin(length: 6)
    ) -> OnboardingModel {
        OnboardingModel(
            in: folder.file("vault"),
            on: simulated.device,
            policy: policy,
            secret: secret,
            configuration: TestVault.configuration()
        ) { [made] in made.vault = $0 }
    }
}

/// What a first start handed over.
@MainActor final class Made {
    var vault: Vault?

    nonisolated init() {}
}

extension OnboardingModel {
    /// Types a PIN, digit by digit, and sends it.
    func type(_ text: String) async {
        pin.type(text)
        await submitPIN()
    }
}
