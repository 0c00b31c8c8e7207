import Foundation
import Testing
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@testable import ThumbturnHost

/// A walk through every screen and the states of the unlock: the value always says what the models show.
@MainActor @Suite("One truth", .waitsEnd)
struct OneTruthTests {
    @Test(.holds("P-107-03", "C8")) func `in each state the value's screens are the models' own fields`() async throws {
        for language in Language.allCases {
            let walk = Walk(try HostRoom(language))
            try await walk.goThroughAll()
            #expect(walk.screens.isSuperset(of: ["content", "secret", "wait", "offer", "system", "erased", "reopen"]))
            #expect(walk.states == ["LOCKED", "PROMPTING_BIOMETRIC", "UNLOCKED", "REVOKED", "REQUIRE_PASSWORD"])
        }
    }
}

@MainActor private final class Walk {
    private let room: HostRoom
    private(set) var screens: Set<String> = []
    private(set) var states: Set<String> = []

    init(_ room: HostRoom) { self.room = room }

    /// Compares, and notes where it is.
    private func look(_ what: String) {
        let (host, app) = (room.host, room.app)
        let language = host.language
        let models = app.models
        let own: [(String, JSON?)] = [
            ("app", app.model.fields.json(in: language)),
            ("onboarding", app.model.onboarding?.fields.json(in: language, asking: app.secret)),
            ("recover", app.model.recovery?.fields.json(in: language, asking: app.secret)),
            ("unlock", app.model.lock?.fields.json(in: language)),
            ("biometrics", models?.biometrics.fields.json(in: language)),
            ("system", models?.system?.fields.json(in: language)),
            ("pin", models?.pin?.fields.json(in: language)),
            ("recoveryKey", models?.recoveryKey.fields.json(in: language)),
            ("words", models?.words?.fields.json(in: language)),
            ("backup", models?.backup.fields.json(in: language)),
            ("trail", models?.trail.fields.json(in: language)),
            ("wallets", models?.wallets.fields.json(in: language)),
        ]
        for (name, json) in own {
            let told = room.at("screens." + name)?.wireText
            #expect(told == (json ?? .null).wireText, "\(name) after \(what)")
        }
        if let screen = room.text("screens.unlock.screen.name") { screens.insert(screen) }
        if let state = room.text("screens.unlock.state") { states.insert(state) }
        #expect(room.text("language") == language.code)
    }

    private func act(_ action: ScreenAction, _ secret: String? = nil, gives code: ErrorCode? = nil) async -> HostAnswer
    {
        async let answered = room.send(action, secret)
        look("the beginning of \(action.json.wireText)")
        let answer = await answered
        look(action.json.wireText)
        #expect(answer.code == code?.text, "\(action.json.wireText)")
        return answer
    }

    @discardableResult
    private func act(_ actions: [ScreenAction], _ secret: String? = nil, gives code: ErrorCode? = nil) async -> String?
    {
        var given: String?
        for action in actions {
            given = await act(action, action.takesSecret ? secret : nil, gives: code).given ?? given
        }
        return given
    }

    private func happen(_ event: SimulatedEvent) throws {
        try room.simulated.simulate(event)
        look("\(event)")
    }

    private func reach(_ path: String, _ expected: String?) async {
        await room.until { room.text(path) == expected }
        look("\(path) is \(expected ?? "nothing")")
    }

    func goThroughAll() async throws {
        look("nothing")
        await room.makeVault(biometrics: true)
        look("a vault")
        try await unlock()
        try await settings()
        try await systemMode()
        await wayBack()
    }

    /// Finger, wrong PINs and their wait, revocation and the offer after it.
    private func unlock() async throws {
        await act([.unlock(.lock)])
        await reach("screens.unlock.scope", nil)
        try await touch(.match, .unlock(.unlockWithBiometric))
        await reach("screens.unlock.scope", "full")
        await act([.unlock(.lock)])
        for _ in 0..<4 { await act([.unlock(.submitSecret)], HostRoom.wrongPIN, gives: .strongFactorRefused) }
        await reach("screens.unlock.screen.name", "wait")
        await act([.unlock(.submitSecret)], HostRoom.pin, gives: .attemptDelayed)
        try happen(.advance(.hours(4)))
        await act([.unlock(.submitSecret)], HostRoom.pin)
        await act([.unlock(.lock)])
        try happen(.enroll)
        room.host.appBecame(.background)
        look("the background")
        room.host.appBecame(.active)
        await reach("screens.unlock.state", "REVOKED")
        await act([.unlock(.submitSecret)], HostRoom.pin)
        await reach("screens.unlock.screen.name", "offer")
        await act([.unlock(.answerOffer(consent: true))])
        await reach("screens.unlock.screen.name", "content")
        await act([.unlock(.resetError), .biometrics(.refresh)])
        await act([.biometrics(.disable(withSecret: true))], HostRoom.pin)
        await act([.biometrics(.enable), .biometrics(.resetError)], HostRoom.pin)
    }

