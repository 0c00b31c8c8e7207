import SwiftUI
import Synchronization
import Testing
import Thumbturn
import ThumbturnAccount
import ThumbturnRules
import ThumbturnUI

@testable import ThumbturnAccountUI

@MainActor @Suite("The screens that enter an account", .timeLimit(.minutes(2)))
struct AccountEntryViewTests {
    @Test func `a new account is asked for step by step`() async throws {
        let stage = AccountStage()
        var made: [AccountVault] = []
        let model = AccountEntryModel(stage) { made.append($0) }
        let window = Window(AccountEntryScreen(model))
        shows(
            window,
            """
            Account
            One password opens a vault on each of your devices. Its service never sees it.
            [Create an account]
            [Log in]
            """
        )
        try window.tap("Create an account")
        shows(window, "Create an account\n<Name of the account: >\n[OK] off\n[Back]")
        try window.type("Ada", into: "Name of the account")
        try window.tap("OK")
        shows(
            window,
            """
            Create an account
            ada
            A password needs 8 characters or more, or 12 if all are digits.
            A few words that have nothing to do with each other are best. Nobody can reset this password: it is part of the key.
            Choose a new password
            <Password: >
            [OK] off
            [Back]
            """
        )
        try window.type(AccountStage.password, into: "Password")
        try window.tap("OK")
        await until { model.step == .repeated }
        shows(window, "Create an account\nType the new password again\n<Password: >\n[OK] off\n[Back]")
        stage.isHeld.withLock { $0 = true }
        try window.type(AccountStage.password, into: "Password")
        try window.tap("OK")
        await until { model.isBusy }
        shows(window, "Create an account\n(busy)\nAsking the account's service…")
        stage.isHeld.withLock { $0 = false }
        await until { model.step == .offer && !model.isBusy }
        shows(
            window,
            """
            Create an account
            Enable Biometric Unlock?
            Anyone enrolled on this device will be able to open the vault.
            [Enable]
            [Skip]
            """
        )
        #expect(window.smallControls.isEmpty)
        try window.tap("Enable")
        await until { made.count == 1 }
        #expect(await made.first?.vault.snapshot.biometrics == .enabled)
    }

    @Test func `a wrong password and a wait are said, and nothing can be sent meanwhile`() async throws {
        let stage = AccountStage()
        let model = AccountEntryModel(stage) { _ in }
        let window = Window(AccountEntryScreen(model), locale: "fr")
        try window.tap("Se connecter")
        try window.type("ada", into: "Nom du compte")
        try window.tap("OK")
        try window.type("not the password", into: "Mot de passe")
        try window.tap("Déverrouiller")
        await until { model.error != nil && !model.isBusy }
        shows(
            window,
            """
            Se connecter
            Impossible de vous authentifier.
            Réessayez.
            ada
            Saisissez votre mot de passe
            <Mot de passe: >
            [Déverrouiller] off
            [Retour]
            """
        )
        stage.refusal.withLock { $0 = VaultError(waiting: .seconds(30), recoveryKeyOpens: false) }
        try window.type(AccountStage.password, into: "Mot de passe")
        try window.tap("Déverrouiller")
        await until { model.wait != nil && !model.isBusy }
        #expect(window.screen.contains("Réessayez dans 30 s\n"))
        #expect(throws: (any Error).self) { try window.type(AccountStage.password, into: "Mot de passe") }
    }

    @Test(.holds("A37")) func `a password that was typed goes in the background, and with the screen`() async throws {
        let model = AccountEntryModel(AccountStage()) { _ in }
        let window = Window(AccountEntryScreen(model))
        try window.tap("Create an account")
        try window.type("ada", into: "Name of the account")
        try window.tap("OK")
        try window.type(AccountStage.password, into: "Password")
        #expect(window.screen.contains("<Password: ••") && !window.spoken.joined().contains(AccountStage.password))
        window.phase = .background
        #expect(!window.screen.contains("•"))
        window.phase = .active
        try window.type(AccountStage.password, into: "Password")
        try window.tap("OK")
        await until { model.step == .repeated }
        window.phase = .background
        window.phase = .active
        #expect(model.step == .password)
        window.close()
        #expect(model.step == .password)
    }

