import Foundation
import Testing
import ThumbturnRules

@testable import WriteStrings

@Suite("The string catalogue")
struct StringCatalogueTests {
    @Test func `is what the words and the error catalogue say; else run swift run WriteStrings`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/ThumbturnUI/Resources/Localizable.xcstrings")
        let stored = try JSONDecoder().decode(StringCatalogue.self, from: Data(contentsOf: file))
        #expect(stored == (try StringCatalogue(Words.catalogue)))
        #expect(try Data(contentsOf: file) == (try StringCatalogue(Words.catalogue).file))
    }

    @Test(arguments: ErrorCode.allCases)
    func `holds every error with seed 002's French text`(code: ErrorCode) throws {
        let catalogue = try StringCatalogue(Words.catalogue)
        let entry = try #require(catalogue.strings[code.message(in: .english)])
        #expect(entry.localizations["fr"]?.stringUnit.value == code.message(in: .french))
    }

    @Test func `two words that only French tells apart are refused`() {
        #expect(throws: StringCatalogue.Ambiguous.self) { try StringCatalogue([Words("A", "B"), Words("A", "C")]) }
    }
}
