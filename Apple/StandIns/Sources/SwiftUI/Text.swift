public import Foundation

/// Words.
public struct Text: _Leaf {
    private enum Words {
        case verbatim(String)
        case key(LocalizedStringKey, Bundle?)
    }

    private let words: Words

    public init(verbatim content: String) {
        words = .verbatim(content)
    }

    public init(
        _ key: LocalizedStringKey,
        tableName: String? = nil,
        bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) {
        words = .key(key, bundle)
    }

    public func _render(_ context: _Context) -> _Node { _Node(looks: string(in: context.environment.locale)) }

    func string(in locale: Locale) -> String {
        switch words {
        case .verbatim(let text): text
        case .key(let key, let bundle): key.string(in: locale, from: StringTable.of(bundle ?? .main))
        }
    }
}

/// The key of a text in a string catalogue, and what is put into it.
public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    private let key: String
    private let arguments: [String]

    public init(_ value: String) {
        key = value
        arguments = []
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        key = stringInterpolation.key
        arguments = stringInterpolation.arguments
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var key = ""
        var arguments: [String] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            key += literal.replacingOccurrences(of: "%", with: "%%")
        }

        public mutating func appendInterpolation(_ string: String) {
            key += "%@"
            arguments.append(string)
        }
    }

    func string(in locale: Locale, from table: StringTable) -> String {
        arguments.reduce(table.format(of: key, in: locale)) { text, argument in
            guard let mark = text.range(of: "%@") else { return text }
            return text.replacingCharacters(in: mark, with: argument)
        }
    }
}

/// A bundle's `Localizable.xcstrings`, as Xcode compiles it.
struct StringTable {
    private struct File: Decodable {
        struct Entry: Decodable { var localizations: [String: Localization]? }
        struct Localization: Decodable { var stringUnit: Unit }
        struct Unit: Decodable { var value: String }

        var sourceLanguage: String
        var strings: [String: Entry]
    }

    private let file: File?

    static func of(_ bundle: Bundle) -> StringTable {
        guard let url = bundle.url(forResource: "Localizable", withExtension: "xcstrings"),
            let data = try? Data(contentsOf: url)
        else { return StringTable(file: nil) }
        return StringTable(file: try? JSONDecoder().decode(File.self, from: data))
    }

    /// A key that is in no table shows as it is, in brackets so that a test sees it.
    func format(of key: String, in locale: Locale) -> String {
        guard let file, let entry = file.strings[key] else { return "⟨\(key)⟩" }
        let language = String(locale.identifier.prefix(2))
        if let translated = entry.localizations?[language]?.stringUnit.value { return translated }
        return language == file.sourceLanguage || entry.localizations != nil ? key : "⟨\(key)⟩"
    }
}
