import Testing
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnTestKit

@testable import ThumbturnAudit

@Suite struct AuditKeyTests {
    private static let (first, second, third, stranger) = (
        TestLogKey(scalar: 0x51), TestLogKey(scalar: 0x52), TestLogKey(scalar: 0x53), TestLogKey(scalar: 0x66)
    )

    /// A head of the log with lines.
    private static func note(
        origin: String = TestLog.origin,
        _ lines: (AuditCheckpoint) throws -> [AuditNote.Signature]
    ) throws -> AuditNote {
        var log = TestLog()
        log.fill(to: 9)
        let checkpoint = try log.checkpoint(origin: origin)
        return try AuditNote(checkpoint, signatures: lines(checkpoint))
    }

    /// The first note of a later key beside a former one, which names it.
    private static func handed(_ former: TestLogKey, _ later: TestLogKey) throws -> AuditNote {
        try note { [try former.line(over: $0), try later.line(over: $0), try former.line(naming: later)] }
    }

    /// What is accepted of the first key, and of a second one with a note, by a device that knows the first.
    private static func accepted(_ note: AuditNote?) throws -> [AuditKey] {
        let keys = try [first.key, second.key(from: 9, checkpoint: note)]
        return AuditKeys(origin: TestLog.origin, keys: keys).accepted(knowing: [try first.key])
    }

    @Test(.holds("F-107-10")) func `a key and a list of keys are read as they were written`() throws {
        let keys = try [
            Self.first.key(from: 0),
            Self.second.key(from: 1 << 53 - 1, checkpoint: Self.handed(Self.first, Self.second)),
        ]
        for key in keys { #expect(try AuditKey(reading: key.json) == key) }
        let list = AuditKeys(origin: TestLog.origin, keys: keys)
        let bytes = try list.json.canonical()
        #expect(try AuditKeys(reading: JSON(reading: bytes, byteLimit: bytes.count)) == list)
        let publicKey = try TextCode.base64.encode(Self.first.publicKey).text
        let (id, digest) = (try Self.first.key.id, SHA256.digest(try Self.first.publicKey).hexadecimal)
        #expect(digest.hasPrefix(id) && id.count == 8)
        #expect(
            try AuditKeys(origin: "o", keys: [keys[0]]).json.canonical().text
                == #"{"keys":[{"algorithm":"ecdsa-p256-sha256","from":0,"id":"\#(id)","#
                + #""publicKey":"\#(publicKey)"}],"origin":"o"}"#
        )
    }

    @Test func `members in another order are the same key, and others, or of other values, are none`() throws {
        let key = try Self.first.key
        guard case .object(let members) = key.json else { throw AbsentText(text: "an object") }
        #expect(try AuditKey(reading: .object(members.reversed())) == key)
        let others: [(String, JSON)] = [
            ("algorithm", "ed25519"), ("algorithm", .null), ("from", .integer(-1)), ("from", "1"), ("id", "00000000"),
            ("id", .string(key.id.uppercased() + " ")), ("publicKey", ""), ("publicKey", "AAAA"), ("checkpoint", ""),
            ("checkpoint", .null), ("checkpoint", "a\n1\nAAAA\n\n— k AAAAAAE=\n"), ("more", .null),
        ]
        for (name, value) in others {
            let changed = JSON.object(members.filter { $0.0 != name } + [(name, value)])
            #expect(throws: AuditError.malformed, "\(name)") { try AuditKey(reading: changed) }
        }
        for (name, _) in members {
            #expect(throws: AuditError.malformed) { try AuditKey(reading: .object(members.filter { $0.0 != name })) }
        }
        #expect(throws: AuditError.malformed) { try AuditKey(reading: "key") }
        var offCurve = try Self.first.publicKey
        offCurve[90] ^= 1
        #expect(throws: AuditError.malformed) { try AuditKey(publicKey: offCurve, from: 0) }
    }

