import Foundation
import SwiftUI
import Testing
import ThumbturnPreviews
import ThumbturnRules

@MainActor @Suite("Every screen in each of its states", .timeLimit(.minutes(2)))
struct StillTests {
    @Test(.holds("P-107-04"), arguments: ["en", "fr"])
    func `none is empty, none has a word without its French, and every control has a name`(locale: String) {
        for still in Still.all {
            let window = Window(still.view, locale: locale)
            let name = "\(still.screen): \(still.state)"
            #expect(!window.screen.isEmpty, "\(name)")
            #expect(!window.screen.contains("⟨"), "\(name): \(window.screen)")
            #expect(window.smallControls == [] && window.unlabelled == [], "\(name)")
        }
    }

    @Test(.holds("P-107-04")) func `no state has a secret as an accessibility value`() {
        for still in Still.all {
            let values = Window(still.view).accessibilityValues
            let secrets = values.filter { $0.contains("abandon") || $0.contains("TTRK") }
            #expect(secrets == [], "\(still.screen): \(still.state)")
        }
    }

    @Test func `every state has a still, and only one`() {
        let names = Still.all.map { "\($0.screen): \($0.state)" }
        #expect(Set(names).count == names.count)
        let wanted =
            LockState.allCases.map { "LockScreen: \($0.rawValue)" }
            + StartState.allCases.map { "OnboardingScreen: \($0.rawValue)" }
            + RecoverFields.Step.allCases.map { "RecoverScreen: \($0)" }
            + SystemSettingsFields.Step.allCases.map { "SystemAuthenticationScreen: \($0)" }
            + WordsFields.Step.allCases.map { "WordsScreen: \($0)" }
            + RecoveryKeyFields.Step.allCases.map { "RecoveryKeyScreen: \($0)" }
            + BackupFields.Step.allCases.map { "BackupScreen: \($0)" }
            + BackupAdvice.allCases.map { "BackupReminder: \($0)" }
            + PINChangeFields.Step.allCases.map { "PINChangeScreen: \($0)" }
        #expect(Set(wanted).subtracting(names) == [])
    }

    @Test func `a still of a lock screen or a first start shows the state that it is named after`() {
        for state in LockState.allCases { #expect(LockState(state.fields.screen) == state) }
        for state in StartState.allCases { #expect(StartState(state.step) == state) }
    }

    @Test func `every public view of the library has a still`() throws {
        let screens = Set(Still.all.map(\.screen))
        let views = try Self.publicViews()
        #expect(views.count > 12)
        #expect(views.subtracting(screens) == [])
    }

    /// The names of the public views, as the sources declare them.
    private static func publicViews() throws -> Set<String> {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../Sources/Screens/ThumbturnUI/Views").standardized
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard line.hasPrefix("public struct "), line.contains(": View {") else { continue }
                names.insert(String(line.dropFirst("public struct ".count).prefix { $0 != ":" && $0 != "<" }))
            }
        }
        return names
    }
}