    @Test func `a screen that disappears in mid-call ends the call`() async throws {
        let stage = AccountStage()
        stage.isHeld.withLock { $0 = true }
        let model = AccountEntryModel(stage) { _ in Issue.record("nothing was made") }
        let window = Window(AccountEntryScreen(model))
        try window.tap("Log in")
        try window.type("ada", into: "Name of the account")
        try window.tap("OK")
        try window.type(AccountStage.password, into: "Password")
        try window.tap("Unlock")
        await until { model.isBusy }
        window.close()
        // The gate stays shut: only the cancelled task ends the call.
        await until { !model.isBusy }
        #expect(model.error == nil && model.step == .password)
    }

    @Test(arguments: ["en", "fr"]) func `each step is whole in both languages`(locale: String) {
        for step in AccountEntryFields.Step.allCases {
            for way in AccountEntryFields.Way.allCases {
                let snapshot = VaultSnapshot(
                    state: .unlocked(.full),
                    capability: BiometricCapability(biometryType: .faceID, assurance: .hardwareBound),
                    policy: .pd107
                )
                let model = AccountEntryModel(showing: .init(step: step, way: way, name: "ada"), of: snapshot)
                isWhole(Window(AccountEntryScreen(model), locale: locale))
            }
        }
    }
}

@MainActor @Suite("An account's screens together", .timeLimit(.minutes(2)))
struct AccountScreensViewTests {
    @Test(.holds("P-107-03", "A37")) func `from nothing to the content, which a lock takes away`() async throws {
        let stage = AccountStage()
        let model = AccountScreensModel { stage }
        let window = Window(AccountScreens(model) { _ in Text(verbatim: "what only the owner sees") })
        shows(window, "(busy)")
        await until { model.screen == .entry }
        try window.tap("Log in")
        try window.type("ada", into: "Name of the account")
        try window.tap("OK")
        try window.type(AccountStage.password, into: "Password")
        try window.tap("Unlock")
        await until { model.entry?.step == .offer && model.entry?.isBusy == false }
        try window.tap("Skip")
        await until { model.screen == .vault }
        _ = window.screen
        await until { model.lock?.screen == .content && model.lock?.isCovered == false }
        shows(window, "what only the owner sees")
        await model.account?.vault.lock()
        await until { model.lock?.screen == .secret }
        #expect(window.screen.contains("Enter your password\n<Password: >") && !window.screen.contains("owner"))
    }

    @Test func `what failed is said, and can be tried again`() async throws {
        let stage = AccountStage()
        let isBroken = Flag()
        let model = AccountScreensModel {
            guard await !isBroken.value else { throw VaultError(.storageUnavailable) }
            return stage
        }
        let window = Window(AccountScreens(model) { _ in Text(verbatim: "content") })
        await until { model.screen == .failed && !model.isCalling }
        #expect(window.screen.hasPrefix("The vault's storage is not available."))
        isBroken.value = false
        try window.tap("Try again")
        await until { model.screen == .entry }
    }

    @MainActor private final class Flag: Sendable {
        var value = true
    }

    @Test(arguments: ["en", "fr"]) func `each screen is whole in both languages`(locale: String) {
        for screen in AccountScreensFields.Screen.allCases where screen != .failed {
            var progress = AccountScreensFields.Progress(screen: screen)
            (progress.isRemoved, progress.isElsewhere) = (true, true)
            let model = AccountScreensModel(showing: progress)
            let shown = AccountScreens(model) { _ in Text(verbatim: "content") }
            isWhole(Window(shown, locale: locale))
        }
    }
}
