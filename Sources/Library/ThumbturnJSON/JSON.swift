/// A JSON value; the members of an object keep their order.
package enum JSON: Sendable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// An integer; one that was read is within ±(2^53 − 1), where all readers agree.
    case integer(Int64)
    /// A string.
    case string(String)
    /// Values in order.
    case array([JSON])
    /// Named members, in order.
    case object([(String, JSON)])

    /// Creates a string, or null.
    package init(_ text: String?) { self = text.map(JSON.string) ?? .null }

    /// Creates an integer.
    package init(_ number: Int) { self = .integer(Int64(number)) }

    /// The value of the member of this name; nil if there is none, or this is not an object.
    ///
    /// Names are compared byte by byte: Swift treats canonically equivalent strings as equal.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0.utf8.count == name.utf8.count && $0.0.utf8.elementsEqual(name.utf8) }?.1
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
    /// Creates an object.
    package init(dictionaryLiteral elements: (String, JSON)...) { self = .object(elements) }

    /// Creates a string.
    package init(stringLiteral value: String) { self = .string(value) }
}
