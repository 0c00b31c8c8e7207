import Combine
import Foundation
import SwiftUI
import Testing
import Thumbturn
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@MainActor @Suite("A view behind the lock", .timeLimit(.minutes(2)))
struct VaultLockTests {
    private static let cover = "▇▇▇\n(lock.fill)"

    @Test(.holds("P-107-01")) func `it does not exist while the vault is locked`() async throws {
        let made = try await TestVault.make().restarted()
        let model = await model(of: made)
        let window = Window(Wallet().vaultLock(model))
        await until { !model.isCovered }
        shows(window, "(lock.fill)\nLocked\nEnter your PIN\n" + pad("○○○○○○"))
        try window.enter(TestVault.pin)
        await until { model.screen == .content }
        shows(window, "12 words of a secret\n<Note: >")
        await model.lock()
        await until { model.screen == .secret }
        #expect(!window.screen.contains("secret"))
    }

    @Test(.holds("A37")) func `the cover is drawn with the very change of the phase`() async throws {
        let made = try await TestVault.make()
        let model = await model(of: made)
        let window = Window(Wallet().vaultLock(model))
        await until { !model.isCovered }
        for phase in [ScenePhase.inactive, .background] {
            #expect(!model.isCovered, "the model has not heard of it yet")
            #expect(window.drawnFirst(in: phase) == "12 words of a secret\n<Note: >\n" + Self.cover)
        }
        window.phase = .inactive
        #expect(model.isCovered)
        #expect(window.spoken == ["Hidden"], "VoiceOver can't see below it")
        shows(window, "12 words of a secret\n<Note: >\n" + Self.cover)
    }

    @Test(.holds("C17")) func `it locks in the background where the policy says so`() async throws {
        let made = try await TestVault.make(policy: .strict, biometrics: true)
        let model = await model(of: made)
        let window = Window(Wallet().vaultLock(model))
        await until { !model.isCovered }
        window.phase = .inactive
        window.phase = .background
        await until { model.scope == nil }
        #expect(window.screen.hasSuffix(Self.cover) && !window.screen.contains("secret"))
        try made.simulated.simulate(.finger(.match))
        window.phase = .inactive
        window.phase = .active
        await until { model.screen == .content && !model.isCovered }
        #expect(made.simulated.promptsShown == 1)
        shows(window, "12 words of a secret\n<Note: >")
    }

    @Test(.holds("P-107-04")) func `what was typed into the app goes with the lock`() async throws {
        let made = try await TestVault.make()
        let model = await model(of: made)
        let window = Window(Wallet().vaultLock(model))
        await until { !model.isCovered }
        try window.type("for the safe: 4711", into: "Note")
        #expect(window.screen.contains("4711"))
        await model.lock()
        await until { model.screen == .secret }
        #expect(!window.screen.contains("4711"))
        try window.enter(TestVault.pin)
        await until { model.screen == .content }
        shows(window, "12 words of a secret\n<Note: >")
    }

    @Test(.holds("B-03")) func `a launch prompts once the window is active, and not before`() async throws {
        let made = try await TestVault.make(biometrics: true).restarted()
        try made.simulated.simulate(.finger(.match))
        let model = await model(of: made)
        let window = Window(Wallet().vaultLock(model), phase: .inactive)
        await until { model.isCovered }
        _ = try await made.look()
        #expect(made.simulated.promptsShown == 0)
        window.phase = .active
        await until { model.screen == .content }
        #expect(made.simulated.promptsShown == 1)
    }

    @Test func `it speaks the language of its window`() async throws {
        let made = try await TestVault.make().restarted()
        let model = await model(of: made)
        let window = Window(Wallet().vaultLock(model), locale: "fr_FR")
        #expect(model.language == .french)
        window.locale = Locale(identifier: "en_GB")
        #expect(model.language == .english)
        #expect(window.screen.contains("Locked"))
    }

    @Test func `an observed model is the same`() async throws {
        let made = try await TestVault.make()
        let model = AppUnlockModel(made.vault, secret: .pin(length: 6))
        let window = Window(Wallet().vaultLock(model))
        await until { model.screen == .content && !model.isCovered }
        shows(window, "12 words of a secret\n<Note: >")
    }

    @Test func `the model tells SwiftUI of every change before it comes`() async throws {
        let made = try await TestVault.make()
        let model = await model(of: made)
        var former: [AppUnlockFields.Screen] = []
        let subscription = model.objectWillChange.sink { former.append(model.screen) }
        await model.lock()
        await until { model.screen == .secret }
        #expect(former.last == .content)
        withExtendedLifetime(subscription) {}
    }

    @Test(.holds("A37")) func `a sheet covers itself`() {
        let window = Window(Wallet().privacyCover())
        shows(window, "12 words of a secret\n<Note: >")
        #expect(window.drawnFirst(in: .inactive) == "12 words of a secret\n<Note: >\n" + Self.cover)
        window.phase = .inactive
        #expect(window.spoken == ["Hidden"])
    }
}

/// What an app shows of a wallet.
private struct Wallet: View {
    @State private var note = ""

    var body: some View {
        VStack {
            Text(verbatim: "12 words of a secret")
            TextField(text: $note) { Text(verbatim: "Note") }
        }
    }
}
