/// What a person reads, in both languages.
///
/// On a screen the English words are also the key in the string catalogue, so that a build without the catalogue still reads
/// well; `%@` stands there for an argument.
package struct Words: Hashable, Sendable {
    /// In English.
    package let english: String
    /// In French, with the same argument.
    package let french: String

    /// The words, in each language.
    package init(_ english: String, _ french: String) {
        self.english = english
        self.french = french
    }

    /// Words that are the same in both, such as a name.
    package init(_ both: String) {
        self.init(both, both)
    }

    /// The words in one of them.
    package func `in`(_ language: Language) -> String {
        switch language {
        case .english: english
        case .french: french
        }
    }

    /// Both one after the other.
    package static func + (left: Words, right: Words) -> Words {
        Words(left.english + right.english, left.french + right.french)
    }
}

extension [Words] {
    /// All of them in one, in time that their length takes once.
    package func joined(separator: String) -> Words { joined(separator: Words(separator)) }

    /// The same with words between them.
    package func joined(separator: Words) -> Words {
        Words(
            map { $0.english }.joined(separator: separator.english),
            map { $0.french }.joined(separator: separator.french)
        )
    }
}

extension Words {
    /// The words in one language, with the argument in place of `%@`.
    package func `in`(_ language: Language, _ argument: String) -> String {
        let (before, after) = Self.parts(of: self.in(language))
        guard let after else { return before }
        return before + argument + after
    }

    /// The English words before and behind the argument; nothing behind it where there is none.
    package var parts: (before: String, after: String?) { Self.parts(of: english) }

    private static func parts(of text: String) -> (before: String, after: String?) {
        guard let mark = text.firstIndex(of: "%") else { return (text, nil) }
        return (String(text[..<mark]), String(text[mark...].dropFirst(2)))
    }

    /// Words that begin with a small letter, as a sentence of their own.
    package var sentence: Words { Words(Self.sentence(english), Self.sentence(french)) }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
