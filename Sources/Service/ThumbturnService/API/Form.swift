import ThumbturnJSON

/// The required and optional members of a body; no others are allowed.
struct Shape: Sendable {
    /// A member's name and schema, without its reader.
    typealias Described = (name: String, schema: JSON)

    let required: [Described]
    var optional: [Described] = []

    /// The JSON Schema, as used in OpenAPI 3.1.
    var schema: JSON {
        [
            "type": "object", "additionalProperties": .bool(false),
            "required": .array(required.map { .string($0.name) }),
            "properties": .object((required + optional).map { ($0.name, $0.schema) }),
        ]
    }

    func allows(_ name: String) -> Bool { (required + optional).contains { $0.name.utf8.elementsEqual(name.utf8) } }
}

/// A parsed body: an object with no members other than its shape's.
struct Form {
    /// The maximum nesting depth: slightly more than any of our bodies has.
    private static let depthLimit = 8

    /// The body as received, for computing a proof over it.
    let body: JSON
    let shape: Shape

    /// Parses a body.
    ///
    /// - Throws: `.notJSON` for malformed JSON, `.refusedJSON` for JSON that readers interpret differently, and `.form`
    ///   for an unknown member, whose name is not repeated: it may be a secret in the wrong place.
    init(_ bytes: [UInt8], _ shape: Shape) throws(Problem) {
        // An empty body is a form without members.
        guard !bytes.isEmpty else { throw Problem(.form) }
        do throws(JSONError) {
            body = try JSON(reading: bytes, byteLimit: bytes.count, depthLimit: Self.depthLimit)
        } catch {
            throw Problem(error.kind.isOfGrammar ? .notJSON : .refusedJSON)
        }
        self.shape = shape
        try checkMembers()
    }

    /// Checks a value that was already parsed.
    init(_ value: JSON, _ shape: Shape) throws(Problem) {
        (body, self.shape) = (value, shape)
        try checkMembers()
    }

    private func checkMembers() throws(Problem) {
        guard case .object(let members) = body, members.allSatisfy({ shape.allows($0.0) }) else {
            throw Problem(.form)
        }
    }
}

extension JSONError.Kind {
    /// Whether RFC 8259 refuses it too, not only this service.
    fileprivate var isOfGrammar: Bool {
        switch self {
        case .tooDeep, .loneSurrogate, .duplicateName, .notWhole, .minusZero, .outOfRange: false
        case .tooLong, .byteOrderMark, .endsEarly, .unexpectedByte, .trailingBytes, .notUTF8, .controlCharacter,
            .unknownEscape, .leadingZero:
            true
        }
    }
}
