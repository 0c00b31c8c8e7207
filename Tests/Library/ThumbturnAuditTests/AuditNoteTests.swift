import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnAudit

@Suite struct AuditNoteTests {
    /// The example of C2SP tlog-witness: a log's head with two lines of its own.
    private static let published = """
        example.com/behind-the-sofa
        20852163
        CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

        — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE\
        +xeMcTOAYQ8=
        — example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovn\
        zv++qbSzm9Q=

        """

    private static func read(_ text: String) throws(AuditError) -> AuditNote {
        try AuditNote(reading: Array(text.utf8))
    }

    @Test(.holds("F-107-10")) func `C2SP's example is read, and written as it was`() throws {
        let note = try Self.read(Self.published)
        #expect(note.checkpoint.origin == "example.com/behind-the-sofa" && note.checkpoint.size == 20_852_163)
        #expect(note.checkpoint.root.hexadecimal == "0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62")
        #expect(note.signatures.map(\.name) == ["example.com/behind-the-sofa", "example.com/behind-the-sofa"])
        #expect(note.signatures.map(\.keyId.hexadecimal) == ["033de0ae", "a292ea05"])
        #expect(note.signatures.map(\.bytes.count) == [64, 64])
        #expect(note.text == Array(Self.published.utf8))
        #expect(note.checkpoint.text == Array(Self.published.utf8.prefix(82)))
    }

    /// The example of Go's `sumdb/note`.
    @Test func `the line for witnesses has the key id that others compute, and verifies`() throws {
        let code = try #require(TextCode.base64.decode(Array("ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW".utf8)))
        let line = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
        let signature = try #require(TextCode.base64.decode(Array(line.utf8)))
        let key = Array(code.dropFirst())
        #expect(AuditKey.witnessKeyId(name: "PeterNeumann", publicKey: key).hexadecimal == "c74f20a3")
        #expect(Array(signature.prefix(4)).hexadecimal == "c74f20a3")
        let text = """
            If you think cryptography is the answer to your problem,
            then you don't know what your problem is.

            """
        try Ed25519.verify(signature: Array(signature.dropFirst(4)), of: Array(text.utf8), publicKey: key)
    }

    /// The key of rekor.sigstore.dev, as its note verifier has it.
    @Test func `a key of P-256 has the key id that others compute`() throws {
        let text = """
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2G2Y+2tabdTV5BcGiBIx0a9fAFwrkBbmLSGtks4L3qX6yYY0zufBnhC8Ur/iy55G\
            hWP/9A/bY2LhC30M9+RYtw==
            """
        let publicKey = try #require(TextCode.base64.decode(Array(text.utf8)))
        #expect(try AuditKey(publicKey: publicKey, from: 0).id == "c0d23d6a")
    }

    @Test(.holds("A45")) func `a note verifies by the key that signed it, and by no other`() throws {
        var log = TestLog()
        log.fill(to: 5)
        let note = try log.note()
        try note.verify(by: log.key.key)
        #expect(try note.signature(by: log.key.key) == note.signatures[0].bytes)
        let stranger = TestLogKey(scalar: 2)
        #expect(try note.signature(by: stranger.key) == nil)
        #expect(throws: AuditError.unsigned) { try note.verify(by: stranger.key) }
        #expect(throws: AuditError.unsigned) { try note.verify(byAnyOf: []) }
        // Another text; another's signature under this key's id; this key's under another name, as a witness's.
        let other = try log.checkpoint(size: 4)
        let forged = [
            try AuditNote(other, signatures: note.signatures),
            try AuditNote(
                note.checkpoint,
                signatures: [
                    AuditNote.Signature(
                        name: TestLog.origin,
                        keyId: log.key.key.keyId,
                        bytes: stranger.sign(note.checkpoint.text)
                    )
                ]
            ),
            try AuditNote(
                note.checkpoint,
                signatures: [
                    AuditNote.Signature(
                        name: "witness.example",
                        keyId: log.key.key.keyId,
                        bytes: note.signatures[0].bytes
                    )
                ]
            ),
        ]
        for note in forged {
            #expect(throws: AuditError.unsigned) { try note.verify(by: log.key.key) }
            #expect(throws: AuditError.unsigned) { try note.verify(byAnyOf: [log.key.key, stranger.key]) }
        }
    }

    @Test(.holds("A45")) func `each changed byte of a signed note is refused`() throws {
        var log = TestLog()
        log.fill(to: 3)
        let (note, key) = (try log.note(), try log.key.key)
        for changed in note.text.mutations() where changed != note.text {
            guard let read = try? AuditNote(reading: changed) else { continue }
            #expect(read.text == changed)
            #expect(throws: AuditError.unsigned, "\(changed.text)") { try read.verify(by: key) }
        }
    }

