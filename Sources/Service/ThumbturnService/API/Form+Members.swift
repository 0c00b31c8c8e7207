import ThumbturnJSON

// Members, read from the body.
extension Form {
    /// Returns a required member.
    func callAsFunction<Value>(_ member: Member<Value>) throws(Problem) -> Value {
        guard let value = try optional(member) else { throw .form(member.name) }
        return value
    }

    /// Returns an optional member, which may be absent but not null.
    func optional<Value>(_ member: Member<Value>) throws(Problem) -> Value? {
        precondition(shape.allows(member.name), "a member that the document does not have")
        guard let value = body[member.name] else { return nil }
        guard let read = member.read(value) else { throw .form(member.name) }
        return read
    }

    /// Returns the bytes that a proof covers: the body without the proof, in canonical JSON (RFC 8785).
    func provenBytes() throws(Problem) -> [UInt8] {
        guard case .object(let members) = body else { throw Problem(.form) }
        let proven = JSON.object(members.filter { !$0.0.utf8.elementsEqual(Member.proof.name.utf8) })
        do throws(JSONError.Kind) { return try proven.canonical() } catch { throw Problem(.form) }
    }
}
