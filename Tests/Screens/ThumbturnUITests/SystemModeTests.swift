import Synchronization
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("System authentication in the models", .waitsEnd)
struct SystemModeTests {
    private static let newPIN = "718293"
    private static let offer = SystemModeFlag.open.offer(to: "anybody")

    @Test(.holds("S-04")) func `warning, consent and PIN turn it on`() async throws {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        let model = await settings(of: made)
        #expect(model.isShown && !model.isOn && model.obstacle == nil && model.warning == .enabling)
        await model.agree()
        #expect(model.step == .secret)
        model.pin.type("730000")
        await model.submitPIN()
        #expect(model.error?.errorCode == .strongFactorRefused && model.step == .secret && !model.isOn)
        model.pin.type(TestVault.pin)
        await model.submitPIN()
        await until { model.isOn }
        #expect(model.step == .warning && model.error == nil && model.warning == .disabling)
    }

    @Test(.holds("S-04")) func `without consent no secret is taken`() async throws {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        let model = await settings(of: made)
        model.pin.type(TestVault.pin)
        await model.submitPIN()
        #expect(model.error?.errorCode == .consentMissing && model.pin.count == 0)
        #expect(await made.vault.snapshot.mode == .local)
    }

    @Test(.holds("S-01")) func `where the flag offers nothing, there is nothing to turn on`() async throws {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        let model = await settings(of: made, offer: nil)
        #expect(!model.isShown && model.obstacle == .systemModeNotOffered)
        await model.agree()
        await model.enter(SecretBytes(text: TestVault.pin))
        #expect(model.error?.errorCode == .systemModeNotOffered)
        #expect(await made.vault.snapshot.mode == .local)
    }

