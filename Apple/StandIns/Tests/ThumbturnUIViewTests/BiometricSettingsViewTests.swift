import SwiftUI
import Testing
import Thumbturn
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@MainActor @Suite("Biometrics in the settings and at creation", .timeLimit(.minutes(2)))
struct BiometricSettingsViewTests {
    @Test(.holds("B-04")) func `turning on explains, asks for the PIN, and acts at once`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        let window = Window(BiometricToggle(model))
        shows(window, "{Biometric Unlock: off}")
        try window.tap("Biometric Unlock")
        shows(
            window,
            """
            {Biometric Unlock: off}
            ———
            Anyone enrolled on this device will be able to open the vault.
            Enter your PIN
            """ + "\n" + pad("○○○○○○") + "\n[Cancel]"
        )
        #expect(window.smallControls.isEmpty)
        try window.enter(TestVault.pin)
        await until { model.enabled && !model.loading }
        shows(window, "{Biometric Unlock: on}")
    }

    @Test(.holds("ERR-107-010")) func `a wrong PIN is said on the sheet, and leaves them off`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        let window = Window(BiometricToggle(model), locale: "fr")
        try window.tap("Déverrouillage biométrique")
        try window.enter("730000")
        await until { model.error != nil && !model.loading }
        shows(
            window,
            """
            {Déverrouillage biométrique: off}
            ———
            Toute personne enregistrée sur cet appareil pourra ouvrir le coffre.
            Mot de passe incorrect.
            Réessayez.
            Saisissez votre code
            """ + "\n" + pad("○○○○○○") + "\n[Annuler]"
        )
        try window.tap("Annuler")
        shows(window, "{Déverrouillage biométrique: off}\nMot de passe incorrect.")
    }

    @Test func `a cancel forgets what was typed`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        let window = Window(BiometricToggle(model))
        try window.tap("Biometric Unlock")
        try window.enter("4938")
        try window.tap("Cancel")
        shows(window, "{Biometric Unlock: off}")
        #expect(model.pin.count == 0)
    }

    @Test(.holds("B-04")) func `turning off asks for the PIN where the policy does`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let model = await settings(of: made)
        let window = Window(BiometricToggle(model))
        try window.tap("Biometric Unlock")
        #expect(window.screen.contains("The vault will open with your PIN or password alone.\nEnter your PIN"))
        try window.enter(TestVault.pin)
        await until { !model.enabled && !model.loading }
        shows(window, "{Biometric Unlock: off}")
    }

    @Test(.holds("C5")) func `elsewhere one tap does it`() async throws {
        let made = try await TestVault.make(policy: .strict, biometrics: true)
        let model = await settings(of: made)
        let window = Window(BiometricToggle(model))
        try window.tap("Biometric Unlock")
        await until { !model.enabled && !model.loading }
        shows(window, "{Biometric Unlock: off}")
    }

    @Test(
        .holds("C9"),
        arguments: [
            (SimulatedEvent.unenroll, "No finger or face is enrolled. Add one in the device's settings."),
            (.lockout, "The sensor is locked. Unlock the device with its passcode."),
            (.permissionDenied, "This app may not use the sensor. Allow it in the device's settings."),
            (.passcodeOff, "The device has no passcode. Set one in its settings."),
        ]
    )
    func `what can't be turned on now is shown, and says why`(event: SimulatedEvent, reason: String) async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        try made.simulated.simulate(event)
        await model.refresh()
        await until { model.obstacle != nil }
        let window = Window(BiometricToggle(model))
        shows(window, "{Biometric Unlock: off} off\n" + reason)
        #expect(throws: (any Error).self) { try window.tap("Biometric Unlock") }
    }

    @Test(.holds("C9")) func `a device without a sensor shows nothing`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        try made.simulated.simulate(.sensor(.none))
        await model.refresh()
        await until { !model.isShown }
        shows(Window(BiometricToggle(model)), "")
    }

    @Test(.holds("B-08")) func `what is on can be turned off whatever the sensor says`() async throws {
        let made = try await TestVault.make(policy: .strict, biometrics: true)
        let model = await settings(of: made)
        try made.simulated.simulate(.lockout)
        await model.refresh()
        await until { model.capability.reasonIfUnavailable == .lockedOut && !model.loading }
        let window = Window(BiometricToggle(model))
        shows(window, "{Biometric Unlock: on}")
        try window.tap("Biometric Unlock")
        await until { !model.enabled && !model.loading }
    }

    @Test(.holds("C14")) func `a device that protects too little says so`() async throws {
        // The word for a vault on it is said once; for the finger it is taken back.
        let made = try await TestVault.make(policy: .wallet.allowing(.simulated))
        try await made.vault.setPolicy(try await made.strong()) {
            $0.minimumAssurance = VaultPolicy.wallet.minimumAssurance
        }
        let window = Window(BiometricToggle(await settings(of: made)))
        shows(
            window,
            """
            {Biometric Unlock: off} off
            This device protects keys less than the vault's policy requires.
            """
        )
    }

    @Test(.holds("B-02")) func `creation asks, and hands the consent back`() throws {
        let device = SimulatedDevice().device
        var answers: [BiometricConsent?] = []
        let capability = BiometricCapability(biometryType: .faceID, assurance: .hardwareBound)
        let window = Window(BiometricOffer(capability, policy: .wallet, now: device.clock) { answers.append($0) })
        shows(
            window,
            """
            Enable Biometric Unlock?
            Anyone enrolled on this device will be able to open the vault.
            [Enable]
            [Skip]
            """
        )
        try window.tap("Enable")
        try window.tap("Skip")
        #expect(answers == [BiometricConsent(ownerAgreedAt: device.clock()), nil])
    }

    @Test(.holds("B-02")) func `where biometrics can't be used now, only skipping is left`() throws {
        var answers: [BiometricConsent?] = []
        let clock = SimulatedDevice().device.clock
        let capability = BiometricCapability(
            biometryType: .faceID,
            reasonIfUnavailable: .notEnrolled,
            assurance: .hardwareBound
        )
        let window = Window(
            BiometricOffer(capability, policy: .wallet, now: clock) { answers.append($0) },
            locale: "fr"
        )
        shows(
            window,
            """
            Activer le déverrouillage biométrique ?
            Toute personne enregistrée sur cet appareil pourra ouvrir le coffre.
            Aucune empreinte ni aucun visage n'est enregistré. Ajoutez-en dans les réglages de l'appareil.
            [Activer] off
            [Ignorer]
            """
        )
        #expect(throws: (any Error).self) { try window.tap("Activer") }
        try window.tap("Ignorer")
        #expect(answers == [nil])
    }

    @Test(.holds("B-09")) func `a device without a sensor is not asked`() {
        var answers: [BiometricConsent?] = []
        let clock = SimulatedDevice().device.clock
        let none = BiometricCapability(biometryType: .none, reasonIfUnavailable: .noHardware, assurance: .osKeychain)
        let window = Window(BiometricOffer(none, policy: .wallet, now: clock) { answers.append($0) })
        shows(window, "")
        #expect(answers == [nil])
    }
}