    @Test func `a list has 1 to 256 keys, none twice, and a log's name`() throws {
        let key = try Self.first.key
        func list(_ keys: JSON?, _ origin: JSON? = "o", more: Bool = false) -> JSON {
            var members: [(String, JSON)] = []
            if let keys { members.append(("keys", keys)) }
            if let origin { members.append(("origin", origin)) }
            if more { members.append(("v", .integer(1))) }
            return .object(members)
        }
        #expect(try AuditKeys(reading: list(.array([key.json]))).keys == [key])
        let refused: [JSON] = [
            list(.array([])), list(.array([key.json, key.json])), list(.array([.null])), list(key.json), list(nil),
            list(.array([key.json]), nil), list(.array([key.json]), ""), list(.array([key.json]), "a b"),
            list(.array([key.json]), .null),
            list(.array([key.json]), more: true), .null, list(.array(Array(repeating: key.json, count: 257))),
        ]
        for json in refused { #expect(throws: AuditError.malformed) { try AuditKeys(reading: json) } }
    }

    @Test(.holds("A45")) func `a later key is accepted by a note of both in which a known key names it`() throws {
        let note = try Self.handed(Self.first, Self.second)
        #expect(try Self.accepted(note) == [Self.first.key, Self.second.key(from: 9, checkpoint: note)])
        // Other lines beside, in another order.
        let more = try Self.note {
            [
                try AuditNote.Signature(name: "w", keyId: [1, 2, 3, 4], bytes: [1]),
                try Self.first.line(naming: Self.second),
                try Self.second.line(over: $0), try Self.stranger.line(over: $0), try Self.first.line(over: $0),
            ]
        }
        #expect(try Self.accepted(more).count == 2)
    }

    @Test(.holds("A45")) func `keys follow one another, in whatever order they are listed`() throws {
        let keys = try [
            Self.first.key, Self.second.key(from: 9, checkpoint: Self.handed(Self.first, Self.second)),
            Self.third.key(from: 12, checkpoint: Self.handed(Self.second, Self.third)),
        ]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            let listed = order.map { keys[$0] }
            #expect(AuditKeys(origin: TestLog.origin, keys: listed).accepted(knowing: [keys[0]]) == listed)
        }
        let list = AuditKeys(origin: TestLog.origin, keys: keys)
        #expect(list.accepted(knowing: [keys[1]]) == Array(keys[1...]), "who knows a later key needs no former one")
        #expect(list.accepted(knowing: [keys[2]]) == [keys[2]])
        #expect(list.accepted(knowing: []).isEmpty)
        #expect(try list.accepted(knowing: [Self.stranger.key]).isEmpty)
        #expect(AuditKeys(origin: TestLog.origin, keys: [keys[0], keys[2]]).accepted(knowing: [keys[0]]) == [keys[0]])
    }

    @Test(.holds("A45")) func `a key that no former key named is not accepted, whatever it brings`() throws {
        let (first, second, stranger) = (Self.first, Self.second, Self.stranger)
        let forged: [(String, AuditNote?)] = [
            ("no note", nil),
            ("its own alone", try Self.note { [try second.line(over: $0)] }),
            ("the former key's alone", try Self.note { [try first.line(over: $0)] }),
            (
                "a note of the former key to which it added its line",
                try Self.note { [try first.line(over: $0), try second.line(over: $0)] }
            ),
            (
                "named by itself",
                try Self.note {
                    [try first.line(over: $0), try second.line(over: $0), try second.line(naming: second)]
                }
            ),
            (
                "named by itself under the former key's id",
                try Self.note {
                    let line = try second.line(naming: second)
                    let keyId = try first.line(naming: second).keyId
                    return [
                        try first.line(over: $0), try second.line(over: $0),
                        try AuditNote.Signature(name: TestLog.origin, keyId: keyId, bytes: line.bytes),
                    ]
                }
            ),
            (
                "another key was named",
                try Self.note {
                    [try first.line(over: $0), try second.line(over: $0), try first.line(naming: stranger)]
                }
            ),
            (
                "named for another log",
                try Self.note {
                    let line = try first.line(naming: second, origin: "o")
                    let keyId = try first.line(naming: second).keyId
                    return [
                        try first.line(over: $0), try second.line(over: $0),
                        try AuditNote.Signature(name: TestLog.origin, keyId: keyId, bytes: line.bytes),
                    ]
                }
            ),
            (
                "a note of another log",
                try Self.note(origin: "o") {
                    [try first.line(over: $0), try second.line(over: $0), try first.line(naming: second, origin: "o")]
                }
            ),
            (
                "no signature of the former key",
                try Self.note { [try second.line(over: $0), try first.line(naming: second)] }
            ),
            ("none of its own", try Self.note { [try first.line(over: $0), try first.line(naming: second)] }),
            (
                "a signature of the former key that was taken for a name",
                try Self.note {
                    let keyId = try first.line(naming: second).keyId
                    return [
                        try first.line(over: $0), try second.line(over: $0),
                        try AuditNote.Signature(name: TestLog.origin, keyId: keyId, bytes: first.sign($0.text)),
                    ]
                }
            ),
        ]
        for (what, note) in forged { #expect(try Self.accepted(note) == [first.key], "\(what)") }
        #expect(try Self.accepted(Self.handed(stranger, second)) == [first.key], "a stranger named it")
    }

    @Test(.holds("A45")) func `each changed byte of a later key's note is not accepted`() throws {
        let note = try Self.handed(Self.first, Self.second)
        for changed in note.text.mutations(flipping: [1, 0x20]) where changed != note.text {
            guard let read = try? AuditNote(reading: changed) else { continue }
            #expect(try Self.accepted(read).count == 1, "\(changed.text)")
        }
    }

    @Test func `what the former key signs is as it is written down`() throws {
        let digest = SHA256.digest(try Self.second.publicKey).hexadecimal
        #expect(
            try AuditSuccession.message(origin: "o/1", later: Self.second.publicKey).text
                == "thumbturn.audit.key.v1\n{\"origin\":\"o/1\",\"publicKeySha256\":\"\(digest)\"}"
        )
        let line = try Self.first.line(naming: Self.second, origin: "o/1")
        let id = SHA256.digest(
            Array("o/1\n".utf8) + [0xFF] + Array("thumbturn.audit.key.v1\n".utf8) + (try Self.first.publicKey)
        )
        #expect(line.name == "o/1" && line.keyId == Array(id.prefix(4)))
    }
}
