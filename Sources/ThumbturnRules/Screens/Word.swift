/// A text of the interface; the English one is also its key in the string catalogue, so that a build without the catalogue
/// still reads well.
package struct Word: Hashable, Sendable {
    /// In English; `%@` stands for an argument.
    package let english: String
    /// In French, with the same arguments.
    package let french: String

    /// A text in both languages.
    package init(_ english: String, _ french: String) {
        self.english = english
        self.french = french
    }

    /// The text, with its argument in place of `%@`.
    package func text(in language: Language, _ argument: String = "") -> String {
        let text =
            switch language {
            case .english: english
            case .french: french
            }
        let (before, after) = Self.parts(of: text)
        guard let after else { return before }
        return before + argument + after
    }

    /// The English text before and behind its argument; nothing behind it where there is none.
    package var parts: (before: String, after: String?) { Self.parts(of: english) }

    private static func parts(of text: String) -> (before: String, after: String?) {
        guard let mark = text.firstIndex(of: "%") else { return (text, nil) }
        return (String(text[..<mark]), String(text[mark...].dropFirst(2)))
    }
}

extension Language {
    /// The language for a locale such as `fr_CA`; what we do not speak is English.
    public init(locale identifier: String) {
        let isFrench = identifier == "fr" || identifier.hasPrefix("fr_") || identifier.hasPrefix("fr-")
        self = isFrench ? .french : .english
    }
}
