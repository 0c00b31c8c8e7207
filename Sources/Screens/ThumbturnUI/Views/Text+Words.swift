#if canImport(SwiftUI)
package import SwiftUI
package import ThumbturnRules

extension Text {
    /// Creates text in the language of the view, from the string catalogue.
    package init(_ words: Words) { self.init(LocalizedStringKey(words.english), bundle: .module) }

    /// Creates text with an argument.
    package init(_ words: Words, _ argument: String) {
        guard let after = words.parts.after else {
            self.init(words)
            return
        }
        var key = LocalizedStringKey.StringInterpolation(
            literalCapacity: words.english.utf8.count,
            interpolationCount: 1
        )
        key.appendLiteral(words.parts.before)
        key.appendInterpolation(argument)
        key.appendLiteral(after)
        self.init(LocalizedStringKey(stringInterpolation: key), bundle: .module)
    }

    package init(_ error: UserError) { self.init(error.words) }

    init(hintFor error: UserError) { self.init(error.hintWords) }
}
#endif
