import SwiftUI
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

extension Window {
    /// Where a secret is on the screen, or is said or kept as an accessibility value: in none of them, once it is gone.
    func traces(of secret: String) -> [String] {
        (screen.split(separator: "\n").map(String.init) + spoken + accessibilityValues).filter { $0.contains(secret) }
    }
}

@MainActor @Suite("The screens behind the settings", .timeLimit(.minutes(2)))
struct SettingsScreensViewTests {
    private static let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    @Test(.holds("K-05", "P-107-04"), arguments: ["en", "fr"])
    func `words are shown once behind the PIN, and typed back`(locale: String) async throws {
        let language = Language(locale: locale)
        let made = try await TestVault.make()
        let model = try await words(of: made)
        let window = Window(WordsScreen(model), locale: locale)
        #expect(window.screen.contains(Words.wordsFirst.in(language)) && window.traces(of: "sausage").isEmpty)
        try window.enter(TestVault.pin)
        await until { model.step == .words && !model.loading }
        let rows = Self.words.split(separator: " ").enumerated().map { "\($0 + 1). \($1)" }
        #expect(
            window.screen.contains(rows.joined(separator: "\n"))
                && window.privateTexts.contains { $0.contains("sausage") }
        )
        #expect(window.spoken.contains("6., sausage"), "who can't see them has to hear them")
        #expect(!window.accessibilityValues.contains { $0.contains("sausage") })
        #expect(
            !window.drawnFirst(in: .inactive).contains("sausage")
                || window.drawnFirst(in: .inactive).contains("lock.fill")
        )
        #expect(window.smallControls == [] && window.unlabelled == [])
        try window.tap(Words.wordsWritten.in(language))
        for word in Set(Self.words.split(separator: " ")) { #expect(window.traces(of: String(word)).isEmpty) }
        #expect(window.screen.contains(Words.wordsLeft.in(language, "3")))
        try answer("zoo", model, window, language)
        await until { model.wrongPlace != nil }
        let place = try #require(model.place)
        #expect(window.screen.contains(Words.wordWrong.in(language, "\(place)")))
        while let place = model.place {
            try answer(String(Self.words.split(separator: " ")[place - 1]), model, window, language)
            await until { model.place != place }
        }
        #expect(window.screen.contains(Words.wordsDone.in(language)) && !window.screen.contains("⟨"))
    }

    @Test(.holds("P-107-04")) func `what is typed from paper is no accessibility value`() async throws {
        let made = try await TestVault.make()
        let model = try await words(of: made)
        let window = Window(WordsScreen(model))
        try window.enter(TestVault.pin)
        await until { model.step == .words && !model.loading }
        try window.tap("I have written them down")
        try window.type("sausage", into: "Word")
        #expect(window.accessibilityValues == ["Filled in"] && window.screen.contains("<Word: sausage>"))
        #expect(window.privateTexts == ["<Word: sausage>"])
        window.phase = .inactive
        window.phase = .active
        #expect(window.traces(of: "sausage").isEmpty)
    }

    @Test(.holds("P-107-04")) func `no word is on a screen that is recorded`() async throws {
        let made = try await TestVault.make()
        let model = try await words(of: made)
        let window = Window(WordsScreen(model))
        try window.enter(TestVault.pin)
        await until { model.step == .words && !model.loading }
        model.isCaptured = true
        #expect(window.traces(of: "sausage").isEmpty && window.screen.contains("is being recorded"))
        model.isCaptured = false
        #expect(!window.traces(of: "sausage").isEmpty)
    }

    @Test(.holds("A37", "P-107-04")) func `a screen that is left keeps nothing`() async throws {
        let made = try await TestVault.make()
        let model = try await words(of: made)
        let window = Window(WordsScreen(model))
        try window.enter(TestVault.pin)
        await until { model.step == .words && !model.loading }
        window.close()
        #expect(model.step == .secret && model.wordCount == 0)
    }

    @Test(.holds("K-10", "P-107-04")) func `a recovery key is explained, shown, and typed back`() async throws {
        let made = try await TestVault.make()
        let model = RecoveryKeyModel(made.vault)
        await until { !model.loading }
        let window = Window(RecoveryKeyScreen(model))
        #expect(window.screen.hasSuffix("[Make a recovery key]"))
        try window.tap("Make a recovery key")
        try window.enter(TestVault.pin)
        await until { model.step == .key && !model.loading }
        let key = try #require(model.withRecoveryKey { $0.exposedText })
        #expect(window.privateTexts == [key] && !window.accessibilityValues.contains(key))
        try window.tap("I have written it down")
        #expect(window.traces(of: key).isEmpty)
        try window.type(key, into: "Recovery key")
        #expect(!window.accessibilityValues.contains(key))
        try window.tap("OK")
        await until { model.step == .done && !model.loading }
        #expect(window.traces(of: key).isEmpty && window.screen.hasSuffix("[Done]"))
    }

    @Test func `a backup says where it went, and a reminder leads to it`() async throws {
        let made = try await TestVault.make()
        try await made.add("Savings")
        _ = try await made.makeRecoveryKey()
        let path = made.folder.file("wallets.backup")
        let model = BackupModel(made.vault, to: { path })
        await until { !model.loading && model.advice != nil }
        var opened: [BackupAdvice] = []
        let reminder = Window(BackupReminder(model) { opened.append($0) }, locale: "fr")
        shows(
            reminder,
            """
            Vos portefeuilles ont changé depuis la dernière sauvegarde, ou il n'y en a pas.
            [Faire une sauvegarde]
            [Plus tard]
            """
        )
        try reminder.tap("Faire une sauvegarde")
        #expect(opened == [.backup])
        model.isPaying = true
        shows(reminder, "")
        model.isPaying = false
        var shared: [String] = []
        let window = Window(BackupScreen(model, share: { shared.append($0) }))
        try window.tap("Make a backup")
        try window.enter(TestVault.pin)
        await until { model.step == .made && !model.loading }
        shows(window, "Backup\nThe backup was written.\nFile: wallets.backup\n[Share]\n[Done]")
        try window.tap("Share")
        #expect(shared == [path] && reminder.screen == "")
    }

    @Test func `a backup needs a recovery key, and says so`() async throws {
        let made = try await TestVault.make()
        let model = BackupModel(made.vault, to: { "/nowhere" })
        await until { !model.loading }
        #expect(Window(BackupScreen(model)).screen.hasSuffix("[Make a backup] off"))
    }

    @Test(.holds("C5")) func `a PIN is changed with the present one and twice the new one`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let model = PINChangeModel(made.vault)
        await until { !model.loading }
        let window = Window(PINChangeScreen(model), locale: "fr")
        shows(window, "Changer de code\nSaisissez votre code\n" + pad("○○○○○○") + "\n[Annuler]")
        try window.enter(TestVault.pin)
        await until { model.step == .new && !model.loading }
        try window.enter("123456")
        await until { model.error != nil }
        #expect(window.screen.contains(ErrorCode.secretTooCommon.message(in: .french)))
        try window.enter("718293")
        await until { model.step == .repeated }
        try window.enter("718293")
        await until { model.step == .done && !model.loading }
        shows(
            window,
            """
            Changer de code
            Le nouveau code est en vigueur.
            Le déverrouillage biométrique reste actif.
            [Terminé]
            """
        )
    }

    @Test(.holds("F-107-10"), arguments: ["en", "fr"]) func `the trail is a list, the newest first`(locale: String)
        async throws
    {
        let made = try await TestVault.make()
        try await made.strong()
        let model = TrailModel(made.vault)
        await until { !model.loading }
        let window = Window(TrailScreen(model), locale: locale)
        await until { !model.events.isEmpty }
        let lines = window.screen.split(separator: "\n").map(String.init)
        let language = Language(locale: locale)
        let opened = AuditEventKind.passwordFallback.texts(reason: nil).what.headed.in(language)
        let begun = AuditEventKind.trailBegun.texts(reason: nil).what.headed.in(language)
        let first = try #require(lines.firstIndex(of: opened))
        let last = try #require(lines.lastIndex(of: begun))
        #expect(first == 1 && first < last && !window.screen.contains("⟨"))
        #expect(lines[last + 1] == TrailReason.created.text.in(language))
    }

    @Test(.holds("C15")) func `system authentication offers the sensor where the policy allows it`() async throws {
        var policy = TestVault.policy
        policy.allowsSystemModeFromBiometrics = true
        let made = try await TestVault.make(policy: policy, biometrics: true)
        _ = try await made.makeRecoveryKey()
        let model = SystemSettingsObject(made.vault, offer: SystemModeFlag(list: "*").offer(to: "anybody"))
        await until { !model.loading }
        let window = Window(SystemAuthenticationScreen(model))
        try window.tap("Enable")
        await until { model.step == .secret && !model.loading }
        #expect(window.screen.hasSuffix("[Unlock with Touch ID]\n[Cancel]"))
        try made.simulated.simulate(.finger(.match))
        try window.tap("Unlock with Touch ID")
        await until { model.isOn && !model.loading }
    }

    @Test func `a secret in a label or a value is found`() {
        let label = Window(Text("x").accessibilityLabel(Text(verbatim: "winner")))
        let value = Window(Text("x").accessibilityValue(Text(verbatim: "winner")))
        #expect(!label.traces(of: "winner").isEmpty && !value.traces(of: "winner").isEmpty)
        #expect(value.accessibilityValues == ["winner"])
    }

    private func answer(
        _ word: String,
        _ model: WordsModel,
        _ window: Window<WordsScreen>,
        _ language: Language
    ) throws {
        try window.type(word, into: Words.word.in(language))
        try window.tap(Words.send.in(language))
    }

    private func words(of made: TestVault) async throws -> WordsModel {
        let secret = WalletSecret.mnemonic(SecretBytes(text: Self.words))
        let wallet = try await made.vault.addWallet(named: WalletName("Savings"), secret)
        let model = WordsModel(made.vault, wallet: wallet.id)
        await until { !model.loading }
        return model
    }
}
