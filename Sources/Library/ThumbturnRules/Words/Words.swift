/// A text for a person, in both languages.
///
/// On a screen the English text is also the key in the string catalogue, so that a build without the catalogue is still
/// readable; `%@` stands for an argument.
package struct Words: Hashable, Sendable {
    /// The English text.
    package let english: String
    /// The French text, with the same argument.
    package let french: String

    /// Creates a text in each language.
    package init(_ english: String, _ french: String) {
        self.english = english
        self.french = french
    }

    /// Creates a text that is the same in both, such as a name.
    package init(_ both: String) { self.init(both, both) }

    /// Returns the text in one language.
    package func `in`(_ language: Language) -> String {
        switch language {
        case .english: english
        case .french: french
        }
    }

    /// Concatenates two texts.
    package static func + (left: Words, right: Words) -> Words {
        Words(left.english + right.english, left.french + right.french)
    }
}

extension [Words] {
    /// Concatenates all texts, in linear time.
    package func joined(separator: String) -> Words { joined(separator: Words(separator)) }

    /// Concatenates all texts, with a separator text between them.
    package func joined(separator: Words) -> Words {
        Words(
            map { $0.english }.joined(separator: separator.english),
            map { $0.french }.joined(separator: separator.french)
        )
    }
}

extension Words {
    /// Returns the text in one language, with the argument in place of `%@`.
    package func `in`(_ language: Language, _ argument: String) -> String {
        let (before, after) = Self.parts(of: self.in(language))
        guard let after else { return before }
        return before + argument + after
    }

    /// The English text before and after the argument; nil after it when there is no argument.
    package var parts: (before: String, after: String?) { Self.parts(of: english) }

    private static func parts(of text: String) -> (before: String, after: String?) {
        guard let mark = text.firstIndex(of: "%") else { return (text, nil) }
        return (String(text[..<mark]), String(text[mark...].dropFirst(2)))
    }

    /// A text that starts with a small letter, as a sentence.
    package var sentence: Words { Words(Self.sentence(english), Self.sentence(french)) }

    /// A text that starts with a small letter, as the heading of an entry in a list.
    package var headed: Words {
        Words(english.prefix(1).uppercased() + english.dropFirst(), french.prefix(1).uppercased() + french.dropFirst())
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
