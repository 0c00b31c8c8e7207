import SwiftUI
import Testing
import Thumbturn
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@MainActor @Suite("The lock screen", .timeLimit(.minutes(2)))
struct LockScreenTests {
    @Test(.holds("B-03")) func `without biometrics it asks for the PIN, which opens`() async throws {
        let made = try await TestVault.make().restarted()
        let model = await model(of: made)
        let window = Window(LockScreen(model))
        shows(window, "(lock.fill)\nLocked\nEnter your PIN\n" + pad("○○○○○○"))
        try window.enter(TestVault.pin)
        #expect(model.pin.count == 0)
        await until { model.screen == .content }
    }

    @Test func `it speaks French`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        let model = await model(of: made)
        let window = Window(LockScreen(model), locale: "fr_FR")
        shows(
            window,
            "(lock.fill)\nVerrouillé\nSaisissez votre code\n" + pad("○○○○○○") + "\n[Déverrouiller avec Touch ID]"
        )
        #expect(window.spoken.first == "Verrouillé, heading", "the picture says nothing")
    }

    @Test(.holds("A7", "ERR-107-050")) func `an older copy is told, and its word makes it the vault`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        let copy = try made.folder.read("vault/vault.sqlite")
        let changed = try await made.reopened()
        try? await changed.guess()
        await changed.vault.close()
        try made.folder.write(copy, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        try made.advance(.hours(24))
        let model = await model(of: again)
        let window = Window(LockScreen(model))
        await until { model.screen == .secret }
        try window.enter(TestVault.pin)
        await until { model.screen == .olderCopy(.question) && !model.isBusy }
        #expect(window.screen.contains("you can only export") && window.screen.contains("[Only export]"))
        try window.type("OLDER", into: "Use this copy")
        try window.tap("Use this copy")
        await until { model.scope == .full }
    }

    @Test(.holds("A33")) func `a cancel is said in words, and the finger stays one tap away`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        let model = await model(of: made)
        let window = Window(LockScreen(model))
        try made.simulated.simulate(.finger(.cancel))
        try window.tap("Unlock with Touch ID")
        await until { model.error != nil && !model.isBusy && model.reason == .cancelled }
        shows(
            window,
            """
            (lock.fill)
            Locked
            Authentication was cancelled.
            Unlock with your PIN or password.
            Enter your PIN
            """ + "\n" + pad("○○○○○○") + "\n[Unlock with Touch ID]"
        )
        #expect(window.spoken[1] == "Authentication was cancelled., Unlock with your PIN or password.")
        try made.simulated.simulate(.finger(.match))
        try window.tap("Unlock with Touch ID")
        await until { model.screen == .content }
    }

    @Test func `while the system's prompt is up it is quiet`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        let model = await model(of: made)
        let window = Window(LockScreen(model))
        try made.simulated.simulate(.finger(.wait))
        try window.tap("Unlock with Touch ID")
        await until { model.screen == .prompt }
        shows(window, "(lock.fill)\nLocked\n(busy)")
        await model.lock()
        await until { model.screen == .secret && !model.isBusy }
    }

    @Test func `a wrong PIN is said, and can be tried again`() async throws {
        let made = try await TestVault.make().restarted()
        let model = await model(of: made)
        let window = Window(LockScreen(model), locale: "fr")
        try window.enter("730000")
        await until { model.error != nil && !model.isBusy }
        shows(
            window,
            """
            (lock.fill)
            Verrouillé
            Impossible de vous authentifier.
            Réessayez.
            Saisissez votre code
            """ + "\n" + pad("○○○○○○")
        )
    }

    @Test func `a delay takes the pad away, and shows the recovery key where the app can take one`() async throws {
        let made = try await TestVault.make().restarted()
        for guess in 0..<5 {
            try? await made.guess(guess)
            try made.advance(.seconds(30))
        }
        _ = try await made.look()
        let model = await model(of: made)
        var asked = 0
        let without = Window(LockScreen(model))
        let english = "Leave the device on, or check again before you switch it off; then try again."
        shows(without, "(lock.fill)\nLocked\nTry again in 30 s\n\(english)")
        let with = Window(LockScreen(model, exits: LockExits(useRecoveryKey: { asked += 1 })), locale: "fr")
        let french = "Laissez l'appareil allumé, ou revenez voir avant de l'éteindre ; puis réessayez."
        shows(with, "(lock.fill)\nVerrouillé\nRéessayez dans 30 s\n\(french)\n[Utiliser votre clé de secours]")
        try with.tap("Utiliser votre clé de secours")
        #expect(asked == 1 && with.smallControls.isEmpty)
    }

    @Test func `a preview shows what an app says, and no key of it opens anything`() async throws {
        let waiting = AppUnlockObject(showing: VaultSnapshot(failedAttempts: 5, nextAttempt: .wait(.seconds(30))))
        let hint = "Leave the device on, or check again before you switch it off; then try again."
        shows(Window(LockScreen(waiting)), "(lock.fill)\nLocked\nTry again in 30 s\n\(hint)")
        let asking = AppUnlockObject(showing: VaultSnapshot(), secret: .pin(length: 6))
        let window = Window(LockScreen(asking))
        shows(window, "(lock.fill)\nLocked\nEnter your PIN\n" + pad("○○○○○○"))
        try window.enter(TestVault.pin)
        await until { asking.pin.count == 0 && !asking.isBusy }
        shows(window, "(lock.fill)\nLocked\nEnter your PIN\n" + pad("○○○○○○"))
    }

    @Test(.holds("A26")) func `without the device's key it names the cause and the way out`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        try made.simulated.simulate(.restoreElsewhere)
        let model = await model(of: try await made.reopened())
        let window = Window(LockScreen(model, exits: LockExits(useRecoveryKey: {})))
        shows(
            window,
            "(lock.fill)\nLocked\nThis device does not have its part of the key.\n[Use your recovery key]"
        )
    }

    @Test func `a password is typed into the system's field, which is emptied when sent`() async throws {
        let made = try await TestVault.make().restarted()
        let model = await model(of: made, secret: .password)
        let window = Window(LockScreen(model))
        shows(window, "(lock.fill)\nLocked\nEnter your password\n<Password: >\n[Unlock] off")
        try window.type("wrong one", into: "Password")
        shows(window, "(lock.fill)\nLocked\nEnter your password\n<Password: •••••••••>\n[Unlock]")
        #expect(!window.spoken.joined().contains("wrong"))
        #expect(window.smallControls.isEmpty)
        try window.tap("Unlock")
        #expect(window.screen.contains("<Password: >"))
        await until { model.error != nil && !model.isBusy }
        try window.type(TestVault.pin, into: "Password")
        try window.tap("Password")
        await until { model.screen == .content }
    }

    @Test(.holds("P-107-04"), arguments: [ScenePhase.inactive, .background])
    func `a password that was typed goes when the window is left`(phase: ScenePhase) async throws {
        let made = try await TestVault.make().restarted()
        let window = Window(LockScreen(await model(of: made, secret: .password)))
        try window.type("half of it", into: "Password")
        window.phase = phase
        window.phase = .active
        #expect(window.screen.contains("<Password: >"))
    }

    @Test(.holds("INV-107-07")) func `after a revocation it says so, and offers biometrics again behind the PIN`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true).restarted()
        try made.simulated.simulate(.enroll)
        let model = await model(of: made)
        _ = try await made.look()
        await until { model.state == .revoked }
        let window = Window(LockScreen(model))
        shows(
            window,
            """
            (lock.fill)
            Locked
            Your biometric data have changed. Enable biometrics again.
            Unlock with your PIN or password, then enable biometrics again.
            Enter your PIN
            """ + "\n" + pad("○○○○○○")
        )
        try window.enter(TestVault.pin)
        await until { model.screen == .offer && !model.isBusy }
        shows(
            window,
            """
            (lock.fill)
            Locked
            Enable Biometric Unlock again?
            Anyone enrolled on this device will be able to open the vault.
            [Enable]
            [Skip]
            """
        )
        #expect(window.smallControls.isEmpty)
        try window.tap("Enable")
        await until { model.screen == .content && !model.isBusy }
        #expect(await made.vault.snapshot.biometrics == .enabled)
    }

    @Test(.holds("K-08")) func `where no finger answers the PIN, it says what will be new, and has a way on and back`()
        async throws
    {
        let app = try await FormerApp(biometric: FormerApp.words)
        let half = try await app.half()
        let model = await model(of: half)
        let window = Window(LockScreen(model))
        try window.enter(FormerApp.pin)
        await until { model.screen == .completion(.withoutBiometrics) && !model.isBusy }
        #expect(
            window.screen.hasSuffix(
                """
                Finish moving your wallet
                [Try again]
                Without your finger or face the vault gets a new key, and Biometric Unlock is off until you enable it again.
                [Continue without it]
                [Cancel]
                """
            ),
            "\(window.screen)"
        )
        #expect(window.smallControls.isEmpty)
        try window.tap("Cancel")
        await until { model.screen == .secret }
        try window.enter(FormerApp.pin)
        await until { model.screen == .completion(.withoutBiometrics) && !model.isBusy }
        try window.tap("Continue without it")
        await until { model.screen == .offer && !model.isBusy }
        #expect(await half.vault.snapshot.migration == .full)
    }

    @Test(.holds("K-08")) func `a former PIN that is refused is asked for a better one, twice`() async throws {
        let app = try await FormerApp(sealed: .weak, biometric: FormerApp.words)
        let half = try await app.half()
        let model = await model(of: half)
        let window = Window(LockScreen(model))
        try window.enter(FormerApp.weakPIN)
        await until { model.screen == .completion(.newSecret) && !model.isBusy }
        #expect(window.screen.contains("Choose a new PIN"))
        try app.simulated.simulate(.finger(.match))
        try window.enter(TestVault.pin)
        await until { window.screen.contains("Type the new PIN again") }
        try window.enter(TestVault.pin)
        await until { model.screen == .content && !model.isBusy }
        #expect(await half.vault.snapshot.biometrics == .enabled)
    }

    @Test(.holds("A61")) func `a reset that was begun is completed behind its word`() async throws {
        let made = try await TestVault.make()
        let model = await model(of: made)
        try made.simulated.simulate(.fault(.deleteFails))
        await model.reset(typed: ResetConfirmation.phrase)
        await until { model.screen == .reset }
        model.resetError()
        var renewed = 0
        let window = Window(LockScreen(model, exits: LockExits(newWallet: { renewed += 1 })))
        shows(
            window,
            """
            (lock.fill)
            Locked
            This erases every wallet on this device. Without a backup, their contents are lost.
            Type RESET to confirm.
            <Reset wallet: >
            [Reset wallet] off
            """
        )
        try window.type("reset", into: "Reset wallet")
        #expect(throws: (any Error).self) { try window.tap("Reset wallet") }
        try window.type("RESET", into: "Reset wallet")
        #expect(window.smallControls.isEmpty)
        try window.tap("Reset wallet")
        await until { model.screen == .erased }
        shows(window, "(lock.fill)\nLocked\nEverything was erased.\n[Create a new wallet]")
        try window.tap("Create a new wallet")
        #expect(renewed == 1)
    }
}
