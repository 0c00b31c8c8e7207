import Foundation
import Testing

@Suite("The page that a stranger starts from")
struct GettingStartedTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources/Library/Thumbturn/Thumbturn.docc/GettingStarted.md")

    /// The samples of the page; `make docs` compiles them.
    private static func samples() throws -> [[Substring]] {
        let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
        return text.split(separator: "\n```swift\n").dropFirst().map { part in
            part.split(separator: "\n```\n")[0].split(separator: "\n", omittingEmptySubsequences: false)
        }
    }

    @Test func `30 lines of Swift lead from nothing to a vault with onboarding and lock screen`() throws {
        let app = try #require(Self.samples().first)
        #expect(app.count <= 30, "\(app.count) lines")
        // Lines as a person writes them.
        #expect(app.allSatisfy { $0.count <= 120 && !$0.contains(";") })
        let text = app.joined(separator: "\n")
        for part in ["import ThumbturnUI\n", "@main\n", ": App {", "VaultScreens(", "Device.apple(", "Wallets: View"] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test func `the page stays shorter than when every app wrote its screens`() throws {
        #expect(try Data(contentsOf: Self.page).count < 15_000)
    }
}
