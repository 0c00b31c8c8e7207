import Testing

@testable import ThumbturnRules

@Suite("The words of the screens")
struct WordTests {
    @Test func `every word is said in both languages, with the same arguments`() {
        for word in Words.catalogue {
            #expect(!word.english.isEmpty && !word.french.isEmpty)
            #expect(word.english.filter { $0 == "%" }.count == word.french.filter { $0 == "%" }.count)
            #expect(word.english.filter { $0 == "%" }.count <= 1)
        }
        #expect(Words.catalogue.count > Words.ours.count)
        #expect(Set(Words.ours).count == Words.ours.count)
    }

    @Test func `an argument stands where the word says`() {
        #expect(Words.tryAgainIn.in(.french, "5 min") == "Réessayez dans 5 min")
        #expect(Words.typeToConfirm.in(.english, "RESET") == "Type RESET to confirm.")
        #expect(Words.cancel.in(.english, "?") == "Cancel")
    }

    @Test(arguments: [
        ("fr", Language.french), ("fr_CA", .french), ("fr-BE", .french), ("en_FR", .english), ("de", .english),
        ("fro", .english), ("", .english),
    ])
    func `a locale has one of our languages`(locale: String, language: Language) {
        #expect(Language(locale: locale) == language)
    }
}
