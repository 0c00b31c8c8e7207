import Glibc
import Testing
import ThumbturnFiles

@testable import ThumbturnHTTP

struct ServerTests {
    @Test func `a request is answered, and the connection goes on`() throws {
        let server = try TestServer()
        let client = try server.client()
        for name in ["one", "two"] {
            client.send("GET /hello/\(name) HTTP/1.1\nHost: a\n\n")
            let answer = try #require(client.answer())
            #expect(answer.status == 200)
            #expect(answer.text == "\"hello \(name)\"")
            #expect(answer.header("Content-Type") == "application/json")
            #expect(answer.header("Date")?.hasSuffix(" GMT") == true)
            #expect(answer.header("Connection") == nil)
        }
    }

    @Test func `each worker has a handler of its own, made on its thread`() throws {
        struct Place: Hashable {
            let worker: Int
            let thread = pthread_self()
        }
        let (made, called) = (Monitor<[Place]>([]), Monitor<[Place]>([]))
        let router = TestRoutes.router
        var configuration = HTTPServer.Configuration()
        configuration.workers = 3
        let server = HTTPServer(configuration, admit: router.admit) { worker in
            made.change { $0.append(Place(worker: worker)) }
            return { request in
                called.change(wakingAll: true) { $0.append(Place(worker: worker)) }
                // Nobody is done before each of the three has something to do.
                _ = called.wait(until: MonotonicClock.milliseconds + 20_000) { $0.count >= 3 ? true : nil }
                return router.answer(request, in: worker)
            }
        }
        try server.start()
        defer { server.stop(within: 0) }
        let places = made.change { $0 }
        #expect(places.map(\.worker).sorted() == [0, 1, 2])
        #expect(Set(places.map(\.thread)).count == 3)
        let clients = try (0..<3).map { _ in try TestClient(port: server.port) }
        for client in clients { client.send("GET /hello/a HTTP/1.1\nHost: a\n\n") }
        for client in clients { #expect(client.answer()?.status == 200) }
        #expect(Set(called.change { $0 }) == Set(places))
    }

    @Test(.holds("SVC-1")) func `what is sent ahead is answered in order`() throws {
        let server = try TestServer(workers: 4)
        let client = try server.client()
        let names = (0..<50).map { "n\($0)" }
        client.send(
            "GET /slow/20 HTTP/1.1\nHost: a\n\n" + names.map { "GET /hello/\($0) HTTP/1.1\nHost: a\n\n" }.joined()
        )
        client.send(
            "POST /echo HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n3\nabc\n0\n\nGET /none HTTP/1.1\nHost: a\n\n"
        )
        #expect(client.answer()?.text == "slept")
        for name in names { #expect(client.answer()?.text == "\"hello \(name)\"") }
        #expect(client.answer()?.text == "abc")
        #expect(client.answer()?.code == "NOT_FOUND")
        client.send("GET /hello/last HTTP/1.1\nHost: a\nConnection: close\n\nGET /hello/never HTTP/1.1\nHost: a\n\n")
        let last = client.answer()
        #expect((last?.text, last?.header("Connection")) == ("\"hello last\"", "close"))
        #expect(client.ends())
    }

    @Test func `a client of HTTP/1.0 is answered, and the connection ends`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("GET /hello/a HTTP/1.0\n\n")
        let answer = try #require(client.answer())
        #expect((answer.status, answer.header("Connection")) == (200, "close"))
        #expect(client.ends())
    }

    @Test func `a client that sends nothing more is answered all the same`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("GET /slow/50 HTTP/1.1\nHost: a\n\n")
        client.finishWriting()
        #expect(client.answer()?.text == "slept")
        #expect(client.ends())
    }

