/// A JSON value; the members of an object keep their order.
package enum JSON: Sendable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number; one that was read lies within ±(2^53 − 1), where all readers agree.
    case integer(Int64)
    /// A text.
    case string(String)
    /// Values in order.
    case array([JSON])
    /// Members, each with its name, in order.
    case object([(String, JSON)])

    /// A string, or null.
    package init(_ text: String?) {
        self = text.map(JSON.string) ?? .null
    }

    /// A whole number.
    package init(_ number: Int) {
        self = .integer(Int64(number))
    }

    /// The value of the member of this name; nil where there is none, or this is no object.
    ///
    /// Names are compared byte by byte: Swift takes two strings for equal that only look alike.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0.utf8.elementsEqual(name.utf8) }?.1
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
    /// An object.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements)
    }

    /// A string.
    package init(stringLiteral value: String) {
        self = .string(value)
    }
}
