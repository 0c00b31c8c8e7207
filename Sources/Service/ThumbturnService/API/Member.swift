import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// A member of a body: its name, its schema, and its reader.
struct Member<Value>: Sendable {
    let name: String
    /// The JSON Schema, as used in OpenAPI 3.1.
    let schema: JSON
    /// Returns `nil` for a value of another form.
    let read: @Sendable (JSON) -> Value?

    /// The member's entry in a shape.
    var described: Shape.Described { (name, schema) }
}

// The forms of members.
extension Member {
    /// Returns a member whose text `read` parses and a pattern describes.
    fileprivate static func text(
        _ name: String,
        _ schema: [(String, JSON)],
        _ read: @escaping @Sendable (String) -> Value?
    ) -> Member {
        Member(name: name, schema: .object([("type", "string")] + schema)) { value in
            guard case .string(let text) = value else { return nil }
            return read(text)
        }
    }
}

extension Member<[UInt8]> {
    /// Returns a member with bytes in lower-case hexadecimal; `counts` lists the allowed numbers of bytes.
    fileprivate static func hexadecimal(_ name: String, _ counts: [Int], firstIsNotZero: Bool = false) -> Member {
        let first = firstIsNotZero ? "([0-9a-f][1-9a-f]|[1-9a-f][0-9a-f])" : "[0-9a-f]{2}"
        let others = counts.map { count in "[0-9a-f]{\(2 * count - 2)}" }
        let pattern = "^\(first)(\(others.joined(separator: "|")))$"
        return text(name, [("pattern", .string(pattern))]) { text in
            guard counts.contains(text.utf8.count / 2), text.utf8.allSatisfy({ !(0x41...0x5A).contains($0) }),
                let bytes = TextCode.hexadecimal.decode(Array(text.utf8)), counts.contains(bytes.count)
            else { return nil }
            return firstIsNotZero && bytes.first == 0 ? nil : bytes
        }
    }

    /// Returns a member with bytes in base64; `counts` is the allowed range of bytes.
    fileprivate static func base64(_ name: String, _ counts: ClosedRange<Int>) -> Member {
        func characters(_ count: Int) -> JSON { JSON(TextCode.base64.characterCount(of: count)) }
        let whole = "[A-Za-z0-9+/]"
        // The unused bits of the last character are zero, so that the same bytes have one encoding.
        let (one, two) = ("\(whole)[AQgw]==", "\(whole){2}[AEIMQUYcgkosw048]=")
        let end = counts.count > 1 ? "(\(one)|\(two))?" : ["", one, two][counts.lowerBound % 3]
        let pattern = "^(\(whole){4}){\(counts.lowerBound / 3),\(counts.upperBound / 3)}\(end)$"
        let lengths = [("minLength", characters(counts.lowerBound)), ("maxLength", characters(counts.upperBound))]
        return text(name, [("pattern", .string(pattern)), ("contentEncoding", "base64")] + lengths) { text in
            guard let bytes = TextCode.base64.decode(Array(text.utf8)), counts.contains(bytes.count) else { return nil }
            return bytes
        }
    }
}

// The members.
extension Member<AccountName> {
    static let account = Member.text("account", [("pattern", .string(AccountName.pattern))]) { AccountName($0) }
}

extension Member<SRPGroup> {
    static let group = Member.text("group", [("enum", .array(SRPGroup.allCases.map { .string($0.rawValue) }))]) {
        SRPGroup(rawValue: $0)
    }
}

extension Member<KDFChoice> {
    /// An object, parsed as strictly as a body.
    static let kdf = Member(name: "kdf", schema: shape.schema) { value in
        guard let form = try? Form(value, shape), let memory = try? form(Member<Int64>.memory),
            let passes = try? form(Member<Int64>.passes), (try? form(Member<Int64>.lanes)) != nil,
            (try? form(Member<String>.function)) != nil
        else { return nil }
        return KDFChoice(memoryKiB: memory, passes: passes)
    }

    private static let shape = Shape(
        required: [
            Member<String>.function.described, Member<Int64>.memory.described, Member<Int64>.passes.described,
            Member<Int64>.lanes.described,
        ]
    )
}

extension Member<Int64> {
    static let policyEpoch = integer("policyEpoch", PolicyEpoch.numbers)
    fileprivate static let memory = integer("memoryKiB", KDFChoice.memories)
    fileprivate static let passes = integer("passes", KDFChoice.passes)
    fileprivate static let lanes = integer("lanes", 1...1)

    private static func integer(_ name: String, _ values: ClosedRange<Int64>) -> Member {
        let bounds = [("minimum", JSON.integer(values.lowerBound)), ("maximum", .integer(values.upperBound))]
        return Member(name: name, schema: .object([("type", "integer")] + bounds)) { value in
            guard case .integer(let number) = value, values.contains(number) else { return nil }
            return number
        }
    }
}

extension Member<String> {
    static let algorithm = constant("algorithm", DeviceKey.algorithm)
    fileprivate static let function = constant("name", KDFChoice.name)

    private static func constant(_ name: String, _ word: String) -> Member {
        text(name, [("const", .string(word))]) { $0.utf8.elementsEqual(word.utf8) ? $0 : nil }
    }
}

extension Member<Identifier> {
    static let deviceID = Member.text("deviceId", [("pattern", "^[0-9a-f]{32}$")]) { Identifier(text: $0) }
}

extension Member<DeviceName> {
    static let deviceName = Member.text("name", [("pattern", .string(DeviceName.pattern))]) { DeviceName($0) }
}

extension Member<ServiceTime> {
    static let sentAt = Member.text("sentAt", [("pattern", .string(ServiceTime.pattern))]) {
        ServiceTime(text: $0)
    }
}

extension Member<[UInt8]> {
    private static let widths = SRPGroup.allCases.map(\.byteCount)

    static let salt = hexadecimal("salt", [16], firstIsNotZero: true)
    static let verifier = hexadecimal("verifier", widths)
    static let clientValue = hexadecimal("A", widths)
    static let clientProof = hexadecimal("M1", [SHA256.byteCount])
    static let proof = hexadecimal("proof", [SHA256.byteCount])
    static let previous = hexadecimal("previous", [SHA256.byteCount])
    static let keyEnvelope = base64("keyEnvelope", 1...EnvelopeRule.mostBytes)
    static let publicKey = base64("publicKey", DeviceKey.byteCount...DeviceKey.byteCount)
    static let nonce = base64("nonce", 16...16)
    static let signature = base64("signature", DeviceKey.signatureByteCounts)
}
