import Testing

@testable import ThumbturnHTTP

/// Content that is not JSON, and larger than a form: 1.25 MiB of lines.
@Suite(.serialized) struct LinesTests {
    private static let most = 1_310_720
    private static let type = "application/x-ndjson"

    private let router = Router<Int>([
        Route(.post, "/lines", maximumBody: most, contentType: type, document: TestRoutes.document("lines")) {
            request,
            _ in
            .now(HTTPResponse(status: 200, headers: [("Content-Type", type)], body: request.body.map { $0 }))
        }
    ])

    /// So many bytes of lines that differ.
    private func lines(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 32)
        for number in 0... {
            guard bytes.count < count else { break }
            bytes += Array("{\"number\":\(number)}\n".utf8)
        }
        return Array(bytes.prefix(count))
    }

    private func head(_ framing: String, type: String = type) -> [UInt8] {
        wire("POST /lines HTTP/1.1\nHost: a\nContent-Type: \(type)\n\(framing)\n\n")
    }

    private func chunked(_ bytes: [UInt8], by size: Int) -> [UInt8] {
        let chunks = stride(from: 0, to: bytes.count, by: size).flatMap { start in
            let chunk = bytes[start...].prefix(size)
            return wire("\(String(chunk.count, radix: 16))\n") + chunk + wire("\n")
        }
        return chunks + wire("0\n\n")
    }

    @Test(.holds("SVC-4"), arguments: [4_093, 65_536, 1_310_720])
    func `as many bytes as allowed arrive as they were sent, of a known length or in chunks`(size: Int) throws {
        let server = try TestServer(router: router)
        let client = try server.client()
        let content = lines(Self.most)
        client.send(head("Content-Length: \(content.count)") + content)
        #expect(client.answer()?.body == content)
        client.send(head("Transfer-Encoding: chunked") + chunked(content, by: size))
        let answer = try #require(client.answer())
        #expect(answer.body == content && answer.header("Content-Type") == Self.type)
    }

    @Test(.holds("SVC-4"), arguments: [4_093, 65_536, 1_310_720])
    func `one byte more is refused, of a known length or in chunks`(size: Int) throws {
        let server = try TestServer(router: router)
        let content = lines(Self.most + 1)
        for request in [
            head("Content-Length: \(content.count)") + content,
            head("Transfer-Encoding: chunked") + chunked(content, by: size),
        ] {
            let client = try server.client()
            client.send(request)
            let answer = try #require(client.answer())
            #expect((answer.status, answer.code) == (413, "BODY_TOO_LARGE"))
            #expect(client.ends())
        }
    }

    @Test func `another type is refused before its content is read, and parameters of the type mean nothing`() throws {
        let server = try TestServer(router: router)
        for type in ["application/json", "text/plain", "application/x-ndjson-seq", "application/ndjson", ""] {
            let client = try server.client()
            client.send(head("Content-Length: 3\nExpect: 100-continue", type: type))
            let answer = try #require(client.answer())
            #expect((answer.status, answer.code) == (415, "MEDIA_TYPE"), "\(type)")
        }
        for type in ["application/x-ndjson", "Application/X-NDJSON; charset=utf-8"] {
            let client = try server.client()
            client.send(head("Content-Length: 3", type: type) + Array("{}\n".utf8))
            #expect(client.answer()?.text == "{}\n", "\(type)")
        }
    }
}
