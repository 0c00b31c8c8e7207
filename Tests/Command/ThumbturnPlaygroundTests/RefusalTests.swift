import Foundation
import Testing
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

@testable import ThumbturnPlayground

/// Nothing in the page decides: whatever it posts, the models do.
@Suite struct RefusalTests {
    private static let actions: [PhoneAction] =
        [
            UnlockAction.unlockWithBiometric, .unlockWithSystem, .submitSecret, .answerOffer(consent: true),
            .answerOffer(consent: false), .chooseSecret, .keepBoth(wallet: "other"), .askBiometricsAgain,
            .goOnWithoutBiometrics, .stopMoving, .acceptOlderCopy(typed: ""), .onlyExport, .askAboutOlderCopy,
            .reset(typed: "reset"), .resetError, .submitRecoveryKey, .newWallet,
        ].map { .screen(.unlock($0)) }
        + [BiometricsAction.enable, .disable(withSecret: true), .disable(withSecret: false), .refresh, .resetError]
        .map { .screen(.biometrics($0)) }
        + [
            SystemAction.agree, .submitSecret, .makeRecoveryKey, .showRecoveryKey, .recoveryKeyIsWritten, .cancel,
            .refresh,
        ].map { .screen(.system($0)) }
        + [PINChangeAction.submitSecret, .cancel].map { .screen(.pin($0)) }
        + [
            RecoveryKeyAction.make, .typeBack, .submitSecret, .enterBySystem, .showKey, .keyIsWritten, .cancel,
        ].map { .screen(.recoveryKey($0)) }
        + AppAction.samples.filter { ![.appBecame(.background), .language(.french)].contains($0) }.map { .app($0) }

    /// Posts every action with a wrong PIN, and looks at the state after each.
    private func postAll(
        to played: Played,
        _ look: (JSON, PhoneAction) -> Void
    ) throws {
        for action in Self.actions {
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
        _ = try played.lock()
        try postAll(to: played) { state, action in
            #expect(state.at("app.stage")?.text == "vault", "\(action)")
            #expect(state.at("screens.unlock.scope")?.isNull == true, "\(action)")
            #expect(state.at("screens.wallets.list")?.elements.isEmpty == true, "\(action)")
            #expect(state.at("screens.biometrics.enabled")?.isTrue == false, "\(action)")
        }
        // By now the next try has to wait: that is another screen, and the right PIN is refused too.
        for _ in 0..<4 where try played.state().at("screens.unlock.screen.name")?.text != "wait" {
            try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.wrongPIN)
        }
        _ = try played.until("screens.unlock.screen.name", is: "wait")
        try postAll(to: played) { state, action in
            #expect(state.at("screens.unlock.scope")?.isNull == true, "\(action)")
        }
        try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.pin)
        #expect(try played.state().at("screens.unlock.scope")?.isNull == true)
        try played.world("advance 4h")
        try played.act(#"{"screen":"unlock","name":"submitSecret","secret":"taken"}"#, Played.pin)
        _ = try played.until("screens.unlock.scope", is: "full")
    }

    @Test func `in a session nothing that the PIN guards happens without it`() throws {
        let played = try Played()
        try played.makeVault()
        let kinds = ["localSecret"]
        try postAll(to: played) { state, action in
            let slots = state.at("inside.slots")?.elements.compactMap { $0["kind"]?.text }
            #expect(slots == kinds, "\(action)")
            #expect(state.at("screens.system.isOn")?.isTrue == false, "\(action)")
        }
    }

    @Test func `before there is a vault nothing makes one but the way through its questions`() throws {
        let played = try Played()
        _ = try played.until("screens.onboarding.step", is: "start")
        for action in Self.actions where action != .app(.create) && action != .app(.importWords) {
            try played.act(action.json.wireText, action.takesSecret ? Played.wrongPIN : "")
            let state = try played.state()
            #expect(state.at("app.stage")?.text == "onboarding", "\(action)")
            #expect(state.at("screens.onboarding.step")?.text == "start", "\(action)")
        }
    }
}
