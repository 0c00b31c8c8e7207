import Foundation
import SwiftUI
import Testing
import Thumbturn
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("All screens of a vault in one view", .timeLimit(.minutes(2)))
struct VaultScreensViewTests {
    private static let content = "What only the owner sees"
    private let folder: TemporaryFolder
    private let simulated = SimulatedDevice()

    init() throws { folder = try TemporaryFolder() }

    @Test(.holds("B-02", "B-03")) func `from nothing to a vault, its lock, and back in with one prompt`() async throws {
        let model = model()
        let window = window(model)
        try await makeVault(in: window, answering: "Enable")
        shows(window, Self.content)
        let lock = try #require(model.lock)
        await lock.lock()
        await until { window.screen.contains("Locked") }
        #expect(!window.screen.contains(Self.content) && window.screen.contains("[I can't open it]"))

        await model.vault?.close()
        try simulated.simulate(.finger(.match))
        let restarted = self.window(self.model())
        await until { restarted.screen == Self.content }
    }

    @Test(.holds("P-107-04")) func `who can't open it erases everything in a sheet, and starts anew`() async throws {
        let model = model()
        let window = window(model, locale: "fr_FR")
        try await makeVault(in: window, answering: "Ignorer")
        await model.lock?.lock()
        await until { window.screen.contains("[Je n'arrive pas à l'ouvrir]") }
        try window.tap("Je n'arrive pas à l'ouvrir")
        await until { window.screen.contains("\n———\nOuvrir le coffre autrement") && window.screen.contains("RESET") }
        try window.tap("Annuler")
        #expect(!window.screen.contains("———") && model.recovery == nil)

        try window.tap("Je n'arrive pas à l'ouvrir")
        await until { window.screen.contains("RESET") }
        try window.type("RESET", into: "Réinitialiser le portefeuille")
        try window.tap("Réinitialiser le portefeuille")
        await until { window.screen.contains("[Créer un nouveau portefeuille]") && !window.screen.contains("———") }
        try window.tap("Créer un nouveau portefeuille")
        await until { window.screen.contains("Choisissez un nouveau code") }
        try await makeVault(in: window, answering: "Ignorer")
        shows(window, Self.content)
    }

    @Test(.holds("A25")) func `what failed is said, and the next return to the foreground tries again`() async throws {
        let phone = Shared(false)
        let model = model { [simulated] in
            guard phone.value else { throw VaultError(.storageUnavailable) }
            return simulated.device
        }
        let window = window(model, phase: .background)
        await until { window.screen.contains("[Try again]") }
        #expect(window.screen.contains(ErrorCode.storageUnavailable.message(in: .english)))
        #expect(window.spoken.first == "The vault can't be opened now, heading" && window.smallControls == [])
        phone.value = true
        window.phase = .inactive
        window.phase = .active
        await until { window.screen.contains("Choose a new PIN") }
    }

    @Test(arguments: ["en", "fr"]) func `what is missing in the project is named`(locale: String) async throws {
        struct SetupFault: Error, CustomStringConvertible {
            let description = "Add the Keychain Sharing capability."
        }
        let model = model { throw SetupFault() }
        let window = window(model, locale: locale)
        let title = Words.projectIncomplete.in(Language(locale: locale))
        await until { window.screen.contains("Keychain Sharing") }
        #expect(window.screen.hasPrefix(title) && window.unlabelled == [])
    }

    @Test func `before anything is known it is busy, and speaks its window's language`() async throws {
        let model = model()
        let window = window(model, locale: "fr_CH")
        shows(window, "(busy)")
        #expect(model.language == .french)
        window.locale = Locale(identifier: "en_GB")
        await until { window.screen.contains("Choose a new PIN") }
        #expect(model.language == .english && model.onboarding?.language == .english)
    }

    @Test(.holds("P-107-04")) func `a window that closes takes what was typed along`() async throws {
        let model = model()
        let window = window(model)
        await until { window.screen.contains("Choose a new PIN") }
        try window.enter(TestVault.pin)
        let onboarding = try #require(model.onboarding)
        await until { onboarding.fields.step == .repeated }
        window.close()
        #expect(onboarding.chosen == nil)
    }

    private func model(_ device: (@Sendable () async throws -> Device)? = nil) -> VaultScreensModel {
        VaultScreensModel(
            in: folder.path,
            policy: TestVault.policy,
            secret: .pin(length: 6),
            configuration: { _ in TestVault.configuration() },
            device: device ?? { [simulated] in simulated.device }
        )
    }

    private func window(
        _ model: VaultScreensModel,
        phase: ScenePhase = .active,
        locale: String = "en"
    ) -> Window<VaultScreens<Text>> {
        Window(VaultScreens(model) { _ in Text(verbatim: Self.content) }, phase: phase, locale: locale)
    }

    /// Goes through the first start.
    private func makeVault(in window: Window<VaultScreens<Text>>, answering button: String) async throws {
        await until { window.screen.contains("Choose a new PIN") || window.screen.contains("Choisissez") }
        try window.enter(TestVault.pin)
        await until { window.screen.contains("again") || window.screen.contains("à nouveau") }
        try window.enter(TestVault.pin)
        await until { window.screen.contains("[\(button)]") }
        try window.tap(button)
        await until { window.screen == Self.content }
    }
}
