/// A path whose parts are fixed words or names in braces, which match any non-empty part.
///
/// The last name of an open-ended pattern matches one or more parts.
struct PathPattern: Hashable, Sendable {
    private enum Part: Hashable {
        case word(String)
        case name(String)
        /// The last part and all behind it.
        case rest(String)
    }

    /// The pattern as written, which is also OpenAPI's form.
    let text: String
    private let parts: [Part]

    /// - Parameter isOpenEnded: whether the last part, a name, matches all parts that are left.
    init(_ text: String, isOpenEnded: Bool = false) {
        precondition(text.hasPrefix("/"), "a pattern begins with a slash")
        self.text = text
        var parts: [Part] = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            part.hasPrefix("{") && part.hasSuffix("}")
                ? .name(String(part.dropFirst().dropLast())) : .word(String(part))
        }
        if isOpenEnded, case .name(let name) = parts.last { parts[parts.count - 1] = .rest(name) }
        self.parts = parts
    }

    /// The names in braces, in order.
    var names: [String] {
        parts.compactMap { part in
            switch part {
            case .word: nil
            case .name(let name), .rest(let name): name
            }
        }
    }

    /// Returns the values of the names in the pattern; `nil` if the path does not match.
    ///
    /// The value of an open-ended name has its parts joined by slashes; none of them has a slash within.
    ///
    /// - Parameter path: the decoded parts; it was split before decoding, so a slash within a part does not separate.
    func match(_ path: [String]) -> [String: String]? {
        guard path.count >= parts.count else { return nil }
        let rest = path[(parts.count - 1)...]
        if case .rest = parts.last {} else { guard rest.count == 1 else { return nil } }
        var values: [String: String] = [:]
        for (part, text) in zip(parts, path) {
            switch part {
            case .word(let word): guard word.utf8.elementsEqual(text.utf8) else { return nil }
            case .name(let name):
                guard !text.isEmpty else { return nil }
                values[name] = text
            case .rest(let name):
                guard rest.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "/")) }) else { return nil }
                values[name] = rest.joined(separator: "/")
            }
        }
        return values
    }

    /// Returns the decoded parts of a path; `nil` if one of them is not UTF-8.
    static func parts(of path: String) -> [String]? {
        var parts: [String] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            guard let text = String(validating: part.percentDecoded, as: UTF8.self) else { return nil }
            parts.append(text)
        }
        return parts
    }
}
