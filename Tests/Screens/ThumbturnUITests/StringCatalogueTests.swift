import Foundation
import Testing
import ThumbturnRules

@testable import WriteStrings

@Suite("The string catalogue")
struct StringCatalogueTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Sources/Screens/ThumbturnUI/Resources/Localizable.xcstrings")

    private static func stored() throws -> StringCatalogue {
        try JSONDecoder().decode(StringCatalogue.self, from: Data(contentsOf: file))
    }

    @Test func `is what the words and the error catalogue say; else run swift run WriteStrings`() throws {
        #expect(try Self.stored() == (try StringCatalogue(Words.catalogue)))
        #expect(try Data(contentsOf: Self.file) == (try StringCatalogue(Words.catalogue).file))
    }

    @Test(arguments: ErrorCode.allCases)
    func `the stored catalogue has every error in both languages`(code: ErrorCode) throws {
        let entry = try #require(Self.stored().strings[code.message(in: .english)])
        #expect(entry.localizations["fr"]?.stringUnit.value == code.message(in: .french))
    }

    @Test func `two words that only French tells apart are refused`() {
        #expect(throws: StringCatalogue.Ambiguous.self) { try StringCatalogue([Words("A", "B"), Words("A", "C")]) }
    }
}
