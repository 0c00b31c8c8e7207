import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// Makes the samples of service's exports: good ones, and others that differ from one in one thing each.
struct LedgerSampleMaker {
    private static let user = TestLedger.user
    private static let other = TestTrail.scalar(13)
    private let phone: TestTrail
    private let tablet: TestTrail
    /// Header, two keys, and the lines of six leaves (below).
    private let lines: [String]

    init() throws {
        phone = try TestTrail(count: 4, former: nil)
        tablet = try TestLedger.tabletTrail()
        let (phone, tablet) = (phone, tablet)
        lines = try Self.made { ledger in
            // 3 entry, 4 device, 5 and 6 records, 7 upload, 8 checkpoint; 9 entry, 10 device, 11 record, 12 upload,
            // 13 checkpoint; 14 record, 15 upload, 16 checkpoint.
            ledger.enter(
                .deviceEnrolled(
                    device: phone.device,
                    user: Self.user,
                    publicKeySha256: SHA256.digest(try phone.publicKey)
                )
            )
            try ledger.deliver(phone, 0...1)
            try ledger.sign()
            try ledger.rotate(to: TestLedger.nextKey)
            try ledger.deliver(tablet, 0...0)
            try ledger.sign([TestLedger.nextKey, TestLedger.key])
            try ledger.deliver(phone, 2...2, knowing: 1)
            try ledger.sign([TestLedger.nextKey])
        }
    }

    /// The public keys by the names of their files.
    static func keys() throws -> [String: [[UInt8]]] {
        let (key, next) = (
            try TestLedger.publicKey(of: TestLedger.key), try TestLedger.publicKey(of: TestLedger.nextKey)
        )
        return [
            "log.pem": [key], "next.pem": [next], "both.pem": [next, key],
            "other.pem": [try TestLedger.publicKey(of: other)],
        ]
    }

    /// The files by their names.
    func files() throws -> [String: [UInt8]] {
        var files: [String: String] = [
            "whole": lines.joined(), "cut-line": String(lines.joined().dropLast(300)),
            "no-newline": String(lines.joined().dropLast()), "trailing": lines.joined() + "\n",
            "twice": lines.joined() + lines.joined(), "crlf": lines.map { $0.dropLast() + "\r\n" }.joined(),
            "bom": "\u{FEFF}" + lines.joined(),
        ]
        for (name, change) in moves {
            var lines = lines
            try change(&lines)
            files[name] = lines.joined()
        }
        for (name, line, text, other) in try edits() {
            var lines = lines
            lines[line] = try lines[line].exchanging(text, other)
            files[name] = lines.joined()
        }
        for (name, build) in logs + uploads + heads { files[name] = try Self.made(build).joined() }
        for (name, text, other) in Self.notes {
            files["note-" + name] = try remade { try $0.exchanging(text, other) }
        }
        for (name, text, other) in Self.entries {
            files["entry-" + name] = try Self.made { ledger in
                let entry = LedgerEntry.rejected(
                    device: phone.device,
                    user: Self.user,
                    bodySha256: SHA256.digest([]),
                    code: "FORM"
                )
                let leaf = try String(decoding: entry.leaf(at: ledger.time), as: UTF8.self).exchanging(text, other)
                ledger.add(Array(leaf.utf8)) { _, _ in "{\"entry\":\(leaf),\"index\":0}" }
                try ledger.sign()
            }.joined()
        }
        return files.mapValues { Array($0.utf8) }
    }

