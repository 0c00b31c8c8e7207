/// A path whose parts are fixed words or names in braces, which match any non-empty part.
struct PathPattern: Hashable, Sendable {
    private enum Part: Hashable {
        case word(String)
        case name(String)
    }

    /// The pattern as written, which is also OpenAPI's form.
    let text: String
    private let parts: [Part]

    init(_ text: String) {
        precondition(text.hasPrefix("/"), "a pattern begins with a slash")
        self.text = text
        parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            part.hasPrefix("{") && part.hasSuffix("}")
                ? .name(String(part.dropFirst().dropLast())) : .word(String(part))
        }
    }

    /// The names in braces, in order.
    var names: [String] {
        parts.compactMap { part in
            guard case .name(let name) = part else { return nil }
            return name
        }
    }

    /// Returns the values of the names in the pattern; `nil` if the path does not match.
    ///
    /// - Parameter path: the decoded parts; it was split before decoding, so a slash within a part does not separate.
    func match(_ path: [String]) -> [String: String]? {
        guard path.count == parts.count else { return nil }
        var values: [String: String] = [:]
        for (part, text) in zip(parts, path) {
            switch part {
            case .word(let word): guard word.utf8.elementsEqual(text.utf8) else { return nil }
            case .name(let name):
                guard !text.isEmpty else { return nil }
                values[name] = text
            }
        }
        return values
    }

    /// Returns the decoded parts of a path; `nil` if one of them is not UTF-8.
    static func parts(of path: String) -> [String]? {
        var parts: [String] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            guard let text = String(validating: decoded(part), as: UTF8.self) else { return nil }
            parts.append(text)
        }
        return parts
    }

    /// Decodes percent-encoding, which the head's parser has checked.
    private static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var digits: [UInt8]?
        for byte in text {
            switch digits {
            case nil: if byte == UInt8(ascii: "%") { digits = [] } else { bytes.append(byte) }
            case let first? where first.isEmpty: digits = [byte]
            case let first?:
                bytes.append(UInt8(String(decoding: first + [byte], as: UTF8.self), radix: 16) ?? 0)
                digits = nil
            }
        }
        return bytes
    }
}
