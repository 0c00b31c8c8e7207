import ThumbturnJSON

/// What a body may hold: the members that it must have, those that it may have, and no others.
struct Shape: Sendable {
    /// A member without its reader.
    typealias Described = (name: String, schema: JSON)

    let required: [Described]
    var optional: [Described] = []

    /// JSON Schema, as OpenAPI 3.1 has it.
    var schema: JSON {
        [
            "type": "object", "additionalProperties": .bool(false),
            "required": .array(required.map { .string($0.name) }),
            "properties": .object((required + optional).map { ($0.name, $0.schema) }),
        ]
    }

    fileprivate func allows(_ name: String) -> Bool {
        (required + optional).contains { $0.name.utf8.elementsEqual(name.utf8) }
    }
}

extension Member {
    /// The member as a shape lists it.
    var described: Shape.Described { (name, schema) }
}

/// A body that was read: an object that holds no member which its shape does not name.
struct Form {
    /// How deep values may lie in one another: as deep as any body of ours, and a little more.
    private static let depthLimit = 8

    /// The body as it came, for what was computed over it.
    let body: JSON
    private let shape: Shape

    /// Reads a body.
    ///
    /// - Throws: `.notJSON` for what no grammar takes, `.refusedJSON` for what not all readers take for the same, and
    ///   `.form` for an unknown member. Its name is not repeated, for it may be a secret in the wrong place.
    init(_ bytes: [UInt8], _ shape: Shape) throws(Problem) {
        // No body at all is a form without any member.
        guard !bytes.isEmpty else { throw Problem(.form) }
        do throws(JSONError) {
            body = try JSON(reading: bytes, byteLimit: bytes.count, depthLimit: Self.depthLimit)
        } catch {
            throw Problem(error.kind.isOfGrammar ? .notJSON : .refusedJSON)
        }
        self.shape = shape
        try checkMembers()
    }

    /// Takes a value that was read already.
    init(_ value: JSON, _ shape: Shape) throws(Problem) {
        (body, self.shape) = (value, shape)
        try checkMembers()
    }

    private func checkMembers() throws(Problem) {
        guard case .object(let members) = body, members.allSatisfy({ shape.allows($0.0) }) else {
            throw Problem(.form)
        }
    }

    /// A member that has to be there.
    func callAsFunction<Value>(_ member: Member<Value>) throws(Problem) -> Value {
        guard let value = try optional(member) else { throw .form(member.name) }
        return value
    }

    /// A member that may be absent, but not null.
    func optional<Value>(_ member: Member<Value>) throws(Problem) -> Value? {
        precondition(shape.allows(member.name), "a member that the document does not have")
        guard let value = body[member.name] else { return nil }
        guard let read = member.read(value) else { throw .form(member.name) }
        return read
    }

    /// What a proof over the body is computed over: all but the proof, in the one form that JSON has for it (RFC 8785).
    func provenBytes() throws(Problem) -> [UInt8] {
        guard case .object(let members) = body else { throw Problem(.form) }
        let proven = JSON.object(members.filter { !$0.0.utf8.elementsEqual(Member.proof.name.utf8) })
        do throws(JSONError.Kind) { return try proven.canonical() } catch { throw Problem(.form) }
    }
}

extension JSONError.Kind {
    /// Whether RFC 8259 refuses it, and not only we.
    fileprivate var isOfGrammar: Bool {
        switch self {
        case .tooDeep, .loneSurrogate, .duplicateName, .notWhole, .minusZero, .outOfRange: false
        case .tooLong, .byteOrderMark, .endsEarly, .unexpectedByte, .trailingBytes, .notUTF8, .controlCharacter,
            .unknownEscape, .leadingZero:
            true
        }
    }
}
