import Testing

@testable import ThumbturnHTTP

struct ResponseTests {
    private func text(_ response: HTTPResponse, closes: Bool = false, omitsBody: Bool = false) -> String {
        String(decoding: response.wire(closes: closes, omitsBody: omitsBody, date: 784_111_777), as: UTF8.self)
    }

    @Test func `an answer is framed by its length`() {
        let answer = HTTPResponse(status: 200, headers: [("Content-Type", "text/plain")], body: Array("hello".utf8))
        let head =
            "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n"
        #expect(text(answer) == head + "\r\nhello")
        #expect(text(answer, closes: true) == head + "Connection: close\r\n\r\nhello")
        #expect(text(answer, omitsBody: true) == head + "\r\n")
    }

    @Test func `an answer without content says no length`() {
        let answer = HTTPResponse(status: 204, body: [1])
        #expect(text(answer) == "HTTP/1.1 204 No Content\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n")
    }

    @Test(.holds("SVC-1")) func `a handler's header fields neither frame the answer nor begin a line`() {
        let headers = [
            ("content-LENGTH", "9"), ("Content-Length\r", "9"), ("Transfer-Encoding", "chunked"),
            ("X", "a\r\nSet-Cookie: b\u{0}"), ("Y\n", "é"),
        ]
        let answer = HTTPResponse(status: 200, headers: headers)
        let lines = text(answer).utf8.split(separator: 0x0D).map { String(decoding: $0, as: UTF8.self) }
        #expect(lines.dropFirst(2).dropLast(2) == ["\nX: aSet-Cookie: b", "\nY: é", "\nContent-Length: 0"])
    }

    @Test func `a month before October and a day before the tenth are written with two digits`() {
        #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(1_709_164_800) == "Thu, 29 Feb 2024 00:00:00 GMT")
    }
}
