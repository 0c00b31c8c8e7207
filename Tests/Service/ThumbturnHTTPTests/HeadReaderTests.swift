import Testing

@testable import ThumbturnHTTP

struct HeadReaderTests {
    @Test(arguments: [1, 2, 7, .max])
    func `a head says the same in pieces of any size`(size: Int) throws {
        let head = try #require(
            try readHead(
                wire(
                    "POST /v1/login?a=b%20c HTTP/1.1\nHost: example.org:8107\nX-Thing:\t one \nContent-Length: 12\nx-thing: two\n\n"
                ),
                inPiecesOf: size
            )
        )
        #expect(head.method == .post)
        #expect(head.path == "/v1/login")
        #expect(head.query == "a=b%20c")
        #expect(head.content == .fixed(12))
        #expect(head.keepsAlive)
        #expect(head.headers["host"] == "example.org:8107")
        #expect(head.headers["x-thing"] == "one, two")
        #expect(head.headers["x-other"] == nil)
    }

    @Test func `what follows a head is left alone`() throws {
        var reader = HeadReader(limit: 8_192)
        var position = 0
        let bytes = wire("\n\nGET / HTTP/1.1\nHost: a\n\nGET /next")
        let head = try reader.read(bytes, from: &position)
        #expect(head?.path == "/")
        #expect(String(decoding: bytes[position...], as: UTF8.self) == "GET /next")
    }

    @Test func `a whole URL counts as its path, and a star belongs to OPTIONS`() throws {
        let paths = [
            "GET http://a.example:80/x?y HTTP/1.1": "/x", "GET HTTPS://a HTTP/1.1": "/",
            "GET http://[::1]?q HTTP/1.1": "/",
            "OPTIONS * HTTP/1.1": "*", "GET //a/b HTTP/1.1": "//a/b",
        ]
        for (line, path) in paths {
            #expect(try readHead(wire(line + "\nHost: other\n\n"))?.path == path, "\(line)")
        }
    }

    @Test(
        .holds("SVC-1"),
        arguments: [
            ("GET / HTTP/1.1\nHost: a\n\n", nil),
            // The request line.
            (" GET / HTTP/1.1\nHost: a\n\n", .malformed(.requestLine)),
            (" / HTTP/1.1\nHost: a\n\n", .malformed(.requestLine)),
            ("GET  / HTTP/1.1\nHost: a\n\n", .malformed(.requestLine)),
            ("GET / HTTP/1.1 \nHost: a\n\n", .malformed(.requestLine)),
            ("GET /\nHost: a\n\n", .malformed(.requestLine)),
            ("G@T / HTTP/1.1\nHost: a\n\n", .malformed(.requestLine)),
            ("GET\t/ HTTP/1.1\nHost: a\n\n", .malformed(.requestLine)),
            ("GET / http/1.1\nHost: a\n\n", .malformed(.requestLine)),
            ("GET / HTTP/11\nHost: a\n\n", .malformed(.requestLine)),
            ("GET / HTTP/1.10\nHost: a\n\n", .malformed(.requestLine)),
            ("get / HTTP/1.1\nHost: a\n\n", .unknownMethod),
            ("BREW / HTTP/1.1\nHost: a\n\n", .unknownMethod),
            ("GET / HTTP/1.2\nHost: a\n\n", .unknownVersion),
            ("GET / HTTP/0.9\nHost: a\n\n", .unknownVersion),
            ("PRI * HTTP/2.0\n\n", .unknownVersion),
            // The target.
            ("GET x HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            ("GET * HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            ("CONNECT a:443 HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            ("GET ftp://a/ HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            ("GET http:///x HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            ("GET http://u@a/x HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            ("GET /a#b HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            ("GET /a\"b HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            ("GET /%2 HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            ("GET /%zz HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            ("GET /é HTTP/1.1\nHost: a\n\n", .malformed(.target)),
            // Header lines.
            ("GET / HTTP/1.1\nHost: a\nX : b\n\n", .malformed(.headerLine)),
            ("GET / HTTP/1.1\nHost: a\nX\n\n", .malformed(.headerLine)),
            ("GET / HTTP/1.1\nHost: a\n: b\n\n", .malformed(.headerLine)),
            ("GET / HTTP/1.1\nHost: a\nX(: b\n\n", .malformed(.headerLine)),
            ("GET / HTTP/1.1\nHost: a\nX: b\n c\n\n", .malformed(.foldedHeader)),
            ("GET / HTTP/1.1\n Host: a\n\n", .malformed(.foldedHeader)),
            // The host.
            ("GET / HTTP/1.1\n\n", .malformed(.host)),
            ("GET / HTTP/1.1\nHost: a\nHost: a\n\n", .malformed(.host)),
            ("GET / HTTP/1.1\nHost: a b\n\n", .malformed(.host)),
            ("GET / HTTP/1.1\nHost: a/b\n\n", .malformed(.host)),
            ("GET / HTTP/1.1\nHost: u@a\n\n", .malformed(.host)),
            ("GET / HTTP/1.1\nHost:\n\n", nil),
            ("GET / HTTP/1.0\n\n", nil),
            // The length.
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 5\nContent-Length: 5\n\n", .malformed(.contentLength)),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 5\ncontent-length: 6\n\n", .malformed(.contentLength)),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 5, 5\n\n", .malformed(.contentLength)),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: +5\n\n", .malformed(.contentLength)),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: -5\n\n", .malformed(.contentLength)),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 0x5\n\n", .malformed(.contentLength)),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 5 5\n\n", .malformed(.contentLength)),
            ("POST / HTTP/1.1\nHost: a\nContent-Length:\n\n", .malformed(.contentLength)),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 99999999999999999999\n\n", .malformed(.contentLength)),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 5\nTransfer-Encoding: chunked\n\n", .malformed(.bothLengths)),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nContent-Length: 0\n\n", .malformed(.bothLengths)),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: Chunked\n\n", nil),
            ("POST / HTTP/1.0\nTransfer-Encoding: chunked\n\n", .malformed(.transferEncoding)),
            (
                "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n",
                .malformed(.transferEncoding)
            ),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked, chunked\n\n", .malformed(.transferEncoding)),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked, gzip\n\n", .malformed(.transferEncoding)),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: xchunked\n\n", .malformed(.transferEncoding)),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chun\u{212A}ed\n\n", .malformed(.transferEncoding)),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: identity\n\n", .malformed(.transferEncoding)),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: \u{B}chunked\n\n", .malformed(.controlCharacter)),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding:\n\n", .malformed(.transferEncoding)),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: gzip, chunked\n\n", .unknownTransferCoding),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 5\nExpect: 200-ok\n\n", .expectationFailed),
        ] as [(String, Refusal?)]
    )
    func `what two readers could take for two things is refused`(head: String, expected: Refusal?) {
        #expect(refusal(of: head) == expected)
    }

    @Test(.holds("SVC-1")) func `a byte that no head may have is refused before the line ends`() {
        for byte: UInt8 in [0x00, 0x07, 0x0B, 0x1F, 0x7F] {
            #expect(refusal(of: wire("GET / HTTP/1.1\nHost: a") + [byte]) == .malformed(.controlCharacter))
            #expect(refusal(of: Array("GE".utf8) + [byte]) == .malformed(.controlCharacter))
        }
        #expect(refusal(of: Array("GET / HTTP/1.1\rHost".utf8)) == .malformed(.controlCharacter))
        #expect(refusal(of: Array("GET / HTTP/1.1\nHost".utf8)) == .malformed(.bareLineFeed))
        #expect(refusal(of: wire("GET / HTTP/1.1\nHost: a") + [0x0A]) == .malformed(.bareLineFeed))
    }

    @Test func `bytes beyond ASCII in a value are let through`() throws {
        let head = try readHead(wire("GET / HTTP/1.1\nHost: a\nUser-Agent: é\n\n"))
        #expect(head?.headers["user-agent"] == "é")
    }

    @Test(.holds("SVC-3")) func `heads have a limit, within which the longest is read`() throws {
        let line = "GET /" + String(repeating: "a", count: 8_192 - 16) + " HTTP/1.1\n"
        #expect(wire(line).count == 8_192)
        #expect(refusal(of: line + "Host: a\n\n") == nil)
        #expect(refusal(of: line.replacing("GET", with: "POST") + "Host: a\n\n") == .targetTooLong)
        let longest = "Host: a\nX: " + String(repeating: "b", count: 8_192 - 16) + "\n\n"
        #expect(wire(longest).count == 8_192)
        #expect(refusal(of: "GET / HTTP/1.1\n" + longest) == nil)
        #expect(refusal(of: "GET / HTTP/1.1\nA" + longest) == .headersTooLarge)
        // And many short lines are no way around.
        #expect(refusal(of: "GET / HTTP/1.1\n" + String(repeating: "a:\n", count: 3_000)) == .headersTooLarge)
        #expect(refusal(of: String(repeating: "\n", count: 5_000)) == .targetTooLong)
        #expect(refusal(of: "GET / HTTP/1.1\nHost: a\n" + String(repeating: "a:\n", count: 500) + "\n") == nil)
    }

    @Test func `Connection and version say whether another request may follow`() throws {
        let cases = [
            "HTTP/1.1\nHost: a\n": true, "HTTP/1.1\nHost: a\nConnection: x, Close\n": false, "HTTP/1.0\n": false,
            "HTTP/1.0\nConnection: keep-alive\n": false, "HTTP/1.1\nHost: a\nConnection: closed\n": true,
        ]
        for (rest, keepsAlive) in cases {
            #expect(try readHead(wire("GET / \(rest)\n"))?.keepsAlive == keepsAlive, "\(rest)")
        }
    }

    @Test func `an expectation is one of content that is still to come`() throws {
        let head = "POST / HTTP/1.1\nHost: a\nExpect: 100-Continue\n"
        #expect(try readHead(wire(head + "Content-Length: 1\n\n"))?.expectsContinue == true)
        #expect(try readHead(wire(head + "\n"))?.expectsContinue == false)
        #expect(
            try readHead(wire("POST / HTTP/1.0\nExpect: 100-continue\nContent-Length: 1\n\n"))?.expectsContinue == false
        )
    }
}