    private static func made(_ build: (inout TestLedger) throws -> Void) throws -> [String] {
        var ledger = TestLedger()
        try build(&ledger)
        return try ledger.export().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Lines that went, came twice, or changed places.
    private var moves: [(String, (inout [String]) throws -> Void)] {
        let gone = [
            ("key", 1), ("later-key", 2), ("entry", 3), ("device", 4), ("record", 5), ("last-record", 6), ("upload", 7),
            ("checkpoint", 8), ("last-upload", 15), ("last-checkpoint", 16),
        ].map { name, place in ("no-" + name, { (lines: inout [String]) in _ = lines.remove(at: place) }) }
        let twice = [
            ("header", 0), ("key", 1), ("entry", 3), ("device", 4), ("record", 5), ("upload", 7), ("checkpoint", 8),
        ].map { name, place in ("twice-" + name, { (lines: inout [String]) in lines.insert(lines[place], at: place) }) }
        let swapped = [
            ("keys", 1), ("device", 3), ("records", 5), ("upload", 6), ("checkpoint", 7), ("sections", 8),
        ].map { name, place in ("swapped-" + name, { (lines: inout [String]) in lines.swapAt(place, place + 1) }) }
        return gone + twice + swapped + [
            ("cut", { $0.removeLast(4) }), ("empty-line", { $0.insert("\n", at: 6) }),
            ("empty-end", { $0[16] = "\n" }),
            ("long-line", { $0[6] = String(repeating: "7", count: 20_000) + "\n" }),
            ("long-end", { $0[16] = String(repeating: "7", count: 20_000) + "\n" }),
            (
                "earlier",
                { lines in
                    lines.removeSubrange(9...)
                    lines.remove(at: 2)
                    lines[0] = try lines[0].exchanging("\"to\":6", "\"to\":3")
                }
            ),
        ]
    }

    /// One text of one line that is another: name, line, text, other.
    private func edits() throws -> [(String, Int, String, String)] {
        let signature = try Self.signature(in: lines[6])
        return [
            ("version-2", 0, "\"version\":1", "\"version\":2"), ("from-1", 0, "\"from\":0", "\"from\":1"),
            ("uncounted", 0, "\"to\":6", "\"to\":4"), ("overcounted", 0, "\"to\":6", "\"to\":7"),
            ("shorter", 0, "\"to\":6", "\"to\":5"), ("renamed", 0, "ledger.example", "ledger.examplf"),
            ("no-name", 0, "ledger.example", ""), ("spaced-name", 0, "ledger.example", "ledger example"),
            ("key-id", 1, "\"id\":\"", "\"id\":\"0"), ("key-from", 1, "\"from\":3,", "\"from\":2,"),
            ("key-from-0", 2, "\"from\":5,", "\"from\":0,"), ("key-form", 2, "p256", "p384"),
            ("key-spaced", 1, "\"key\":", "\"key\": "), ("key-late", 2, "\"from\":5,", "\"from\":6,"),
            ("key-note", 2, "\"from\":5", "\"checkpoint\":\"\",\"from\":5"),
            ("changed", 6, "PASSWORD_AUTH_FAILURE", "PASSWORD_AUTH_FALLBACK"),
            ("changed-hash", 5, "\"hash\":\"", "\"hash\":\"0"), ("changed-index", 5, "\"index\":1", "\"index\":2"),
            ("changed-time", 6, "tsServer\":\"2026-02-14T13:", "tsServer\":\"2026-02-14T14:"),
            ("changed-entry", 3, "\"userId\":\"0", "\"userId\":\"1"),
            ("changed-entry-index", 9, "\"index\":3", "\"index\":4"),
            ("changed-signature", 6, signature, signature.replacing("ME", with: "MA", maxReplacements: 1)),
            ("changed-key-id", 6, "\"signatureKeyId\":\"", "\"signatureKeyId\":\"f"),
            ("unsigned", 6, ",\"signature\":\"\(signature)\"", ""), ("record-spaced", 6, "\"record\":", "\"record\": "),
            ("record-member", 6, ",\"seq\"", ",\"security\":1,\"seq\""),
            ("record-exponent", 6, "\"index\":2", "\"index\":2e0"),
            ("device-id", 4, "\"deviceId\":\"0", "\"deviceId\":\"1"), ("device-form", 4, "p256", "p384"),
            ("upload-form", 7, "\"sentAt\"", " \"sentAt\""),
            ("upload-time", 7, "\"sentAt\":\"2026", "\"sentAt\":\"2025"),
            ("upload-nonce", 7, "paWl", "AAAA"), ("upload-last", 7, "\"lastSeq\":1", "\"lastSeq\":0"),
            ("upload-first", 15, "\"firstSeq\":1", "\"firstSeq\":2"),
            ("upload-backwards", 7, "\"firstSeq\":0", "\"firstSeq\":2"),
            ("checkpoint-size", 8, "\\n3\\n", "\\n4\\n"), ("checkpoint-less", 8, "\\n3\\n", "\\n2\\n"),
            ("checkpoint-escape", 8, "ledger.example\\n3", "ledger\\u002eexample\\n3"),
            ("checkpoint-name", 8, "— ledger.example ", "— ledger.examplf "),
            ("unknown-line", 9, "{\"entry\"", "{\"extra\""),
        ]
    }

    private static func signature(in line: String) throws -> String {
        let parts = line.split(separator: "\"signature\":\"", maxSplits: 1)
        guard parts.count == 2 else { throw AbsentText(text: "a signature") }
        return String(parts[1].prefix { $0 != "\"" })
    }
}

// Logs that are signed as they stand.
extension LedgerSampleMaker {
    private typealias Build = (inout TestLedger) throws -> Void

