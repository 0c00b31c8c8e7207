import SwiftUI
import Testing
import Thumbturn
import ThumbturnDevice
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@MainActor @Suite("System authentication on the screen", .timeLimit(.minutes(2)))
struct SystemModeViewTests {
    private static let newPIN = "718293"

    @Test(.holds("S-04")) func `it explains and warns, takes the consent, and then the PIN`() async throws {
        let made = try await vault()
        let model = await settings(of: made)
        let window = Window(SystemAuthenticationScreen(model))
        shows(
            window,
            """
            Enable system authentication
            The wallet will open with this device's own authentication, and with nothing else.
            The PIN will no longer open it, and Biometric Unlock is turned off.
            Anyone who knows this device's passcode, or is enrolled on it, can open the wallet.
            If the device loses its passcode, only the recovery key opens the wallet.
            [Enable]
            """
        )
        #expect(window.smallControls.isEmpty)
        try window.tap("Enable")
        await until { model.step == .secret && !model.loading }
        shows(window, "Enable system authentication\nEnter your PIN\n" + pad("○○○○○○") + "\n[Cancel]")
        try window.enter(TestVault.pin)
        await until { model.isOn && !model.loading }
        #expect(window.screen.hasSuffix("[Disable]"))
    }

    @Test(.holds("S-05")) func `it warns, shows the device's prompt, and asks for a new PIN twice`() async throws {
        let made = try await vault(inSystemMode: true)
        let model = await settings(of: made)
        let window = Window(SystemAuthenticationScreen(model), locale: "fr")
        shows(
            window,
            """
            Désactiver l'authentification du système
            Le portefeuille s'ouvrira avec un nouveau code, et plus avec l'authentification de cet appareil.
            Le portefeuille se verrouille, et demande le nouveau code.
            [Désactiver]
            """
        )
        try made.simulated.simulate(.finger(.passcode))
        try window.tap("Désactiver")
        await until { model.step == .newSecret && !model.loading }
        shows(
            window,
            "Désactiver l'authentification du système\nChoisissez un nouveau code\n" + pad("○○○○○○") + "\n[Annuler]"
        )
        try window.enter(Self.newPIN)
        await until { model.step == .repeated && !model.loading }
        #expect(window.screen.contains("Saisissez à nouveau le nouveau code"))
        try window.enter(Self.newPIN)
        await until { !model.isOn && !model.loading }
        #expect(await made.vault.snapshot.state == .locked)
    }

    @Test(.holds("S-01")) func `without an offer, and with nothing on, there is nothing`() async throws {
        let made = try await vault()
        let model = SystemSettingsObject(made.vault, offer: nil)
        await until { !model.loading }
        shows(Window(SystemAuthenticationScreen(model)), "")
    }

    @Test func `what stands against it is said, and the button is off`() async throws {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        let window = Window(SystemAuthenticationScreen(model))
        let expected = "This needs a confirmed recovery key first.\n[Make a recovery key]\n[Enable] off"
        #expect(window.screen.hasSuffix(expected))
        #expect(throws: (any Error).self) { try window.tap("Enable") }
    }

    @Test(.holds("C15")) func `the recovery key that it needs is made, shown and asked for on the screen`() async throws
    {
        let made = try await TestVault.make()
        let model = await settings(of: made)
        let window = Window(SystemAuthenticationScreen(model))
        try window.tap("Make a recovery key")
        #expect(window.screen.contains("Enter your PIN"))
        try window.enter(TestVault.pin)
        await until { model.step == .recoveryKey && !model.loading }
        let key = try #require(model.withRecoveryKey { $0.exposedText })
        #expect(window.screen.contains(key))
        try window.tap("I have written it down")
        #expect(model.step == .recoveryKeyTyped && !window.screen.contains(key))
        try window.type(key, into: "Recovery key")
        try window.tap("OK")
        await until { model.obstacle == nil }
        #expect(window.screen.hasSuffix("[Enable]"))
    }

    @Test func `a password is asked for with its own words`() async throws {
        let made = try await vault(inSystemMode: true)
        let model = SystemSettingsObject(made.vault, offer: nil, secret: .password)
        await until { !model.loading }
        let window = Window(SystemAuthenticationScreen(model))
        try made.simulated.simulate(.finger(.passcode))
        try window.tap("Disable")
        await until { model.step == .newSecret && !model.loading }
        shows(window, "Disable system authentication\nChoose a new password\n<Password: >\n[OK] off\n[Cancel]")
        try window.type("correct horse battery", into: "Password")
        try window.tap("OK")
        await until { model.step == .repeated && !model.loading }
        #expect(window.screen.contains("Type the new password again\n<Password: >"))
        try window.tap("Cancel")
        #expect(model.step == .warning)
    }

    @Test func `leaving the screen forgets what was begun`() async throws {
        let made = try await vault()
        let model = await settings(of: made)
        let window = Window(SystemAuthenticationScreen(model))
        try window.tap("Enable")
        await until { model.step == .secret && !model.loading }
        try window.enter("4938")
        window.close()
        #expect(model.step == .warning && model.pin.count == 0)
    }

    @Test(.holds("S-06"))
    func `the lock screen has one button and no PIN, and after a cancel the warning and the reset`()
        async throws
    {
        let made = try await vault(inSystemMode: true).restarted()
        let model = await model(of: made)
        let window = Window(LockScreen(model, exits: LockExits(useRecoveryKey: {})))
        shows(window, "(lock.fill)\nLocked\n[Unlock]")
        try made.simulated.simulate(.finger(.cancel))
        try window.tap("Unlock")
        await until { model.screen == .reopen && !model.isBusy }
        shows(
            window,
            """
            (lock.fill)
            Locked
            The device did not recognise you.
            Close the app and open it again; a reset erases the wallet.
            [Use your recovery key]
            This erases every wallet on this device. Without a backup, their contents are lost.
            Type RESET to confirm.
            <Reset wallet: >
            [Reset wallet] off
            """
        )
        #expect(window.smallControls.isEmpty)
        try window.type("RESET", into: "Reset wallet")
        try window.tap("Reset wallet")
        await until { model.screen == .erased }
    }

    private func settings(of made: TestVault) async -> SystemSettingsObject {
        let model = SystemSettingsObject(made.vault, offer: SystemModeFlag(list: "*").offer(to: "anybody"))
        await until { !model.loading }
        return model
    }

    private func vault(inSystemMode: Bool = false) async throws -> TestVault {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        guard inSystemMode, let offer = SystemModeFlag(list: "*").offer(to: "anybody") else { return made }
        let consent = SystemModeConsent(to: .enabling, ownerAgreedAt: made.device.clock())
        try await made.vault.enableSystemAuthentication(offer, consent, try await made.strong())
        return made
    }
}
