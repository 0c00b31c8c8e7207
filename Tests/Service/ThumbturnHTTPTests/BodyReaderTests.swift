import Testing

@testable import ThumbturnHTTP

struct BodyReaderTests {
    /// Reads content in pieces of so many bytes; nil where it does not end.
    private func read(
        _ bytes: [UInt8],
        as length: RequestHead.Content = .chunked,
        maximum: Int = 100,
        inPiecesOf size: Int = .max
    ) throws(Refusal) -> (content: String, left: String)? {
        var reader = try BodyReader(length, maximum: maximum, lineLimit: 256)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            var position = 0
            let isWhole = try reader.read(piece, from: &position)
            rest = rest.dropFirst(position)
            guard isWhole else { continue }
            return (String(decoding: reader.takeContent().bytes, as: UTF8.self), String(decoding: rest, as: UTF8.self))
        }
        return nil
    }

    private func refusal(_ bytes: [UInt8], as length: RequestHead.Content = .chunked, maximum: Int = 100) -> Refusal? {
        do throws(Refusal) {
            _ = try read(bytes, as: length, maximum: maximum)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [1, 2, 5, .max])
    func `chunks are joined, and what follows them is left alone`(size: Int) throws {
        let bytes = wire("5;a=\"b\"\nhello\n00001\n \nA\nit is me.\r\n0\nX-Trailer: a\n\nGET /")
        let (content, left) = try #require(try read(bytes, inPiecesOf: size))
        #expect(content == "hello it is me.\r")
        #expect(left == "GET /")
    }

    @Test(arguments: [1, 3, .max])
    func `content of a known length ends where it says`(size: Int) throws {
        let (content, left) = try #require(try read(wire("hello, GET /"), as: .fixed(5), inPiecesOf: size))
        #expect((content, left) == ("hello", ", GET /"))
        #expect(try read(wire("hell"), as: .fixed(5)) == nil)
    }

    @Test(
        .holds("SVC-2"),
        arguments: [
            "\n", "g\nhello", "-5\nhello", "+5\nhello", "0x5\nhello", " 5\nhello", "5 \nhello", "5\t;a\nhello",
            ";a\nhello",
            "5\nhelloX\n0\n\n", "5\nhello5\nhello\n0\n\n", "000000005\nhello\n0\n\n", "FFFFFFFFF\nhello",
            "5;\u{0}\nhello",
        ]
    )
    func `a chunk that two readers could take for two things is refused`(bytes: String) {
        #expect(refusal(wire(bytes)) == .malformed(.chunk))
    }

    @Test(.holds("SVC-2")) func `a line among chunks ends in CR LF and nothing else`() {
        for bytes in [
            "5\nhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\r\nhello\r0\r\n\r\n", "5;a\nhello", "5\rhello",
        ] {
            #expect(refusal(Array(bytes.utf8)) == .malformed(.chunk), "\(bytes)")
        }
        for bytes in ["0\r\n\n", "0\r\nA: b\n\r\n", "0\r\nA: b\rc\r\n\r\n", "0\r\nA: \u{0}\r\n\r\n"] {
            #expect(refusal(Array(bytes.utf8)) == .malformed(.trailer), "\(bytes)")
        }
        #expect(refusal(wire("0\nA b\n\n")) == .malformed(.headerLine))
        #expect(refusal(wire("0\nA: b\n c\n\n")) == .malformed(.foldedHeader))
    }

    @Test(.holds("SVC-4")) func `content that is longer than may be is refused as soon as that shows`() {
        #expect(refusal([], as: .fixed(101)) == .bodyTooLarge(maximum: 100))
        #expect(refusal(wire("65\n")) == .bodyTooLarge(maximum: 100))
        #expect(refusal(wire("FFFFFFFF\n")) == .bodyTooLarge(maximum: 100))
        let many = String(repeating: "1\na\n", count: 101)
        #expect(refusal(wire(many)) == .bodyTooLarge(maximum: 100))
        #expect(refusal(wire("1\na\n"), maximum: 0) == .bodyTooLarge(maximum: 0))
        #expect(refusal(wire("64\n" + String(repeating: "a", count: 100) + "\n0\n\n")) == nil)
    }

    @Test(.holds("SVC-4")) func `what is skipped among chunks has a limit of its own`() {
        let chunk = "1;" + String(repeating: "x", count: 90) + "\na\n"
        #expect(refusal(wire(chunk + chunk)) == nil)
        #expect(refusal(wire(chunk + chunk + chunk)) == .malformed(.chunk))
        #expect(refusal(wire("0\nA: " + String(repeating: "x", count: 300))) == .headersTooLarge)
        #expect(refusal(wire("0\n" + String(repeating: "A: b\n", count: 60))) == .headersTooLarge)
    }
}
