import Foundation
import ThumbturnRules

/// The interface's string catalogue, in Xcode's format.
struct StringCatalogue: Codable, Equatable {
    struct Entry: Codable, Equatable {
        /// Keeps Xcode from removing strings that it does not find in a source file.
        var extractionState = "manual"
        var localizations: [String: Localization]
    }

    /// A string in one language.
    struct Localization: Codable, Equatable {
        var stringUnit: Unit
    }

    /// A translation and its state.
    struct Unit: Codable, Equatable {
        var state = "translated"
        var value: String
    }

    /// Two different strings with the same English text.
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

    var file: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}
