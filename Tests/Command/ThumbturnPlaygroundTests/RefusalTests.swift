import Foundation
import Testing
import ThumbturnAccountUI
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

@testable import ThumbturnPlayground

/// Nothing in the page decides: whatever it posts, the models do.
@Suite struct RefusalTests {
    private static func actions(on wallet: Identifier = none) -> [PhoneAction] {
        let unlock: [UnlockAction] = [
            .unlockWithBiometric, .unlockWithSystem, .submitSecret, .answerOffer(consent: true),
            .answerOffer(consent: false), .chooseSecret, .keepBoth(wallet: "other"), .askBiometricsAgain,
            .goOnWithoutBiometrics, .stopMoving, .acceptOlderCopy(typed: ""), .onlyExport, .askAboutOlderCopy,
            .reset(typed: "reset"), .resetError, .submitRecoveryKey, .newWallet,
        ]
        let biometrics: [BiometricsAction] = [
            .enable, .disable(withSecret: true), .disable(withSecret: false), .refresh, .resetError,
        ]
        let system: [SystemAction] = [
            .agree, .submitSecret, .enableByBiometrics, .makeRecoveryKey, .showRecoveryKey, .recoveryKeyIsWritten,
            .cancel, .refresh,
        ]
        let recoveryKey: [RecoveryKeyAction] = [
            .make, .typeBack, .submitSecret, .enterBySystem, .showKey, .keyIsWritten, .cancel,
        ]
        let recover: [RecoverAction] = [
            .submitSecret, .acceptOlderCopy(typed: ""), .onlyExport, .askToErase, .useRecoveryKey,
            .erase(typed: "erase"), .goOn, .cancel,
        ]
        let words: [WordsAction] = [
            .show(wallet: wallet), .submitSecret, .enterBySystem, .showWords, .wordsWritten, .answer, .cancel,
        ]
        let wallets: [WalletsAction] = [
            .export(wallet: wallet, withSecret: true), .export(wallet: wallet, withSecret: false),
            .rename(wallet: wallet, to: "other"), .delete(wallet: wallet, withSecret: true),
            .delete(wallet: wallet, withSecret: false),
        ]
        let backup: [BackupAction] = [.start, .submitSecret, .enterBySystem, .later, .cancel]
        var all: [ScreenAction] = unlock.map { .unlock($0) }
        all += biometrics.map { .biometrics($0) }
        all += system.map { .system($0) }
        all += [.pin(.submitSecret), .pin(.cancel)]
        all += recoveryKey.map { .recoveryKey($0) }
        all += [.app(.start), .app(.recover)]
        all += recover.map { .recover($0) }
        all += [.app(.endRecovery)]
        all += words.map { .words($0) }
        all += wallets.map { .wallets($0) }
        all += backup.map { .backup($0) }
        all += [.trail(.read), .trail(.earlier)]
        let own = AppAction.samples.filter { ![.appBecame(.background), .language(.french)].contains($0) }
        let account: [AccountScreenAction] = [
            .account(.start), .account(.startAgain), .account(.stay), .account(.askAboutMove), .entry(.choose(.logIn)),
            .entry(.enterName(account: "ada")), .entry(.submitSecret), .entry(.answerOffer(consent: true)),
            .entry(.back), .entry(.cancel), .devices(.submitSecret), .devices(.askToRevoke(device: "tablet")),
            .devices(.back),
            .devices(.cancel), .password(.submitSecret), .password(.startAgain), .password(.cancel), .move(.agree),
            .move(.submitSecret), .move(.back), .move(.cancel), .delivery(.refresh), .delivery(.send),
        ]
        return all.map { .screen($0) } + account.map { .account($0) } + own.map { .app($0) }
    }

    /// What an open session may add without the PIN, and nobody behind the lock.
    private static let additions: [PhoneAction] = [
        .screen(.wallets(.create(wallet: "savings"))), .screen(.wallets(.import(wallet: "other"))),
    ]

    /// The questions that a vault is made of.
    private static let questions: [PhoneAction] = [
        .screen(.onboarding(.submitSecret)), .screen(.onboarding(.answer(consent: true))), .screen(.onboarding(.goOn)),
    ]

    /// No wallet has it.
    private static let none = Identifier(high: 7, low: 7)

