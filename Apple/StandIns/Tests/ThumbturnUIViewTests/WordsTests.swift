import SwiftUI
import Testing
import ThumbturnRules

@testable import ThumbturnUI

@MainActor @Suite("Words on the screen")
struct WordsTests {
    @Test(arguments: ["en_US", "fr_CH"])
    func `every word comes from the string catalogue`(locale: String) {
        let language = Language(locale: locale)
        for word in Words.catalogue {
            let argument = word.parts.after == nil ? "" : "30 s"
            let text = argument.isEmpty ? Text(word) : Text(word, argument)
            #expect(Window(text, locale: locale).screen == word.in(language, argument))
        }
    }

    @Test func `what is in no catalogue shows as such in these tests`() {
        #expect(Window(Text("no such key", bundle: .module)).screen == "⟨no such key⟩")
        #expect(Window(Text(Words("Cancel it", "Annulez"))).screen == "⟨Cancel it⟩")
    }
}
