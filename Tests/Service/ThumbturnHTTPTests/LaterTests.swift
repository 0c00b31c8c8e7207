import Glibc
import Synchronization
import Testing
import ThumbturnFiles

@testable import ThumbturnHTTP

/// Answers that handlers give after they returned.
struct LaterTests {
    private let desk = Desk()

    private func ask(_ client: TestClient, _ path: String, _ method: String = "GET") {
        client.send("\(method) \(path) HTTP/1.1\nHost: a\n\n")
    }

    @Test(.holds("SVC-6"), arguments: [2, 1])
    func `64 answers to come keep neither a worker nor a share of them, and others are answered at once`(share: Int)
        throws
    {
        let server = try TestServer(workers: 2, router: desk.router) { $0.limits.workersOfNetwork = share }
        let clients = try (0..<64).map { _ in try server.client() }
        for (number, client) in clients.enumerated() { ask(client, "/later/\(number)") }
        waitUntil { desk.count == 64 }
        let other = try server.client()
        for _ in 0..<3 {
            ask(other, "/hello/a")
            #expect(other.answer()?.status == 200)
        }
        #expect(clients.allSatisfy { $0.hasNothing })
        // Last come, first served: each gets its own.
        for number in (0..<64).reversed() { desk.answerElsewhere("\(number)", "for \(number)") }
        for (number, client) in clients.enumerated() { #expect(client.answer()?.text == "for \(number)") }
        ask(clients[0], "/hello/a")
        #expect(clients[0].answer()?.status == 200)
        #expect(server.outstandingCount == 0)
    }

    @Test func `of two answers the first counts, and what follows on the connection gets its own`() throws {
        let server = try TestServer(router: desk.router)
        let client = try server.client()
        ask(client, "/later/a")
        waitUntil { desk.count == 1 }
        let reply = try #require(desk.take("a"))
        reply(HTTPResponse(status: 200, body: Array("first".utf8)))
        reply(HTTPResponse(status: 200, body: Array("second".utf8)))
        #expect(client.answer()?.text == "first")
        ask(client, "/later/b")
        waitUntil { desk.count == 1 }
        reply(HTTPResponse(status: 200, body: Array("third".utf8)))
        desk.answer("b", "its own")
        #expect(client.answer()?.text == "its own")
        #expect(client.hasNothing)
    }

    @Test func `of answers that race on two threads one counts`() throws {
        let server = try TestServer(router: desk.router)
        let client = try server.client()
        for round in 0..<200 {
            ask(client, "/later/\(round)")
            waitUntil { desk.count == 1 }
            let reply = try #require(desk.take("\(round)"))
            for _ in 0..<2 {
                SystemThread { reply(HTTPResponse(status: 200, body: Array("round \(round)".utf8))) }?.detach()
            }
            #expect(client.answer()?.text == "round \(round)")
        }
        #expect(client.hasNothing)
        waitUntil { server.outstandingCount == 0 }
    }

    @Test func `a reply that is dropped says so, at once or later, and the connection goes on`() throws {
        let refused = Atomic<Int>(0)
        let server = try TestServer(router: desk.router) { _ in
        } log: { event in
            if case .refused(.unanswered, _) = event { refused.add(1, ordering: .relaxed) }
        }
        let client = try server.client()
        for path in ["/later/a", "/dropped"] {
            ask(client, path)
            if path != "/dropped" {
                waitUntil { desk.count == 1 }
                desk.take("a")
            }
            let answer = try #require(client.answer())
            #expect((answer.status, answer.code) == (500, "INTERNAL"))
            #expect(answer.header("Content-Type") == "application/problem+json")
        }
        ask(client, "/hello/a")
        #expect(client.answer()?.status == 200)
        #expect(refused.load(ordering: .relaxed) == 2)
        #expect(server.outstandingCount == 0)
    }

    @Test(.holds("SVC-6")) func `an answer too many is refused before it is begun, and each that was given makes room`()
        throws
    {
        let server = try TestServer(router: desk.router) { $0.limits.outstanding = 2 }
        let clients = try (0..<3).map { _ in try server.client() }
        for round in 0..<3 {
            for (number, client) in clients.prefix(2).enumerated() { ask(client, "/later/\(number)") }
            waitUntil { desk.count == 2 }
            ask(clients[2], "/later/2")
            let refused = try #require(clients[2].answer())
            #expect((refused.status, refused.code, refused.header("Retry-After")) == (503, "BUSY", "1"))
            #expect(desk.count == 2)
            // What is dropped makes room like what is given.
            if round == 1 { desk.take("0") } else { desk.answer("0") }
            #expect(clients[0].answer()?.status == (round == 1 ? 500 : 200))
            ask(clients[2], "/later/2")
            waitUntil { desk.count == 2 }
            for (number, client) in clients.enumerated().dropFirst() {
                desk.answer("\(number)")
                #expect(client.answer()?.text == "late")
            }
        }
    }

    @Test(.holds("SVC-1")) func `what is sent ahead waits for the later answer`() throws {
        let server = try TestServer(workers: 4, router: desk.router)
        let client = try server.client()
        client.send(
            "GET /later/a HTTP/1.1\nHost: a\n\nGET /hello/b HTTP/1.1\nHost: a\n\nGET /later/c HTTP/1.1\nHost: a\n\n"
        )
        waitUntil { desk.count == 1 }
        // Time enough for whoever would not wait.
        usleep(50_000)
        #expect(desk.count == 1 && client.hasNothing && server.begunCount == 1)
        desk.answerElsewhere("a")
        #expect(client.answer()?.text == "late")
        #expect(client.answer()?.text == "\"hello b\"")
        waitUntil { desk.count == 1 }
        desk.answerElsewhere("c", "last")
        #expect(client.answer()?.text == "last")
    }

    @Test func `the later answer to HEAD has no content, so the next one is understood`() throws {
        let server = try TestServer(router: desk.router)
        let client = try server.client()
        client.send("HEAD /later/a HTTP/1.1\nHost: a\n\nGET /hello/b HTTP/1.1\nHost: a\n\n")
        waitUntil { desk.count == 1 }
        desk.answer("a")
        let head = try #require(client.answer(toHead: true))
        #expect((head.status, head.header("Content-Length")) == (200, "4"))
        #expect(client.answer()?.text == "\"hello b\"")
    }

    @Test func `the later answer to who sends nothing more, or wants no further one, ends the connection`() throws {
        let server = try TestServer(router: desk.router)
        let (silent, last) = (try server.client(), try server.client())
        ask(silent, "/later/silent")
        silent.finishWriting()
        last.send("GET /later/last HTTP/1.1\nHost: a\nConnection: close\n\n")
        waitUntil { desk.count == 2 }
        for (name, client) in [("silent", silent), ("last", last)] {
            desk.answer(name)
            let answer = try #require(client.answer())
            #expect(answer.text == "late" && (answer.header("Connection") == "close") == (name == "last"))
            #expect(client.ends())
        }
        waitUntil { server.server.connectionCount == 0 }
    }

    @Test func `a later answer may be held back like any other`() throws {
        let server = try TestServer(router: desk.router)
        let (held, other) = (try server.client(), try server.client())
        ask(held, "/later/a")
        waitUntil { desk.count == 1 }
        var response = HTTPResponse(status: 200)
        response.heldMilliseconds = 3_600_000
        desk.take("a")?(response)
        ask(other, "/hello/a")
        #expect(other.answer()?.status == 200)
        #expect(held.hasNothing)
        #expect(server.server.stop(within: 20))
        #expect(held.answer()?.status == 200)
    }
}