    /// Recovery key, wallets and words, backup, trail, another PIN.
    private func settings() async throws {
        let made = await act(
            [.recoveryKey(.make), .recoveryKey(.submitSecret), .recoveryKey(.showKey), .recoveryKey(.keyIsWritten)],
            HostRoom.pin
        )
        let key = try #require(made)
        await act([.recoveryKey(.submitSecret), .recoveryKey(.cancel)], key)
        await act([.wallets(.create(wallet: "Savings"))])
        await room.until { room.app.models?.wallets.fields.list.count == 1 }
        let wallet = try #require(room.app.models?.wallets.fields.list.first?.id)
        let exported = await act([.wallets(.export(wallet: wallet, withSecret: true))], HostRoom.pin)
        let words = await act(
            [.words(.show(wallet: wallet)), .words(.submitSecret), .words(.showWords), .words(.wordsWritten)],
            HostRoom.pin
        )
        let shown = try #require(words)
        let list = shown.split(separator: " ").map(String.init)
        #expect(shown == exported && list.count == 12)
        while case .integer(let place)? = room.at("screens.words.place") {
            await act([.words(.answer)], list[Int(place) - 1])
        }
        #expect(room.text("screens.words.step") == "done")
        await act([.words(.cancel)])
        await act([.wallets(.rename(wallet: wallet, to: "Travel"))])
        #expect(room.app.models?.wallets.fields.list.map(\.name.text) == ["Travel"])
        await room.until { room.at("screens.backup.obstacle")?.wireText == "null" }
        await act([.backup(.start), .backup(.submitSecret), .backup(.cancel), .backup(.later)], HostRoom.pin)
        await act([.trail(.read), .trail(.earlier)])
        await act([.pin(.submitSecret)], HostRoom.pin)
        await act([.pin(.submitSecret), .pin(.submitSecret), .pin(.cancel)], HostRoom.wrongPIN)
        await act([.pin(.submitSecret)], HostRoom.wrongPIN)
        await act([.pin(.submitSecret), .pin(.submitSecret), .pin(.cancel)], HostRoom.pin)
        await act([.wallets(.delete(wallet: wallet, withSecret: true))], HostRoom.pin)
        #expect(room.app.models?.wallets.fields.list.isEmpty == true)
        let scanner = LeakScanner([
            "PIN": Array(HostRoom.pin.utf8), "key": Array(key.utf8),
            "words": Array(shown.utf8),
        ])
        for value in room.told { #expect(scanner.leaks(in: Data(value.utf8)) == []) }
    }

    /// The device's own authentication: on, dismissed, opened, and off again.
    private func systemMode() async throws {
        await act([.system(.agree), .system(.submitSecret)], HostRoom.pin)
        await act([.unlock(.lock)])
        await reach("screens.unlock.screen.name", "system")
        try await touch(.passcode, .unlock(.unlockWithSystem))
        await reach("screens.unlock.screen.name", "content")
        try await touch(.passcode, .system(.agree))
        await reach("screens.system.step", "newSecret")
        await act([.system(.submitSecret), .system(.submitSecret), .system(.refresh)], HostRoom.pin)
        await act([.system(.agree), .system(.submitSecret)], HostRoom.pin)
        await act([.unlock(.lock)])
        await reach("screens.unlock.screen.name", "system")
        try await touch(.cancel, .unlock(.unlockWithSystem))
        await reach("screens.unlock.screen.name", "reopen")
    }

    /// Touches the sensor once the prompt of an action is on the screen.
    private func touch(_ touch: SimulatedTouch, _ action: ScreenAction) async throws {
        room.simulated.promptsWait = true
        let touched = Task { await room.send(action) }
        await room.until { room.simulated.snapshot.prompt != nil }
        // The models have to hear of the prompt before it ends, as a person's finger lets them.
        for _ in 0..<1_000 { await Task.yield() }
        look("a prompt")
        try happen(.finger(touch))
        _ = await touched.value
        room.simulated.promptsWait = false
        look(action.json.wireText)
    }

    /// Everything is erased, and the next vault is made.
    private func wayBack() async {
        await act([.app(.recover), .recover(.askToErase), .recover(.useRecoveryKey), .app(.endRecovery)])
        await act([.app(.recover), .recover(.askToErase)])
        await act([.recover(.erase(typed: ResetConfirmation.phrase))])
        await reach("screens.unlock.screen.name", "erased")
        await act([.unlock(.newWallet)])
        await reach("screens.onboarding.step", "secret")
        await room.makeVault()
        look("the next vault")
    }
}
