import SwiftUI
import Testing
import Thumbturn
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit
import UIKit

@testable import ThumbturnUI

@MainActor @Suite("Screens that keep quiet", .timeLimit(.minutes(2)), .serialized)
struct QuietScreenTests {
    init() { unsafe NotificationToken.isOnMainActor = { true } }

    @Test(.holds("P-107-04")) func `a recovery key is private to the system, and gone while the screen is recorded`()
        async throws
    {
        let (window, key) = try await recoveryKeyNote()
        #expect(window.privateTexts == [key])
        UIScreen.main._capture(true)
        defer { UIScreen.main._capture(false) }
        #expect(!window.screen.contains(key) && window.screen.contains("The screen is being recorded"))
        #expect(!window.spoken.contains { $0.contains(key) })
        #expect(window.drawnFirst(in: .active).contains("The screen is being recorded"), "with the very change")
        UIScreen.main._capture(false)
        #expect(window.screen.contains(key))
    }

    @Test(.holds("P-107-04")) func `a screenshot of a secret is said below it, a former one is not`() async throws {
        NotificationCenter.default.post(name: UIApplication.userDidTakeScreenshotNotification, object: nil)
        let (window, key) = try await recoveryKeyNote()
        #expect(!window.screen.contains("screenshot"))
        NotificationCenter.default.post(name: UIApplication.userDidTakeScreenshotNotification, object: nil)
        #expect(window.screen.contains("A screenshot of this is now in your photos.") && window.screen.contains(key))
    }

    @Test func `signals of a test's own follow no device`() {
        let signals = CaptureSignals()
        let window = Window(Text(verbatim: "12 words").hiddenWhileCaptured(signals), locale: "fr")
        UIScreen.main._capture(true)
        defer { UIScreen.main._capture(false) }
        #expect(window.screen == "12 words")
        signals.recordingChanged(to: true)
        #expect(window.screen == "L'écran est enregistré ou affiché ailleurs : rien de secret n'y paraît tant que cela dure.")
    }

    @Test(.holds("P-107-04")) func `the system is not asked to save a password, nor to make one up`() async throws {
        let made = try await TestVault.make().restarted()
        let window = Window(LockScreen(await model(of: made, secret: .password)))
        #expect(window.contentType(of: "Password") == .oneTimeCode)
    }

    @Test(.holds("P-107-04")) func `nothing typed is in what VoiceOver says`() async throws {
        let made = try await TestVault.make()
        let model = await systemSettings(of: made)
        let window = Window(SystemAuthenticationScreen(model))
        try window.tap("Make a recovery key")
        try window.enter("4938")
        #expect(!window.spoken.contains { $0.contains("49") || $0.contains("38") })
        try window.enter("17")
        await until { model.step == .recoveryKey && !model.loading }
        try window.tap("I have written it down")
        try window.type("WRITTEN-BACK", into: "Recovery key")
        #expect(window.screen.contains("WRITTEN-BACK"))
        #expect(window.spoken.contains("Recovery key, text field, Filled in"))
        #expect(!window.spoken.contains { $0.contains("WRITTEN") })

        await made.vault.lock()
        let lock = await ThumbturnUIViewTests.model(of: made, secret: .password)
        let locked = Window(LockScreen(lock))
        await until { locked.screen.contains("<Password: >") }
        try locked.type("correct horse battery", into: "Password")
        #expect(!locked.spoken.contains { $0.contains("horse") || $0.contains("•") })
    }

    private func systemSettings(of made: TestVault) async -> SystemSettingsObject {
        let offer = SystemModeFlag(list: "*").offer(to: "x")
        let model = SystemSettingsObject(made.vault, offer: offer, secret: .pin(length: 6))
        await until { !model.loading }
        return model
    }

    /// A window that shows a recovery key, and the key.
    private func recoveryKeyNote() async throws -> (Window<SystemAuthenticationScreen>, String) {
        let made = try await TestVault.make()
        let model = await systemSettings(of: made)
        let window = Window(SystemAuthenticationScreen(model))
        try window.tap("Make a recovery key")
        try window.enter(TestVault.pin)
        await until { model.step == .recoveryKey && !model.loading }
        return (window, try #require(model.withRecoveryKey { $0.exposedText }))
    }
}
