import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("Begun logins") struct LoginLimitTests {
    private static let body: JSON = [
        "account": "alice@example.org", "A": .string(String(repeating: "0", count: 767) + "2"),
    ]

    private func begin(_ client: TestClient) throws -> Reply { try client.send(.post, "/v1/login", Self.body) }

    @Test(.holds("SVC-16"))
    func `of one network there are so many in a minute, under one name or many, and none of another's is refused`()
        throws
    {
        let room = try ServiceRoom { $0.logins = MinuteLimit(most: 3) }
        let client = try room.client()
        for name in ["a", "a", "b"] {
            let body = Self.body.with("account", .string(name))
            #expect(try client.send(.post, "/v1/login", body).status == 200)
        }
        room.clock.advance(.seconds(20))
        for body in [Self.body, JSON.object([("nonsense", .bool(true))])] {
            let reply = try client.send(.post, "/v1/login", body)
            #expect((reply.status, reply.code, reply.header("Retry-After")) == (429, "LOGINS", "40"))
        }
        #expect(try begin(client.moved(to: "192.0.2.2")).status == 200)
        room.clock.advance(.seconds(40))
        #expect(try begin(client).status == 200)
    }

    @Test func `the clients of one /64 share what it may begin`() throws {
        let room = try ServiceRoom { $0.logins = MinuteLimit(most: 1) }
        #expect(try begin(room.client("2001:db8::1")).status == 200)
        #expect(try begin(room.client("2001:db8::2")).code == "LOGINS")
        #expect(try begin(room.client("2001:db8:0:1::1")).status == 200)
    }

    @Test func `who is refused asks the store for nothing, and is answered later than it asks`() throws {
        let room = try ServiceRoom { $0.logins = MinuteLimit(most: 1) }
        let (client, store) = try room.watchedClient()
        #expect(try begin(client).status == 200)
        store.forget()
        #expect(try begin(client).code == "LOGINS")
        #expect(store.statements == [])
        let request = HTTPRequest(.post, "/v1/login", peer: client.peer)
        #expect(client.worker.answer(request).wait().heldMilliseconds == 1_000)
    }

    @Test func `a network's minute that is over is forgotten`() throws {
        let room = try ServiceRoom()
        let client = try room.client()
        for number in 1...200 { _ = try begin(client.moved(to: "192.0.2.\(number)")) }
        #expect(room.service.beginnings.networkCount == 200)
        room.clock.advance(.minutes(1))
        _ = try begin(client)
        #expect(room.service.beginnings.networkCount == 1)
    }

    @Test func `a token has one form, and its scheme any`() throws {
        let room = try ServiceRoom()
        let client = try room.client()
        let token = try client.newLogin(User()).token
        func status(_ header: String) -> Int {
            let headers = HTTPHeaders([("Authorization", header)])
            let request = HTTPRequest(.get, "/v1/account", headers: headers, peer: client.peer)
            return client.worker.answer(request).wait().status
        }
        for scheme in ["Bearer", "bearer", "BEARER"] { #expect(status("\(scheme) \(token)") == 200) }
        try #require(token != token.uppercased())
        for text in ["Bearer \(token.uppercased())", "Bearer  \(token)", "Basic \(token)", token] {
            #expect(status(text) == 401, "\(text.prefix(8))")
        }
    }

    @Test(arguments: Backing.allCases)
    func `an instance that can't write is not ready, though it can read`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        #expect(try client.send(.get, "/readyz").status == 200)
        _ = try room.room.location.with(StoreUpgradeTests.newer).open()
        // It is asked for once a second at most.
        room.clock.advance(.seconds(1))
        let reply = try client.send(.get, "/readyz")
        #expect((reply.status, reply.code) == (503, "STORE"))
    }

    @Test func `the counts of a service are shown where its operator wants them`() throws {
        var configuration = Service.Configuration(origin: ServiceRoom.origin)
        let room = try ServiceRoom()
        for isShown in [true, false] {
            configuration.showsMetrics = isShown
            let service = Service(configuration, keys: room.service.accounts.keys, log: ServiceLog { _ in })
            let client = TestClient(Worker(service, store: try room.room.open()), from: .loopback, room.clock)
            #expect(try client.send(.get, "/metrics").status == (isShown ? 200 : 404))
            let paths = try client.send(.get, "/openapi.json").json["paths"]?.members.map(\.0)
            #expect(paths?.contains("/metrics") == isShown)
        }
    }
}