    private var logs: [(String, Build)] {
        let change = LedgerEntry.passwordChanged(user: Self.user, policyEpoch: 1)
        let fork = LedgerEntry.fork(
            device: phone.device,
            epoch: phone.epoch,
            seq: 1,
            user: Self.user,
            bodySha256: SHA256.digest([])
        )
        return [
            ("empty-log", { try $0.sign() }),
            (
                "size-0",
                {
                    try $0.sign(); $0.enter(change); try $0.sign()
                }
            ),
            (
                "one-checkpoint",
                {
                    try $0.deliver(phone, 0...3); try $0.deliver(tablet, 0...2); try $0.sign()
                }
            ),
            (
                "restored",
                { ledger in
                    ledger.enter(.restored(formerOrigin: "ledger.example", size: 9, root: SHA256.digest([])))
                    try ledger.sign()
                }
            ),
            (
                "revoked",
                { ledger in
                    try ledger.deliver(tablet, 0...0)
                    ledger.enter(.deviceRevoked(device: tablet.device, user: Self.user))
                    try ledger.deliver(tablet, 1...1)
                    try ledger.sign()
                }
            ),
            (
                "forked",
                {
                    try $0.deliver(phone, 0...0); $0.enter(fork); try $0.sign()
                }
            ),
            (
                "forked-on",
                {
                    try $0.deliver(phone, 0...0); $0.enter(fork); try $0.deliver(phone, 1...1); try $0.sign()
                }
            ),
            (
                "chain-cut",
                {
                    try $0.deliver(TestTrail(count: 2), 0...1); try $0.sign()
                }
            ),
            (
                "chain-gap",
                {
                    try $0.deliver(phone, 0...0); try $0.deliver(phone, 2...3); try $0.sign()
                }
            ),
            (
                "chain-again",
                {
                    try $0.deliver(phone, 0...1); try $0.deliver(phone, 1...2); try $0.sign()
                }
            ),
            (
                "chain-late",
                {
                    try $0.device(phone); try $0.deliver(phone, 1...2); try $0.sign()
                }
            ),
            (
                "chain-other-key",
                { ledger in
                    try ledger.device(TestTrail(count: 0, scalar: Self.other, former: nil))
                    ledger.record(phone.records[0])
                    try ledger.upload(phone, 0...0)
                    try ledger.sign()
                }
            ),
            (
                "time-fell",
                { ledger in
                    try ledger.deliver(phone, 0...1)
                    ledger.time = TestTrail.start
                    ledger.enter(change)
                    try ledger.sign()
                }
            ),
            (
                "two-keys-at-first",
                {
                    try $0.deliver(phone, 0...0); try $0.sign([TestLedger.key, TestLedger.nextKey])
                }
            ),
            (
                "key-unnamed",
                { ledger in
                    try ledger.deliver(phone, 0...0)
                    try ledger.sign()
                    try ledger.deliver(phone, 1...1)
                    try ledger.sign([TestLedger.nextKey, TestLedger.key])
                }
            ),
            (
                "key-named-by-itself",
                { ledger in
                    try ledger.deliver(phone, 0...0)
                    try ledger.sign()
                    try ledger.rotate(to: TestLedger.nextKey)
                    try ledger.sign([TestLedger.nextKey])
                }
            ),
        ]
    }

    private var uploads: [(String, Build)] {
        func upload(_ build: @escaping Build) -> Build {
            { ledger in
                try ledger.deliver(phone, 0...0)
                for record in phone.records[1...2] { ledger.record(record) }
                try build(&ledger)
                try ledger.sign()
            }
        }
        return [
            ("upload-known", upload { try $0.upload(phone, 0...2) }),
            ("upload-ahead", upload { try $0.upload(phone, 2...2) }),
            ("upload-beyond", upload { try $0.upload(phone, 1...3) }),
            ("upload-head", upload { try $0.upload(phone, 1...2, head: SHA256.digest([])) }),
            ("upload-other-device", upload { try $0.upload(tablet, 1...2) }),
            ("upload-other-key", upload { try $0.upload(phone, 1...2, by: Self.other) }),
            ("upload-other-log", upload { try $0.upload(phone, 1...2, origin: "ledger.example/r1") }),
            (
                "upload-idle",
                upload {
                    try $0.upload(phone, 1...2); try $0.upload(phone, 1...2)
                }
            ),
            (
                "upload-between",
                upload {
                    $0.record(tablet.records[0]); try $0.upload(phone, 1...2)
                }
            ),
        ]
    }

