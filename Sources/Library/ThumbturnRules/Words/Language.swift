/// The languages of all texts for people.
@nonexhaustive
public enum Language: Hashable, Sendable, CaseIterable {
    /// English.
    case english
    /// French, the language of seed 002.
    case french
}

extension Language {
    /// The language for a locale such as `fr_CA`; English for any other language.
    public init(locale identifier: String) {
        let isFrench = identifier == "fr" || identifier.hasPrefix("fr_") || identifier.hasPrefix("fr-")
        self = isFrench ? .french : .english
    }
}
