import Testing

@testable import ThumbturnRules

/// A word that somebody forgot to translate is the same in both languages, or has lost its argument.
@Suite("Every word in French")
struct WordsFrenchTests {
    /// What is the same in both languages on purpose.
    private static let same: Set<String> = ["OK"]

    private static func isFrench(_ words: Words) -> Bool {
        guard !words.french.isEmpty, words.english != words.french || same.contains(words.english) else { return false }
        return arguments(words.english) == arguments(words.french)
    }

    private static func arguments(_ text: String) -> Int {
        text.split(separator: "%@", omittingEmptySubsequences: false).count
    }

    @Test func `every word on a screen differs from the English one, or is declared to be the same`() {
        for words in Words.catalogue { #expect(Self.isFrench(words), "\(words.english)") }
    }

    @Test func `a word without its French is found`() {
        #expect(!Self.isFrench(Words("Cancel")))
        #expect(!Self.isFrench(Words("Cancel", "")))
        #expect(!Self.isFrench(Words("Type word %@", "Saisissez le mot")))
        #expect(Self.isFrench(Words("OK")))
    }

    @Test func `every word that a screen of the settings has is in the catalogue`() {
        #expect(Set(Words.settingsWords).isSubset(of: Words.catalogue))
        #expect(Set(Words.settingsWords).count >= 50)
    }
}