    /// Imports a wallet, which every action is then about.
    private func importWallet(to played: Played) throws -> Identifier {
        let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        try played.act(#"{"screen":"wallets","name":"import","secret":"taken","wallet":"savings"}"#, words)
        let state = try played.until("no wallet came") { $0.at("host.screens.wallets.list")?.elements.count == 1 }
        let text = state.at("host.screens.wallets.list")?.elements.first?["id"]?.text
        return try #require(text.flatMap { Identifier(text: $0) })
    }

    /// Posts every action with a wrong PIN, and looks at the state after each.
    private func postAll(
        _ actions: [PhoneAction],
        to played: Played,
        _ look: (JSON, PhoneAction) -> Void
    ) throws {
        for action in actions {
            let answered = try played.act(action.json.wireText, action.takesSecret ? Played.wrongPIN : "")
            #expect(answered.status == 200, "\(action): \(answered.text)")
            #expect(answered.json?.at("answer.secret") == nil, "\(action)")
            if answered.json?.at("answer.isWaiting")?.isTrue == true {
                try played.world("finger cancel")
                _ = try played.until("world.prompt", is: nil)
            }
            look(try played.state(), action)
        }
    }

    @Test func `behind the lock nothing that is posted opens, shows or erases anything`() throws {
        let played = try Played()
        try played.makeVault()
        let all = Self.actions(on: try importWallet(to: played)) + Self.additions + Self.questions
        _ = try played.lock()
        try postAll(all, to: played) { state, action in
            #expect(state.at("host.screens.app.screen")?.text == "vault", "\(action)")
            #expect(state.at("host.screens.unlock.scope")?.isNull == true, "\(action)")
            #expect(state.at("host.screens.wallets.list")?.elements.isEmpty == true, "\(action)")
            #expect(state.at("host.screens.biometrics.enabled")?.isTrue == false, "\(action)")
        }
        // By now the next try has to wait: that is another screen, and the right PIN is refused too.
        for _ in 0..<4 where try played.state().at("host.screens.unlock.screen.name")?.text != "wait" {
            try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.wrongPIN)
        }
        _ = try played.until("host.screens.unlock.screen.name", is: "wait")
        try postAll(all, to: played) { state, action in
            #expect(state.at("host.screens.unlock.scope")?.isNull == true, "\(action)")
        }
        try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.pin)
        #expect(try played.state().at("host.screens.unlock.scope")?.isNull == true)
        try played.world("advance 4h")
        try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.pin)
        _ = try played.until("host.screens.unlock.scope", is: "full")
        _ = try played.until("the wallet is gone") { $0.at("host.screens.wallets.list")?.elements.count == 1 }
    }

    @Test func `in a session nothing that the PIN guards happens without it`() throws {
        let played = try Played()
        try played.makeVault()
        let kinds = ["localSecret"]
        let all = Self.actions(on: try importWallet(to: played)) + Self.questions
        try postAll(all, to: played) { state, action in
            #expect(state.at("host.screens.wallets.list")?.elements.count == 1, "\(action)")
            let slots = state.at("inside.slots")?.elements.compactMap { $0["kind"]?.text }
            #expect(slots == kinds, "\(action)")
            #expect(state.at("host.screens.system.isOn")?.isTrue == false, "\(action)")
        }
    }

    @Test func `behind the lock of an account's vault nothing that is posted opens or changes anything`() throws {
        let played = try Played()
        try played.makeAccount()
        let all = Self.actions(on: try importWallet(to: played)) + Self.additions + Self.questions
        _ = try played.lock()
        try postAll(all, to: played) { state, action in
            #expect(state.at("host.screens.account.screen")?.text == "vault", "\(action)")
            #expect(state.at("host.screens.unlock.scope")?.isNull == true, "\(action)")
            #expect(state.at("host.screens.wallets.list")?.elements.isEmpty == true, "\(action)")
            #expect(state.at("host.screens.biometrics.enabled")?.isTrue == false, "\(action)")
        }
    }

    @Test func `before there is a vault nothing makes one but the way through its questions`() throws {
        let played = try Played()
        _ = try played.until("host.screens.onboarding.step", is: "secret")
        for action in Self.actions() + Self.additions {
            try played.act(action.json.wireText, action.takesSecret ? Played.wrongPIN : "")
            let state = try played.state()
            #expect(state.at("host.screens.app.screen")?.text == "onboarding", "\(action)")
            #expect(state.at("host.screens.onboarding.step")?.text == "secret", "\(action)")
        }
    }
}
