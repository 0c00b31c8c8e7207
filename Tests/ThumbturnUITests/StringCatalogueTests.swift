import Foundation
import Testing
import ThumbturnRules

@testable import ThumbturnUI
@testable import WriteStrings

@Suite("The string catalogue")
struct StringCatalogueTests {
    @Test func `is what the words and the error catalogue say; else run swift run WriteStrings`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/ThumbturnUI/Resources/Localizable.xcstrings")
        let stored = try JSONDecoder().decode(StringCatalogue.self, from: Data(contentsOf: file))
        #expect(stored == (try StringCatalogue(Word.catalogue)))
        #expect(try Data(contentsOf: file) == (try StringCatalogue(Word.catalogue).file))
    }

    @Test(arguments: ErrorCode.catalogue)
    func `holds every error with seed 002's French text`(code: ErrorCode) throws {
        let catalogue = try StringCatalogue(Word.catalogue)
        let entry = try #require(catalogue.strings[code.message(in: .english)])
        #expect(entry.localizations["fr"]?.stringUnit.value == code.message(in: .french))
    }

    @Test func `every word is said in both languages, with the same arguments`() {
        for word in Word.catalogue {
            #expect(!word.english.isEmpty && !word.french.isEmpty)
            #expect(word.english.filter { $0 == "%" }.count == word.french.filter { $0 == "%" }.count)
            #expect(word.english.filter { $0 == "%" }.count <= 1)
        }
        #expect(Word.catalogue.count > Word.ours.count)
        #expect(Set(Word.ours).count == Word.ours.count)
    }

    @Test func `two words that only French tells apart are refused`() {
        #expect(throws: StringCatalogue.Ambiguous.self) { try StringCatalogue([Word("A", "B"), Word("A", "C")]) }
    }

    @Test func `an argument stands where the word says`() {
        #expect(Word.tryAgainIn.text(in: .french, "5 min") == "Réessayez dans 5 min")
        #expect(Word.typeToConfirm.text(in: .english, "RESET") == "Type RESET to confirm.")
        #expect(Word.cancel.text(in: .english, "?") == "Cancel")
    }

    @Test(arguments: [
        ("fr", Language.french), ("fr_CA", .french), ("fr-BE", .french), ("en_FR", .english), ("de", .english),
        ("fro", .english), ("", .english),
    ])
    func `a locale has one of our languages`(locale: String, language: Language) {
        #expect(Language(locale: locale) == language)
    }
}