    @Test func `the answer to HEAD has no content, so the next one is understood`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("HEAD /hello/a HTTP/1.1\nHost: a\n\nGET /hello/b HTTP/1.1\nHost: a\n\n")
        let refused = try #require(client.answer(toHead: true))
        #expect((refused.status, refused.header("Allow")) == (405, "GET"))
        #expect(client.answer()?.text == "\"hello b\"")
    }

    @Test func `a client that waits is told that its content is welcome`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: 5\nExpect: 100-continue\n\n")
        #expect(client.answer()?.status == 100)
        client.send("hello")
        #expect(client.answer()?.text == "hello")
        client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: 70000\nExpect: 100-continue\n\n")
        #expect(client.answer()?.code == "BODY_TOO_LARGE")
    }

    @Test(
        .holds("SVC-1", "SVC-3"),
        arguments: [
            ("GET / HTTP/1.1\n\n", 400, "MALFORMED_REQUEST"), ("\u{0}", 400, "MALFORMED_REQUEST"),
            ("POST /echo HTTP/1.1\nHost: a\nContent-Length: 1\nContent-Length: 1\n\nx", 400, "MALFORMED_REQUEST"),
            ("POST /echo HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\nx\n", 400, "MALFORMED_REQUEST"),
            ("POST /echo HTTP/1.1\nHost: a\nContent-Length: 70000\n\n", 413, "BODY_TOO_LARGE"),
            ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\nHost: a\n\n", 414, "TARGET_TOO_LONG"),
            ("PUT /json HTTP/1.1\nHost: a\nContent-Length: 1\n\nx", 415, "MEDIA_TYPE"),
            ("POST /echo HTTP/1.1\nHost: a\nContent-Length: 1\nExpect: x\n\n", 417, "EXPECTATION"),
            ("GET / HTTP/1.1\nHost: a\nX: \(String(repeating: "a", count: 100_000))\n\n", 431, "HEADERS_TOO_LARGE"),
            ("BREW / HTTP/1.1\nHost: a\n\n", 501, "UNKNOWN_METHOD"),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: gzip, chunked\n\n", 501, "TRANSFER_CODING"),
            ("PRI * HTTP/2.0\n\nSM\n\n", 505, "HTTP_VERSION"),
        ]
    )
    func `what the server refuses is a problem document, and the connection ends`(
        text: String,
        status: Int,
        code: String
    ) throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(text)
        let answer = try #require(client.answer())
        #expect((answer.status, answer.code) == (status, code))
        #expect(answer.header("Content-Type") == "application/problem+json")
        #expect(answer.header("Connection") == "close")
        #expect(client.ends())
        // And nobody else hears of it.
        let other = try server.client()
        other.send("GET /hello/a HTTP/1.1\nHost: a\n\n")
        #expect(other.answer()?.status == 200)
    }

    @Test(.holds("SVC-8")) func `a worker sees the client that a trusted proxy names`() throws {
        let server = try TestServer { $0.trustedProxies = ["127.0.0.0/8"].compactMap(CIDR.init) }
        let client = try server.client()
        client.send("GET /peer HTTP/1.1\nHost: a\nX-Forwarded-For: 6.6.6.6, 1.2.3.4\n\n")
        #expect(client.answer()?.text == "1.2.3.4")
        let plain = try TestServer()
        let direct = try plain.client()
        direct.send("GET /peer HTTP/1.1\nHost: a\nX-Forwarded-For: 6.6.6.6, 1.2.3.4\n\n")
        #expect(direct.answer()?.text == "127.0.0.1")
    }

    @Test(.enabled(if: hasIPv6)) func `a server on all addresses knows an IPv4 client by its IPv4 address`() throws {
        let server = try TestServer { $0.host = "::" }
        let client = try server.client()
        client.send("GET /peer HTTP/1.1\nHost: a\n\n")
        #expect(client.answer()?.text == "127.0.0.1")
    }

    private static let hasIPv6 = (try? Listener(host: "::1", port: 0).port) != nil

    @Test func `a server that cannot start says why`() throws {
        func reason(_ configure: (inout HTTPServer.Configuration) -> Void) -> HTTPError? {
            #expect(throws: HTTPError.self) { try TestServer(configure) }
        }
        let taken = try TestServer()
        guard case .cannotListen(let number)? = reason({ $0.port = taken.server.port }), number == 98 else {
            Issue.record("the port of another server was taken")
            return
        }
        guard case .unknownHost? = reason({ $0.host = "no.such.host.invalid" }),
            case .certificate? = reason({ $0.tls = .init(chain: "/nowhere", key: "/nowhere") })
        else {
            Issue.record("another reason")
            return
        }
    }

    @Test func `a worker that has no handler keeps the server from starting`() {
        struct Fault: Error {}
        var configuration = HTTPServer.Configuration()
        configuration.workers = 3
        let server = HTTPServer(configuration, admit: { _ in .refused(.notFound) }) { worker in
            if worker == 1 { throw Fault() }
            return { _ in .now(HTTPResponse(status: 200)) }
        }
        let error = #expect(throws: HTTPError.self) { try server.start() }
        guard case .handler(let fault)? = error, fault is Fault else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: TestClient.Failure.self) { try TestClient(port: server.port) }
    }
}