    @Test(.holds("S-04")) func `what stands against it is said, and goes`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        #expect(model.isShown && model.obstacle == .recoveryKeyRequired)
        _ = try await made.makeRecoveryKey()
        await until { model.obstacle == nil }
        try made.simulated.simulate(.passcodeOff)
        await model.refresh()
        await until { model.obstacle == .passcodeMissing }
    }

    @Test(.holds("C15", "S-04")) func `the recovery key that it asks for is made, written down and typed back`()
        async throws
    {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        #expect(model.obstacle == .recoveryKeyRequired)
        model.makeRecoveryKey()
        #expect(model.step == .recoverySecret)
        model.pin.type("730000")
        await model.submitPIN()
        #expect(model.error?.errorCode == .strongFactorRefused && model.step == .recoverySecret)
        model.pin.type(TestVault.pin)
        await model.submitPIN()
        #expect(model.step == .recoveryKey && model.error == nil)
        let key = try #require(model.withRecoveryKey { $0.exposedText })
        #expect(!reveals(everything(in: model.fields), key))
        model.recoveryKeyIsWritten()
        #expect(model.step == .recoveryKeyTyped && model.withRecoveryKey { _ in true } == nil)
        await model.enter(SecretBytes(text: "XXXX"))
        #expect(model.error?.errorCode == .recoveryKeyMalformed && model.step == .recoveryKeyTyped)
        // Whoever writes a key down takes longer than a proof lasts.
        try made.advance(.minutes(3))
        await model.enter(SecretBytes(text: key))
        await until { model.obstacle == nil }
        #expect(model.step == .warning && model.error == nil)
        await model.agree()
        model.pin.type(TestVault.pin)
        await model.submitPIN()
        await until { model.isOn }
    }

    @Test(.holds("A37", "C15")) func `a cover, a lock or a cancel takes the recovery key off the screen`()
        async throws
    {
        for way in 0..<3 {
            let made = try await TestVault.make()
            let model = await settings(of: made)
            model.makeRecoveryKey()
            model.pin.type(TestVault.pin)
            await model.submitPIN()
            #expect(model.step == .recoveryKey)
            switch way {
            case 0: await made.vault.cover()
            case 1: await made.vault.lock()
            default: model.cancel()
            }
            await until { model.step == .warning }
            #expect(model.withRecoveryKey { _ in true } == nil)
            #expect(await made.vault.snapshot.recoveryKeyAwaitsCheck)
        }
    }

    @Test(.holds("S-06")) func `a launch prompts once, and the device's owner gets in`() async throws {
        let made = try await inSystemMode().restarted()
        try made.simulated.simulate(.finger(.passcode))
        let model = await AppUnlockObject.watching(made)
        #expect(model.screen == .system)
        model.appBecame(.active)
        await model.shows(.content)
        #expect(model.state == .unlocked && made.simulated.promptsShown == 1)
    }

    @Test(.holds("S-06"), arguments: [SimulatedTouch.cancel, .mismatch, .fallback])
    func `a prompt without its owner closes, and says how to go on`(touch: SimulatedTouch) async throws {
        let made = try await inSystemMode().restarted()
        try made.simulated.simulate(.finger(touch))
        let model = await AppUnlockObject.watching(made)
        model.appBecame(.active)
        await model.shows(.reopen)
        #expect(model.notice?.errorCode == .systemPromptEnded && model.notice?.recoverable == false)
        await model.leaveAndReturn()
        await model.unlockWithSystem()
        #expect(made.simulated.promptsShown == 1 && model.screen == .reopen, "only a reopening prompts again")
        try made.simulated.simulate(.finger(.passcode))
        let reopened = await AppUnlockObject.watching(try await made.restarted())
        reopened.appBecame(.active)
        await reopened.shows(.content)
    }

    @Test(.holds("S-06")) func `what the system takes away can be asked for again`() async throws {
        let made = try await inSystemMode().restarted()
        let model = await AppUnlockObject.watching(made)
        await model.unlockWithSystem()
        await model.shows(.system)
        #expect(model.error?.errorCode == .systemPromptEnded)
        try made.simulated.simulate(.finger(.match))
        await model.unlockWithSystem()
        await model.shows(.content)
    }

    @Test(.holds("S-06")) func `a PIN is refused, whoever asks for it`() async throws {
        let made = try await inSystemMode().restarted()
        let model = await AppUnlockObject.watching(made)
        await model.type(TestVault.pin)
        #expect(model.error?.errorCode == .systemModeOnly && model.screen == .system)
    }

    @Test(.holds("S-07")) func `what is closed can be erased behind its word`() async throws {
        let made = try await inSystemMode().restarted()
        try made.simulated.simulate(.finger(.cancel))
        let model = await AppUnlockObject.watching(made)
        await model.unlockWithSystem()
        await model.shows(.reopen)
        await model.reset(typed: ResetConfirmation.phrase)
        #expect(model.screen == .erased)
    }

    @Test(.holds("S-05")) func `the device's prompt and a new PIN, typed twice, turn it off`() async throws {
        let made = try await inSystemMode()
        // The flag has closed meanwhile, which hides nothing that is on.
        let model = await settings(of: made, offer: nil)
        #expect(model.isShown && model.isOn && model.warning == .disabling)
        try made.simulated.simulate(.finger(.passcode))
        await model.agree()
        #expect(model.step == .newSecret && model.error == nil)
        await enter(Self.newPIN, into: model)
        #expect(model.step == .repeated)
        await enter("718294", into: model)
        #expect(model.step == .newSecret && model.error?.errorCode == .confirmationDiffers)
        await enter(Self.newPIN, into: model)
        await enter(Self.newPIN, into: model)
        await until { !model.isOn && !model.loading }
        #expect(model.error == nil && model.step == .warning)
        let unlocking = await AppUnlockObject.watching(made)
        #expect(unlocking.screen == .secret, "S-05: the session restarts locked")
        await unlocking.type(Self.newPIN)
        await unlocking.shows(.content)
    }

    @Test(.holds("S-05")) func `a weak PIN is refused before anything is used up`() async throws {
        let made = try await inSystemMode()
        let model = await settings(of: made)
        try made.simulated.simulate(.finger(.passcode))
        await model.agree()
        await enter("123456", into: model)
        #expect(model.error?.errorCode == .secretTooCommon && model.step == .newSecret)
        await enter(Self.newPIN, into: model)
        #expect(model.step == .repeated && made.simulated.promptsShown == 1)
    }

    @Test(.holds("S-05")) func `without the owner nothing changes`() async throws {
        let made = try await inSystemMode()
        let model = await settings(of: made)
        try made.simulated.simulate(.finger(.cancel))
        await model.agree()
        #expect(model.step == .warning && model.isOn && model.error?.errorCode == .systemPromptEnded)
    }

    private func showsWarning(_ model: SystemSettingsObject) async { await until { model.step == .warning } }

    @Test(.holds("A36", "A37")) func `a cover or a lock while the recovery key is made keeps it off the screen`()
        async throws
    {
        for locks in [false, true] {
            let meanwhile = Meanwhile()
            let made = try await TestVault.make(on: meanwhile.simulated, seenAs: meanwhile.device)
            let model = await settings(of: made)
            model.makeRecoveryKey()
            meanwhile.set {
                if locks { await made.vault.lock() } else { await made.vault.cover() }
                await showsWarning(model)
            }
            await enter(TestVault.pin, into: model)
            #expect(meanwhile.count > 0 && model.step == .warning)
            #expect(model.withRecoveryKey { _ in true } == nil)
        }
    }

    @Test(.holds("A61")) func `a cancel while the PIN is proved turns nothing on`() async throws {
        let meanwhile = Meanwhile()
        let made = try await TestVault.make(on: meanwhile.simulated, seenAs: meanwhile.device)
        _ = try await made.makeRecoveryKey()
        let model = await settings(of: made)
        await model.agree()
        meanwhile.set { await model.cancel() }
        await enter(TestVault.pin, into: model)
        #expect(meanwhile.count > 0 && model.step == .warning && model.error == nil && !model.loading)
        #expect(await made.vault.snapshot.mode == .local)
    }

    @Test(.holds("A61")) func `a cancel while the prompt is up asks for no new PIN`() async throws {
        let meanwhile = Meanwhile()
        let made = try await inSystemMode(meanwhile)
        let model = await settings(of: made)
        try made.simulated.simulate(.finger(.passcode))
        meanwhile.set { await model.cancel() }
        await model.agree()
        #expect(meanwhile.count > 0 && model.step == .warning && model.error == nil && !model.loading)
        #expect(made.simulated.promptsShown == 1)
    }

    @Test(.holds("A37")) func `the cover that comes with the prompt takes nothing from what it confirms`() async throws
    {
        let meanwhile = Meanwhile()
        let made = try await inSystemMode(meanwhile)
        let model = await settings(of: made)
        try made.simulated.simulate(.finger(.passcode))
        meanwhile.set { await made.vault.cover() }
        await model.agree()
        meanwhile.set(nil)
        await enter(Self.newPIN, into: model)
        await enter(Self.newPIN, into: model)
        await until { !model.isOn && !model.loading }
        #expect(meanwhile.count > 0 && model.error == nil)
    }

    @Test func `what was agreed and typed goes with a cancel, with the front and with the session`() async throws {
        let made = try await inSystemMode()
        let model = await settings(of: made)
        let ends: [@MainActor () -> Void] = [
            { model.cancel() }, { Task { await made.vault.cover() } }, { Task { await made.vault.lock() } },
        ]
        for ends in ends {
            try made.simulated.simulate(.finger(.passcode))
            await model.agree()
            await enter(Self.newPIN, into: model)
            #expect(model.step == .repeated)
            model.pin.type("7182")
            ends()
            await until { model.step == .warning }
            #expect(model.pin.count == 0)
            await enter(Self.newPIN, into: model)
            #expect(model.error?.errorCode == .consentMissing)
        }
        #expect(await made.vault.snapshot.mode == .system)
    }

    @Test(.holds("B-10")) func `nothing that was typed is in the model`() async throws {
        let made = try await inSystemMode()
        let model = await settings(of: made)
        try made.simulated.simulate(.finger(.passcode))
        await model.agree()
        await enter(Self.newPIN, into: model)
        model.pin.type(Self.newPIN)
        let seen = everything(in: model)
        #expect(!reveals(seen, Self.newPIN))
        #expect(seen.contains("PINEntry") && seen.contains("repeated"), "the walk reaches entry and state")
    }

    private func enter(_ pin: String, into model: SystemSettingsObject) async {
        model.pin.type(pin)
        await model.submitPIN()
    }

    private func settings(
        of made: TestVault,
        offer: SystemModeOffer? = SystemModeTests.offer
    ) async -> SystemSettingsObject {
        let model = SystemSettingsModel(made.vault, offer: offer)
        await until { !model.loading }
        return model
    }

    /// A vault that its device opens, and an open session of it.
    private func inSystemMode(_ meanwhile: Meanwhile = Meanwhile()) async throws -> TestVault {
        let made = try await TestVault.make(on: meanwhile.simulated, seenAs: meanwhile.device)
        _ = try await made.makeRecoveryKey()
        let offer = try #require(Self.offer)
        let consent = SystemModeConsent(to: .enabling, ownerAgreedAt: made.device.clock())
        try await made.vault.enableSystemAuthentication(offer, consent, try await made.strong())
        return made
    }
}

/// A device whose calls let something else happen meanwhile.
final class Meanwhile: Sendable {
    let simulated = SimulatedDevice()
    private let act = Mutex<(@Sendable () async -> Void)?>(nil)
    private let calls = Counter()

    var count: Int { calls.count }

    var device: Device {
        let watched = WatchedDevice(simulated) { _ in
            guard let act = self.act.withLock({ $0 }) else { return }
            _ = self.calls.next()
            await act()
        }
        return watched.device
    }

    func set(_ act: (@Sendable () async -> Void)?) { self.act.withLock { $0 = act } }
}
