import SwiftUI
import Testing
import Thumbturn
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("The screen of the way back", .timeLimit(.minutes(2)))
struct RecoverViewTests {
    private static let newPIN = "730519"
    private static let withKey = VaultSnapshot(slots: [.init(kind: .recovery, assurance: nil)])

    @Test func `the recovery key and a new PIN open the vault`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        let lock = await model(of: made)
        var ends = 0
        let model = RecoverModel(made.vault, outOf: lock) { ends += 1 }
        let window = Window(RecoverScreen(model))
        await until { model.fields.step == .key }
        try window.type(key, into: "Recovery key")
        try window.tap("OK")
        #expect(!window.screen.contains(key), "the field is empty at once")
        await until { model.fields.step == .newSecret }
        shows(window, "Open the vault another way\nChoose a new PIN\n" + pad("○○○○○○") + "\n[Cancel]")
        try window.enter(Self.newPIN)
        await until { model.fields.step == .repeated }
        try window.enter(Self.newPIN)
        await until { ends == 1 && lock.screen == .content }
    }

    @Test(.holds("A7", "ERR-107-050")) func `an older copy is led out by the recovery key`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let copy = try made.folder.read("vault/vault.sqlite")
        let changed = try await made.reopened()
        try? await changed.guess()
        await changed.vault.close()
        try made.folder.write(copy, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        let lock = await model(of: again)
        let model = RecoverModel(again.vault, outOf: lock) {}
        let window = Window(RecoverScreen(model), locale: "fr")
        await until { model.fields.step == .key }
        try window.type(key, into: "Clé de secours")
        try window.tap("OK")
        await until { model.fields.step == .olderCopy }
        #expect(window.screen.contains(Words.olderCopy.french) && window.screen.contains("[Exporter seulement]"))
        try window.type("OLDER", into: "Utiliser cette copie")
        try window.tap("Utiliser cette copie")
        await until { model.fields.step == .newSecret && lock.scope == .full }
    }

    /// Each step, as an app's preview shows it.
    @Test(.holds("P-107-04"), arguments: ["en", "fr"]) func `every step is there in each language, with labels`(
        locale: String
    ) throws {
        let language = Language(locale: locale)
        for step in RecoverFields.Step.allCases {
            for refusal in [nil, ErrorCode.recoveryKeyMalformed] {
                let model = RecoverModel(
                    showing: Self.withKey,
                    step: step,
                    refusal: refusal,
                    secret: .pin(length: 6)
                )
                let window = Window(RecoverScreen(model), locale: locale)
                #expect(window.screen.hasPrefix(Words.wayBack.in(language)))
                #expect(window.screen.contains(Self.sign(of: step, in: language)), "\(step)")
                #expect(window.unlabelled == [] && window.smallControls == [] && !window.screen.contains("⟨"))
                let wayOn = step == .opened ? Words.goOn : .cancel
                #expect(window.screen.contains("[\(wayOn.in(language))]"), "no step holds its owner")
            }
        }
    }

    /// What every step must show.
    private static func sign(of step: RecoverFields.Step, in language: Language) -> String {
        switch step {
        case .opening, .working, .done: "(busy)"
        case .key: Words.recoverExplained.in(language)
        case .olderCopy: Words.olderCopyLoses.in(language)
        case .newSecret: Words.choosePIN.in(language)
        case .repeated: Words.repeatPIN.in(language)
        case .opened: Words.secretStays.in(language)
        case .erase: Words.onlyErasing.in(language)
        }
    }

    @Test func `who has no recovery key erases, or goes back to the key`() async throws {
        let model = RecoverModel(showing: Self.withKey)
        let window = Window(RecoverScreen(model))
        try window.tap("I have no recovery key")
        #expect(window.screen.contains("<Reset wallet: >"))
        try window.tap("Use your recovery key")
        #expect(window.screen.contains("<Recovery key: >"))
    }

    @Test(.holds("A37", "P-107-04")) func `it covers itself, and forgets in the background and when it goes`()
        async throws
    {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        let model = RecoverModel(made.vault, outOf: await model(of: made)) {}
        let window = Window(RecoverScreen(model))
        await until { model.fields.step == .key }
        for leaves in [false, true] {
            try window.type(key, into: "Recovery key")
            try window.tap("OK")
            await until { model.fields.step == .newSecret }
            #expect(model.key != nil)
            if leaves { window.close() } else { window.phase = .background }
            #expect(model.key == nil && model.fields.step == .key)
            guard !leaves else { continue }
            #expect(window.spoken == ["Hidden"])
            window.phase = .active
        }
    }
}
