import Glibc
import Synchronization
import Testing

@testable import ThumbturnHTTP

/// What many clients, slow ones and large requests do to others.
@Suite(.serialized) struct LoadTests {
    private let hello = "GET /hello/a HTTP/1.1\nHost: a\n\n"

    @Test(.holds("SVC-6"), arguments: [127, 128, 129, 256, 1_000])
    func `as many connections as there like ask at once, and none of them waits for another`(count: Int) throws {
        let server = try TestServer()
        let clients = try (0..<count).map { _ in try server.client() }
        // A client waits for 20 seconds: one that is forgotten is not answered at all.
        for round in 0..<3 {
            for client in clients { client.send(hello) }
            #expect(clients.count { $0.answer()?.status == 200 } == count, "round \(round)")
        }
    }

    @Test(.holds("SVC-5")) func `64 clients of single bytes don't hold up another`() throws {
        let server = try TestServer()
        let slow = try (0..<64).map { _ in try server.client() }
        let request = wire("POST /echo HTTP/1.1\nHost: a\nContent-Length: 3\n\nabc")
        let other = try server.client()
        for byte in request {
            for client in slow { client.send([byte]) }
            // The slow ones send nothing more before this is answered: whoever waited for them would wait for ever.
            other.send(hello)
            try #require(other.answer()?.status == 200)
        }
        #expect(slow.allSatisfy { $0.answer()?.text == "abc" })
    }

    @Test(.holds("SVC-6")) func `a connection too many is told so, and the next is served once there is room`() throws {
        let server = try TestServer { $0.limits.connections = 4 }
        var clients = try (0..<4).map { _ in try server.client() }
        for client in clients {
            client.send(hello)
            #expect(client.answer()?.status == 200)
        }
        let surplus = try server.client()
        surplus.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: 3\n\nabc")
        let answer = try #require(surplus.answer())
        #expect((answer.status, answer.code, answer.header("Retry-After")) == (503, "BUSY", "1"))
        #expect(surplus.ends())
        clients.removeAll()
        waitUntil { server.server.connectionCount < 4 }
        let next = try server.client()
        next.send(hello)
        #expect(next.answer()?.status == 200)
    }

    @Test(.holds("SVC-6")) func `connections beyond those that are told so are closed at once`() throws {
        let dropped = Atomic<Int>(0)
        let server = try TestServer {
            $0.limits.connections = 1
        } log: { event in
            if case .connectionDropped = event { dropped.add(1, ordering: .relaxed) }
        }
        let clients = try (0..<17).map { _ in try server.client() }
        waitUntil { server.server.connectionCount == 17 }
        let further = try server.client()
        #expect(further.ends())
        waitUntil { dropped.load(ordering: .relaxed) == 1 }
        #expect(dropped.load(ordering: .relaxed) == 1)
        clients[0].send(hello)
        #expect(clients[0].answer()?.status == 200)
    }

    @Test(.holds("SVC-6")) func `a request too many for the queue is told so, and its connection goes on`() throws {
        let refused = Atomic<Int>(0)
        let server = try TestServer(workers: 1) {
            $0.limits.queue = 1
        } log: { event in
            if case .refused(.busy, _) = event { refused.add(1, ordering: .relaxed) }
        }
        let (first, others) = (try server.client(), try (0..<2).map { _ in try server.client() })
        first.send("GET /held HTTP/1.1\nHost: a\n\n")
        waitUntil { server.begunCount == 1 }
        for client in others { client.send(hello) }
        waitUntil { refused.load(ordering: .relaxed) == 1 }
        server.release()
        let answers = others.compactMap { $0.answer() }.sorted { $0.status < $1.status }
        #expect(answers.map(\.status) == [200, 503])
        #expect((answers.last?.code, answers.last?.header("Retry-After")) == ("BUSY", "1"))
        #expect(first.answer()?.text == "released")
        for client in others {
            client.send(hello)
            #expect(client.answer()?.status == 200)
        }
    }

    @Test(.holds("SVC-7")) func `content beyond what the server keeps at once is refused, and counted back`() throws {
        let server = try TestServer { $0.limits.bufferedBytes = 100_000 }
        let head = "POST /echo HTTP/1.1\nHost: a\nConnection: close\nContent-Length: 60000\n\n"
        let content = [UInt8](repeating: 0x61, count: 60_000)
        // A connection that was answered, and is only waited for, counts no more.
        var answered: [TestClient] = []
        for _ in 0..<3 {
            let (first, second) = (try server.client(), try server.client())
            first.send(wire(head) + content.dropLast())
            waitUntil { server.server.core.load.contentBytes.value == 59_999 }
            second.send(wire(head) + content)
            #expect(second.answer()?.code == "BUSY")
            first.send([0x61])
            #expect(first.answer()?.body.count == 60_000)
            answered += [first, second]
        }
    }

    @Test(.holds("SVC-5")) func `who is too slow is told so, and who is silent is not`() throws {
        // Two servers, so that nobody is silent for too long before it sends.
        let server = try TestServer { ($0.limits.headMilliseconds, $0.limits.graceMilliseconds) = (300, 300) }
        let other = try TestServer { $0.limits.idleMilliseconds = 600 }
        let (silent, head, content) = (try other.client(), try server.client(), try server.client())
        head.send("GET /hello/a HTTP/1.1\n")
        content.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: 3\n\nab")
        for client in [head, content] {
            let answer = try #require(client.answer())
            #expect((answer.status, answer.code) == (408, "REQUEST_TIMEOUT"))
            #expect(client.ends())
        }
        #expect(silent.ends())
    }

    @Test(.holds("SVC-5")) func `who does not take an answer is cut off`() throws {
        let big = Route<Int>(.get, "/big", document: TestRoutes.document("big")) { _, _ in
            .now(HTTPResponse(status: 200, body: [UInt8](repeating: 0x61, count: 32 << 20)))
        }
        let router = Router([big])
        var configuration = HTTPServer.Configuration()
        // Who takes nothing is given seconds for what the system took for it; who reads has a quarter of a minute.
        (configuration.limits.graceMilliseconds, configuration.limits.bytesPerSecond) = (300, 2 << 20)
        let server = HTTPServer(configuration, admit: router.admit) { worker in { router.answer($0, in: worker) } }
        try server.start()
        defer { server.stop(within: 0) }
        let client = try TestClient(port: server.port)
        client.send("GET /big HTTP/1.1\nHost: a\n\n")
        waitUntil { server.connectionCount == 1 }
        waitUntil { server.connectionCount == 0 }
        #expect(server.connectionCount == 0)
        let patient = try TestClient(port: server.port)
        patient.send("GET /big HTTP/1.1\nHost: a\n\n")
        #expect(patient.answer()?.body.count == 32 << 20)
    }
}

/// Waits for at most 20 seconds, and says where it waited for nothing.
func waitUntil(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    for _ in 0..<4_000 {
        guard !condition() else { return }
        usleep(5_000)
    }
    Issue.record("it did not come to that", sourceLocation: sourceLocation)
}
