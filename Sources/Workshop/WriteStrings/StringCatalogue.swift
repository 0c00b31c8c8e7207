import Foundation
import ThumbturnRules

/// The string catalogue of the interface, in the form that Xcode writes.
struct StringCatalogue: Codable, Equatable {
    /// One word.
    struct Entry: Codable, Equatable {
        /// Keeps Xcode from dropping what it does not find in a source file.
        var extractionState = "manual"
        var localizations: [String: Localization]
    }

    /// A word in one language.
    struct Localization: Codable, Equatable {
        var stringUnit: Unit
    }

    /// A translation and where it stands.
    struct Unit: Codable, Equatable {
        var state = "translated"
        var value: String
    }

    /// Two words that English does not tell apart and French does.
    struct Ambiguous: Error {
        let english: String
    }

    var sourceLanguage = "en"
    var strings: [String: Entry] = [:]
    var version = "1.0"

    init(_ words: some Sequence<Words>) throws(Ambiguous) {
        for word in words {
            let french = Localization(stringUnit: Unit(value: word.french))
            let entry = Entry(localizations: ["fr": french])
            guard strings.updateValue(entry, forKey: word.english).map({ $0 == entry }) ?? true else {
                throw Ambiguous(english: word.english)
            }
        }
    }

    /// The bytes of the file.
    var file: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}