    private var heads: [(String, Build)] {
        func head(_ sign: @escaping Build) -> Build {
            { ledger in
                try ledger.deliver(phone, 0...1)
                try ledger.sign()
                try ledger.deliver(phone, 2...3)
                try sign(&ledger)
            }
        }
        func line(_ name: String, _ count: Int, id: UInt8 = 1) throws -> AuditNote.Signature {
            try AuditNote.Signature(name: name, keyId: [id, 2, 3, 4], bytes: [UInt8](repeating: 7, count: count))
        }
        return [
            ("head-witness", head { try $0.sign(before: [line("ledger.example", 64), line("w.example/\"\\é", 1)]) }),
            ("head-sixteen", head { try $0.sign(before: (1...15).map { try line("w\($0)", 64) }) }),
            ("head-root", head { try $0.sign(root: SHA256.digest([])) }), ("head-ahead", head { try $0.sign(size: 5) }),
            ("head-behind", head { try $0.sign(size: 3) }), ("head-again", head { try $0.sign(size: 2) }),
            ("head-other-log", head { try $0.sign(origin: "other.example") }),
            (
                "head-twice",
                head {
                    try $0.sign(); try $0.sign()
                }
            ),
            (
                "head-other-signature",
                head { ledger in
                    let former = ledger.note?.signatures.first
                    var copy = ledger
                    try copy.sign()
                    if let note = copy.note { ledger.end(with: note, signedBy: former) }
                }
            ),
        ]
    }

    /// The last line with another text of the checkpoint, signed anew: name, text, other.
    private static let notes = [
        ("zero", "\n6\n", "\n06\n"), ("sign", "\n6\n", "\n+6\n"), ("negative", "\n6\n", "\n-6\n"),
        ("huge", "\n6\n", "\n99999999999999999999\n"), ("extension", "=\n", "=\nextra\n"),
        ("root-short", "=\n", "\n"), ("root-empty", "\n6\n", "\n6\n\n"),
        ("space", "ledger.example\n", "ledger.example \n"),
        ("return", "\n6\n", "\n6\r\n"),
    ]

    /// An entry that has another form, and is signed so: name, text, other.
    private static let entries = [
        ("type", "REJECTED", "DOOR_OPENED"), ("member", "\"v\":1", "\"v\":1,\"w\":1"), ("v", "\"v\":1", "\"v\":2"),
        ("code", "FORM", "no form"), ("user", "\"userId\":\"", "\"userId\":\"g"), ("time", "Z\"", "z\""),
        (
            "order", "\"entryType\":\"REJECTED\",\"tsServer\"",
            "\"tsServer\":\"\",\"entryType\":\"REJECTED\",\"tsServer2\""
        ),
        ("none", "\"entryType\":\"REJECTED\",", ""), ("null", "\"FORM\"", "null"), ("right", "FORM", "form.2_-"),
    ]

    /// The export whose last checkpoint says something else, in whatever form, and is signed so.
    private func remade(_ change: (String) throws -> String) throws -> String {
        let former = try Array(lines[16].utf8).note
        let text = try change(String(decoding: former.checkpoint.text, as: UTF8.self))
        let key = try P256PrivateKey(scalar: SecretBytes(of: TestLedger.nextKey))
        let code = TextCode.base64.encode(former.signatures[0].keyId + (try key.sign(Array(text.utf8))))
        let note = text + "\n— ledger.example " + String(decoding: code, as: UTF8.self) + "\n"
        let escaped = note.replacing("\r", with: "\\r").replacing("\n", with: "\\n")
        return lines.dropLast().joined() + "{\"checkpoint\":\"\(escaped)\"}\n"
    }
}

extension String {
    /// Replaces the first occurrence of a text; an absent one fails the test that calls.
    func exchanging(_ text: String, _ other: String) throws -> String {
        try String(decoding: Array(utf8).replacing(text, with: other), as: UTF8.self)
    }
}