    @Test func `lines of unknown keys are kept and mean nothing; a wrong one of a known key spoils the note`() throws {
        var log = TestLog()
        log.fill(to: 2)
        let checkpoint = try log.checkpoint()
        let (own, stranger) = (try log.key.line(over: checkpoint), TestLogKey(scalar: 2))
        let witness = try AuditNote.Signature(name: "témoin.example/α", keyId: [1, 2, 3, 4], bytes: [0])
        let note = try AuditNote(checkpoint, signatures: [witness, stranger.line(over: checkpoint), own])
        let read = try AuditNote(reading: note.text)
        #expect(read == note && read.signatures.count == 3 && read.signatures[0] == witness)
        try read.verify(by: log.key.key)
        try read.verify(byAnyOf: [log.key.key])
        let wrong = try AuditNote.Signature(name: checkpoint.origin, keyId: stranger.key.keyId, bytes: own.bytes)
        let spoilt = try AuditNote(checkpoint, signatures: [own, wrong])
        try spoilt.verify(byAnyOf: [log.key.key])
        #expect(throws: AuditError.unsigned) { try spoilt.verify(byAnyOf: [log.key.key, stranger.key]) }
    }

    @Test func `a note has 1 to 16 lines, each of another key, and at most 8 KiB`() throws {
        let checkpoint = try TestLog().checkpoint()
        func line(_ number: Int, count: Int = 70) throws -> AuditNote.Signature {
            try AuditNote.Signature(
                name: "k\(number)",
                keyId: [0, 0, 0, UInt8(number)],
                bytes: [UInt8](repeating: 1, count: count)
            )
        }
        let lines = try (1...17).map { try line($0) }
        #expect(throws: AuditError.malformed) { try AuditNote(checkpoint, signatures: []) }
        #expect(throws: AuditError.malformed) { try AuditNote(checkpoint, signatures: lines) }
        #expect(throws: AuditError.malformed) { try AuditNote(checkpoint, signatures: [lines[0], lines[1], lines[0]]) }
        let most = try AuditNote(checkpoint, signatures: Array(lines.dropLast()))
        #expect(try AuditNote(reading: most.text) == most)
        let seventeen = checkpoint.text + [0x0A] + (0..<17).flatMap { Array("— k\($0) AAAAAAE=\n".utf8) }
        #expect(throws: AuditError.malformed) { try AuditNote(reading: seventeen) }
        let long = try AuditNote(checkpoint, signatures: [line(1, count: 6_000)])
        #expect(try AuditNote(reading: long.text) == long)
        #expect(throws: AuditError.malformed) { try AuditNote(checkpoint, signatures: [line(1, count: 6_200)]) }
        let tooLong =
            checkpoint.text + Array("\n— k ".utf8) + TextCode.base64.encode(.init(repeating: 1, count: 6_201)) + [0x0A]
        #expect(throws: AuditError.malformed) { try AuditNote(reading: tooLong) }
    }

    @Test func `names of other bytes are other names, though they look alike`() throws {
        let checkpoint = try TestLog().checkpoint()
        // U+212A is the Kelvin sign, which Swift takes for a K.
        let (letter, sign) = (
            try AuditNote.Signature(name: "K", keyId: [1, 2, 3, 4], bytes: [1]),
            try AuditNote.Signature(name: "\u{212A}", keyId: [1, 2, 3, 4], bytes: [1])
        )
        #expect(letter != sign)
        let note = try AuditNote(checkpoint, signatures: [letter, sign])
        #expect(try AuditNote(reading: note.text) == note)
    }

    @Test(arguments: [
        ("no empty line", "a\n1\nROOT\n— k AAAAAAE=\n"), ("two", "a\n1\nROOT\n\n\n— k AAAAAAE=\n"),
        ("no line", "a\n1\nROOT\n\n"),
        ("a hyphen", "a\n1\nROOT\n\n- k AAAAAAE=\n"), ("no space", "a\n1\nROOT\n\n—k AAAAAAE=\n"),
        ("two spaces", "a\n1\nROOT\n\n—  k AAAAAAE=\n"), ("two later", "a\n1\nROOT\n\n— k  AAAAAAE=\n"),
        ("a last space", "a\n1\nROOT\n\n— k AAAAAAE= \n"), ("no name", "a\n1\nROOT\n\n—  AAAAAAE=\n"),
        ("a plus", "a\n1\nROOT\n\n— k+l AAAAAAE=\n"), ("a tab", "a\n1\nROOT\n\n— k\tl AAAAAAE=\n"),
        ("a wide space", "a\n1\nROOT\n\n— k\u{3000}l AAAAAAE=\n"),
        ("a next line", "a\n1\nROOT\n\n— k\u{85}l AAAAAAE=\n"),
        ("a control character", "a\n1\nROOT\n\n— k\u{1}l AAAAAAE=\n"),
        ("a delete", "a\n1\nROOT\n\n— k\u{7F}l AAAAAAE=\n"),
        ("no signature", "a\n1\nROOT\n\n— k AAAAAA==\n"), ("three bytes", "a\n1\nROOT\n\n— k AAAA\n"),
        ("no padding", "a\n1\nROOT\n\n— k AAAAAAE\n"), ("a lost bit", "a\n1\nROOT\n\n— k AAAAAAF=\n"),
        ("URL base64", "a\n1\nROOT\n\n— k AAAAA_-=\n"), ("no newline", "a\n1\nROOT\n\n— k AAAAAAE="),
        ("one more", "a\n1\nROOT\n\n— k AAAAAAE=\n\n"), ("CR", "a\r\n1\r\nROOT\r\n\r\n— k AAAAAAE=\r\n"),
        ("an extension", "a\n1\nROOT\nx\n\n— k AAAAAAE=\n"), ("a mark", "\u{FEFF}a\n1\nROOT\n\n— k AAAAAAE=\n"),
        ("a key twice", "a\n1\nROOT\n\n— k AAAAAAE=\n— k AAAAAAI=\n"), ("nothing", ""), ("newlines", "\n\n\n\n\n\n"),
        ("an empty line between", "a\n1\nROOT\n\n— k AAAAAAE=\n\n— l AAAAAAE=\n"),
    ])
    func `another form is no note`(what: String, text: String) throws {
        let root = TextCode.base64.encode(SHA256.digest([1])).text
        let text = text.split(separator: "ROOT", omittingEmptySubsequences: false).joined(separator: root)
        #expect(throws: AuditError.malformed, "\(what)") { try Self.read(text) }
        try #require(try Self.read("a\n1\n\(root)\n\n— k AAAAAAE=\n").signatures.count == 1)
    }

