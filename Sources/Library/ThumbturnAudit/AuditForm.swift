import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// The members of a record, to be written or as they were read.
struct AuditForm {
    let eventId: Identifier
    let kind: AuditEventKind
    let userId: String?
    let deviceId: Identifier
    let at: Milliseconds
    let epoch: Identifier
    let seq: UInt64
    let payload: AuditPayload
    let previous: [UInt8]

    private static let label = Array("thumbturn.audit.event.v1\n".utf8)
    /// What seed 002 names in each record.
    private static let story = "PD-107"
    private static let version: UInt64 = 1

    /// Writes the canonical record with its hash.
    ///
    /// - Throws: `.malformed` for a number above 2^53 − 1.
    func written() throws(AuditError) -> [UInt8] {
        let body = try json.canonicalBytes()
        // `integrity` is the first object inside the record, and `hash` its first member: no need to write all again.
        guard let start = body.dropFirst().firstIndex(of: UInt8(ascii: "{")) else { throw .malformed }
        var line = body
        let member = Array("\"hash\":\"".utf8) + TextCode.hexadecimal.encode(Self.hash(of: body)) + Array("\",".utf8)
        line.insert(contentsOf: member, at: start + 1)
        return line
    }

    private var json: JSON {
        var members: [(String, JSON)] = [
            ("deviceId", .string(deviceId.text)), ("epoch", .string(epoch.text)),
            ("eventId", .string(eventId.uuidText)), ("eventType", .string(kind.name)),
            ("integrity", ["prevHash": .hexadecimal(previous)]), ("payload", payload.json), ("seq", .number(seq)),
            ("storyId", .string(Self.story)), ("tsClient", .string(at.utcText)),
        ]
        if let userId { members.append(("userId", .string(userId))) }
        members.append(("v", .number(Self.version)))
        return .object(members)
    }

    /// Reads a record.
    ///
    /// - Returns: what it says, the hash that it claims, and where `"hash":"…",` stands in the line.
    static func read(_ line: [UInt8]) throws(AuditError) -> (AuditForm, hash: [UInt8], hashed: Range<Int>) {
        var scanner = AuditScanner(line)
        try scanner.skip("{\"deviceId\":\"")
        let deviceId = try scanner.identifier()
        try scanner.skip("\",\"epoch\":\"")
        let epoch = try scanner.identifier()
        try scanner.skip("\",\"eventId\":\"")
        let eventId = try scanner.uuid()
        try scanner.skip("\",\"eventType\":\"")
        let kind = try scanner.kind()
        try scanner.skip("\",\"integrity\":{")
        let start = scanner.position
        try scanner.skip("\"hash\":\"")
        let hash = try scanner.digest()
        try scanner.skip("\",")
        let hashed = start..<scanner.position
        try scanner.skip("\"prevHash\":\"")
        let previous = try scanner.digest()
        try scanner.skip("\"},\"payload\":")
        let payload = try AuditPayload(&scanner)
        try scanner.skip(",\"seq\":")
        let seq = try scanner.number()
        try scanner.skip(",\"storyId\":\"PD-107\",\"tsClient\":\"")
        let at = try scanner.time()
        let userId: String? = scanner.take("\",\"userId\":\"") ? try scanner.word() : nil
        try scanner.skip("\",\"v\":1}")
        guard scanner.isAtEnd else { throw .malformed }
        let form = AuditForm(
            eventId: eventId,
            kind: kind,
            userId: userId,
            deviceId: deviceId,
            at: at,
            epoch: epoch,
            seq: seq,
            payload: payload,
            previous: previous
        )
        return (form, hash, hashed)
    }

    /// The hash of a record without its hash.
    private static func hash(of body: [UInt8]) -> [UInt8] { SHA256.digest(label, body) }

    /// The same from a line that has its hash in this place.
    static func hash(of line: [UInt8], without hashed: Range<Int>) -> [UInt8] {
        var hasher = SHA256.Hasher()
        hasher.update(label)
        unsafe line.withUnsafeBytes { line in
            unsafe hasher.update(line.bytes.extracting(0..<hashed.lowerBound))
            unsafe hasher.update(line.bytes.extracting(hashed.upperBound..<line.count))
        }
        return hasher.finalize()
    }
}
