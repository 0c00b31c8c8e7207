import Glibc
import Testing

@testable import ThumbturnHTTP

/// What one network may take of a server, and what is left for others.
struct NetworkTests {
    private static let hello = "GET /hello/a HTTP/1.1\nHost: a\n\n"

    /// Asks, and gives the status of the answer.
    private func status(_ client: TestClient) -> Int? {
        client.send(Self.hello)
        return client.answer()?.status
    }

    @Test(.holds("SVC-6"))
    func `of one network so many connections are served, as many more are told 429, and the rest is closed`()
        throws
    {
        let server = try TestServer(workers: 2) { $0.limits.connectionsOfNetwork = 3 }
        var served = try (0..<3).map { _ in try server.client() }
        for client in served { #expect(status(client) == 200) }
        let told = try (0..<3).map { _ in try server.client() }
        for client in told { client.send(Self.hello) }
        let dropped = try server.client()
        #expect(dropped.ends())
        for client in told {
            let answer = try #require(client.answer())
            #expect((answer.status, answer.code, answer.header("Retry-After")) == (429, "CONNECTIONS", "5"))
            #expect(answer.header("Connection") == "close" && client.ends())
        }
        #expect(status(try server.client(from: 2)) == 200)
        served.removeAll()
        // The server hears of their ends a little later than they come.
        var last: Int?
        for _ in 0..<1_000 where last != 200 { last = status(try server.client()) }
        #expect(last == 200)
    }

    @Test func `connections of a trusted proxy are not counted`() throws {
        let server = try TestServer {
            $0.limits.connectionsOfNetwork = 1
            $0.trustedProxies = [CIDR("127.0.0.2")].compactMap { $0 }
        }
        let proxied = try (0..<8).map { _ in try server.client(from: 2) }
        for client in proxied { #expect(status(client) == 200) }
        let clients = try (0..<2).map { _ in try server.client(from: 3) }
        #expect(clients.map(status) == [200, 429])
    }

    @Test func `an answer that is held back keeps nobody else waiting, and the server's stop sends it`() throws {
        let router = TestRoutes.router
        let server = HTTPServer(HTTPServer.Configuration(), admit: router.admit) { _ in
            { request in
                var response = router.answer(request, in: 0).wait()
                if request.path == "/hello/held" { response.heldMilliseconds = 3_600_000 }
                return .now(response)
            }
        }
        try server.start()
        let (held, other) = (try TestClient(port: server.port), try TestClient(port: server.port))
        held.send("GET /hello/held HTTP/1.1\nHost: a\n\n")
        for _ in 0..<3 { #expect(status(other) == 200) }
        #expect(held.hasNothing)
        #expect(server.stop(within: 20))
        #expect(held.answer()?.status == 200)
    }

    @Test func `a network that asks faster than it may is answered later, and another at once`() throws {
        let server = try TestServer { $0.limits.requestsPerSecondOfNetwork = 1 }
        let hasty = try (0..<40).map { _ in try server.client() }
        for client in hasty { client.send(Self.hello) }
        #expect(status(try server.client(from: 2)) == 200)
        // Ten seconds are the longest that anybody waits.
        #expect(hasty[39].hasNothing)
        #expect(server.server.stop(within: 20))
        for client in hasty { #expect(client.answer()?.status == 200) }
    }

    @Test func `a pace forgets a second's worth, and grows no wait beyond ten seconds`() {
        let pace = NetworkPace(perSecond: 10)
        let waits = (0..<200).map { _ in pace.delay(of: [1], at: 50_000) }
        #expect(waits.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 200])
        #expect(waits.max() == 10_000 && pace.delay(of: [2], at: 50_000) == 0)
        #expect(pace.delay(of: [1], at: 61_000) == 0)
        #expect(NetworkPace(perSecond: .max).delay(of: [1], at: 0) == 0)
    }

    @Test func `a trusted proxy waits for no answer that is held back`() throws {
        let router = TestRoutes.router
        var configuration = HTTPServer.Configuration()
        configuration.trustedProxies = [CIDR("127.0.0.1")].compactMap { $0 }
        let server = HTTPServer(configuration, admit: router.admit) { _ in
            { request in
                var response = router.answer(request, in: 0).wait()
                response.heldMilliseconds = 3_600_000
                return .now(response)
            }
        }
        try server.start()
        defer { server.stop(within: 0) }
        #expect(status(try TestClient(port: server.port)) == 200)
    }

    @Test func `a network has no more workers than its share, and another finds one`() throws {
        let server = try TestServer(workers: 2) { $0.limits.workersOfNetwork = 1 }
        let greedy = try (0..<4).map { _ in try server.client() }
        for client in greedy { client.send("GET /held HTTP/1.1\nHost: a\n\n") }
        for _ in 0..<3 { #expect(status(try server.client(from: 2)) == 200) }
        #expect(server.begunCount == 4)
        server.release()
        for client in greedy { #expect(client.answer()?.status == 200) }
    }

    /// A queue of numbers.
    private struct Line {
        let queue: WorkQueue<Int>

        init(capacity: Int, share: Int = .max) { queue = WorkQueue(capacity: capacity, share: share) }

        /// - Returns: what there was no room for.
        func add(_ number: Int, of network: UInt8) -> Int? { queue.add(number, of: [network]) }
    }

    @Test(.holds("SVC-6")) func `networks take turns, and each is answered in its order`() {
        let line = Line(capacity: 20)
        for number in 1...6 { #expect(line.add(number, of: 1) == nil) }
        for number in 11...12 { #expect(line.add(number, of: 2) == nil) }
        #expect(line.add(21, of: 3) == nil)
        #expect((0..<9).map { _ in line.queue.next() } == [1, 11, 21, 2, 12, 3, 4, 5, 6])
    }

    @Test func `where there is no room, whoever has most waiting loses its last`() {
        let line = Line(capacity: 4)
        for number in 1...4 { #expect(line.add(number, of: 1) == nil) }
        #expect(line.add(5, of: 1) == 5)
        #expect(line.add(11, of: 2) == 4)
        #expect(line.add(12, of: 2) == 3)
        #expect(line.add(13, of: 2) == 13)
        line.queue.close()
        #expect(line.add(14, of: 3) == 14)
        #expect((0..<5).map { _ in line.queue.next() } == [1, 11, 2, 12, nil])
    }

    @Test func `a share that is used up is passed over until something of it is answered`() {
        let line = Line(capacity: 9, share: 1)
        for number in 1...2 { #expect(line.add(number, of: 1) == nil) }
        #expect(line.add(11, of: 2) == nil)
        #expect(line.queue.next() == 1)
        #expect(line.queue.next() == 11)
        line.queue.finish(of: [1])
        #expect(line.queue.next() == 2)
    }
}