    @Test func `bytes that are no UTF-8 are no name`() throws {
        let text =
            Array("a\n1\n\(TextCode.base64.encode(SHA256.digest([1])).text)\n\n— k".utf8) + [0xFF]
            + Array(" AAAAAAE=\n".utf8)
        #expect(throws: AuditError.malformed) { try AuditNote(reading: text) }
    }
}

@Suite struct AuditCheckpointTests {
    private static let root = SHA256.digest([1])

    @Test(arguments: [0, 1, 70_000, UInt64.max]) func `a checkpoint is read as it was written`(size: UInt64) throws {
        for origin in ["a", "https://id.example.com", "http://[::1]:8107/r2/63", String(repeating: "x", count: 512)] {
            let checkpoint = try AuditCheckpoint(origin: origin, size: size, root: Self.root)
            #expect(try AuditCheckpoint(reading: checkpoint.text) == checkpoint)
            #expect(checkpoint.text.text == "\(origin)\n\(size)\n\(TextCode.base64.encode(Self.root).text)\n")
        }
    }

    @Test func `an origin has no space, plus, control character or other letter, and at most 512 bytes`() {
        for origin in [
            "", " ", "a b", "a+b", "a\nb", "a\tb", "a\u{7F}", "é", "a\u{212A}", String(repeating: "x", count: 513),
        ] {
            #expect(!AuditCheckpoint.accepts(origin: origin), "\(origin)")
            #expect(throws: AuditError.malformed) { try AuditCheckpoint(origin: origin, size: 1, root: Self.root) }
        }
        #expect(throws: AuditError.malformed) {
            try AuditCheckpoint(origin: "a", size: 1, root: Array(Self.root.dropLast()))
        }
    }

    @Test(
        .holds("A45"),
        arguments: [
            "", "a", "a\n1\n", "a\n1\nROOT", "a\n1\nROOT\n\n", "a\n1\nROOT\nx\n", "a\n01\nROOT\n", "a\n+1\nROOT\n",
            "a\n-1\nROOT\n",
            "a\n\nROOT\n", "a\n1 \nROOT\n", "a\n1.0\nROOT\n", "a\n1e3\nROOT\n", "a\n18446744073709551616\nROOT\n",
            "a\n١\nROOT\n",
            "\n1\nROOT\n", " a\n1\nROOT\n", "a b\n1\nROOT\n", "a+b\n1\nROOT\n", "é\n1\nROOT\n", "a\r\n1\r\nROOT\r\n",
            "a\n1\nAAAA\n", "a\n1\nROOT=\n", "a\n1\n ROOT\n", "\u{FEFF}a\n1\nROOT\n", "a\n1\n\n",
        ]
    )
    func `another form is no checkpoint`(text: String) throws {
        let root = TextCode.base64.encode(Self.root).text
        let text = text.split(separator: "ROOT", omittingEmptySubsequences: false).joined(separator: root)
        #expect(throws: AuditError.malformed) { try AuditCheckpoint(reading: Array(text.utf8)) }
    }

    @Test func `each changed byte is refused or another checkpoint`() throws {
        let checkpoint = try AuditCheckpoint(origin: TestLog.origin, size: 1_234, root: Self.root)
        for changed in checkpoint.text.mutations() where changed != checkpoint.text {
            guard let read = try? AuditCheckpoint(reading: changed) else { continue }
            #expect(read != checkpoint && read.text == changed)
        }
    }
}
