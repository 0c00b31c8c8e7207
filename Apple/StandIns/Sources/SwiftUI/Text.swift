public import Foundation

/// Words.
public struct Text: _Leaf {
    private enum Words {
        case verbatim(String)
        case key(LocalizedStringKey, Bundle?)
        case date(Date, DateStyle)
    }

    /// What of an instant is shown.
    public struct DateStyle: Equatable, Sendable {
        let format: String

        public static let date = DateStyle(format: "yyyy-MM-dd")
        public static let time = DateStyle(format: "HH:mm")
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

    /// An instant as the system writes it in the view's language; here always in UTC, and by numbers.
    public init(_ date: Date, style: DateStyle) {
        words = .date(date, style)
    }

    public func _render(_ context: _Context) -> _Node { _Node(looks: string(in: context.environment.locale)) }

    func string(in locale: Locale) -> String {
        switch words {
        case .verbatim(let text): text
        case .key(let key, let bundle): key.string(in: locale, from: StringTable.of(bundle ?? .main))
        case .date(let date, let style): Self.string(of: date, style)
        }
    }
}

extension Text {
    private static func string(of date: Date, _ style: DateStyle) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = style.format
        return formatter.string(from: date)
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
