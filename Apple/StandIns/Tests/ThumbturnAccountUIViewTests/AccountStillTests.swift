import Foundation
import SwiftUI
import Testing
import ThumbturnAccountPreviews

@testable import ThumbturnAccountUI

@MainActor @Suite("Every screen of an account in each of its states", .timeLimit(.minutes(2)))
struct AccountStillTests {
    @Test(arguments: ["en", "fr"]) func `none is empty, and none has a word without its French`(locale: String) {
        for still in Still.account {
            let window = Window(still.view, locale: locale)
            #expect(!window.screen.isEmpty && !window.screen.contains("⟨"), "\(still.screen): \(still.state)")
        }
    }

    @Test func `every state has a still, and only one`() {
        let names = Still.account.map { "\($0.screen): \($0.state)" }
        #expect(Set(names).count == names.count)
        for state in DevicesState.allCases { #expect(DevicesState(state.step) == state) }
        let wanted =
            DevicesState.allCases.map { "AccountDevicesScreen: \($0.rawValue)" }
            + AccountMoveFields.Step.allCases.map { "AccountMoveScreen: \($0)" }
            + PasswordChangeFields.Step.allCases.map { "PasswordChangeScreen: \($0)" }
            + AccountScreensFields.Screen.allCases.map { "AccountScreens: \($0)" }
        #expect(Set(wanted).subtracting(names) == [])
    }

    @Test func `every public view of the room has a still`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../Sources/Screens/ThumbturnAccountUI/Views").standardized
        let screens = Set(Still.account.map(\.screen))
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard line.hasPrefix("public struct "), line.contains(": View {") else { continue }
                let name = String(line.dropFirst("public struct ".count).prefix { $0 != ":" && $0 != "<" })
                #expect(screens.contains(name), "\(name)")
            }
        }
    }
}
