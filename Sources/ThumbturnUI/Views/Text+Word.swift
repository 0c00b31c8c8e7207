#if canImport(SwiftUI)
import SwiftUI
import ThumbturnRules

extension Text {
    /// A word in the language of the view, from the string catalogue.
    init(_ word: Word) { self.init(LocalizedStringKey(word.english), bundle: .module) }

    /// A word with its argument.
    init(_ word: Word, _ argument: String) {
        guard let after = word.parts.after else {
            self.init(word)
            return
        }
        var key = LocalizedStringKey.StringInterpolation(
            literalCapacity: word.english.utf8.count,
            interpolationCount: 1
        )
        key.appendLiteral(word.parts.before)
        key.appendInterpolation(argument)
        key.appendLiteral(after)
        self.init(LocalizedStringKey(stringInterpolation: key), bundle: .module)
    }

    /// What a user reads of an error.
    init(_ error: UserError) { self.init(Word(error.errorCode, naming: error.biometry)) }

    /// What gets the user on.
    init(hintFor error: UserError) {
        self.init(Word(hintFor: error.errorCode, recoveryKeyOpens: error.recoveryKeyOpens))
    }
}
#endif
