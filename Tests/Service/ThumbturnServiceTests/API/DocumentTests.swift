import Testing
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("What the service says of itself") struct DocumentTests {
    @Test func `the document names every call that the design has`() throws {
        let client = try ServiceRoom().client()
        let reply = try client.send(.get, "/openapi.json")
        #expect(reply.json["openapi"]?.text == "3.1.0")
        let calls = try #require(reply.json["paths"]).members.flatMap { path, operations in
            operations.members.map { "\($0.0.uppercased()) \(path)" }
        }
        #expect(
            calls.sorted() == [
                "DELETE /v1/account", "DELETE /v1/devices/{id}", "GET /healthz", "GET /metrics", "GET /openapi.json",
                "GET /readyz", "GET /v1/account", "GET /v1/audit/checkpoint", "GET /v1/audit/events",
                "GET /v1/audit/key",
                "GET /v1/audit/logs/{log}/checkpoint", "GET /v1/audit/logs/{log}/key", "GET /v1/audit/logs/{log}/proof",
                "GET /v1/audit/logs/{log}/tile/entries/{number}", "GET /v1/audit/logs/{log}/tile/{level}/{number}",
                "GET /v1/audit/proof", "GET /v1/audit/tile/entries/{number}", "GET /v1/audit/tile/{level}/{number}",
                "POST /v1/accounts", "POST /v1/audit/{deviceId}/events", "POST /v1/devices",
                "POST /v1/devices/{id}/contact",
                "POST /v1/login", "POST /v1/login/{handshake}", "PUT /v1/account/envelope", "PUT /v1/account/password",
            ]
        )
    }

    @Test func `every code of the catalogue is some call's, and no two say the same`() {
        let named = Set(API.endpoints.flatMap(\.allProblems))
        #expect(ProblemCode.allCases.filter { !named.contains($0) } == [])
        #expect(Set(ProblemCode.allCases.map { "\($0.status) \($0.text)" }).count == ProblemCode.allCases.count)
        #expect(Set(ProblemCode.allCases.map(\.detail)).count == ProblemCode.allCases.count)
    }

    @Test func `both answers of a contact that are proved say so, and no other refusal does`() throws {
        let responses = try #require(Document.operation(.post, "/v1/devices/{id}/contact")?["responses"]).members
        let proved = responses.filter { $0.1["headers"]?["Thumbturn-Contact"] != nil }.map(\.0)
        #expect(proved == ["200", "403"])
    }

    @Test func `every member of a body is described, and may not be another`() throws {
        for endpoint in API.endpoints {
            guard let body = endpoint.content.shape else { continue }
            let schema = try #require(
                Document.operation(endpoint.method, endpoint.pattern)?["requestBody"]?["content"]?["application/json"]?[
                    "schema"
                ]
            )
            #expect(schema["properties"]?.members.map(\.0) == (body.required + body.optional).map(\.name))
            #expect(schema["required"]?.elements?.map(\.text) == body.required.map(\.name))
        }
    }

    @Test func `the document takes what the service takes, and refuses what it refuses by its form`() throws {
        let nonce = Member<[UInt8]>.nonce
        for count in 14...18 {
            let value = JSON.string([UInt8](repeating: 0xFF, count: count).base64)
            #expect((nonce.read(value) != nil) == (count == 16))
            #expect(Document.fits(value, nonce.schema) == (count == 16), "\(count)")
        }
        for count in [1, 2, 3, 4, 4_095, 4_096] {
            let value = JSON.string([UInt8](repeating: 0xFF, count: count).base64)
            #expect(Member<[UInt8]>.keyEnvelope.read(value) != nil)
            #expect(Document.fits(value, Member<[UInt8]>.keyEnvelope.schema), "\(count)")
        }
        for text in ["00" + String(repeating: "1", count: 30), String(repeating: "1", count: 32), "1"] {
            let isSalt = Member<[UInt8]>.salt.read(.string(text)) != nil
            #expect(Document.fits(.string(text), Member<[UInt8]>.salt.schema) == isSalt)
        }
        for time in [ServiceTime(0), ServiceTime(1_700_000_000_000)] {
            #expect(Document.fits(.string(time.text), Member<ServiceTime>.sentAt.schema))
        }
    }

    @Test func `a problem has its type, title, status, code and detail`() throws {
        let reply = try ServiceRoom().client().send(.get, "/v1/account")
        #expect(reply.json.members.map(\.0) == ["type", "title", "status", "code", "detail"])
        #expect(reply.json["status"]?.number == 401)
        #expect(reply.json["title"]?.text == "Unauthorized")
        #expect(reply.header("Content-Type") == "application/problem+json")
        #expect(reply.header("Cache-Control") == "no-store")
    }

    @Test func `what has no route, or another method, is a problem too`() throws {
        let client = try ServiceRoom().client()
        #expect(try client.send(.get, "/v1/nothing").code == "NOT_FOUND")
        let reply = try client.send(.put, "/v1/account")
        #expect((reply.status, reply.header("Allow")) == (405, "GET, DELETE"))
    }

    @Test(arguments: Backing.allCases)
    func `the service lives, and is ready while its database answers`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        #expect(try client.send(.get, "/healthz").status == 200)
        #expect(try client.send(.get, "/readyz").status == 200)
        client.worker.store.close()
        #expect(try client.send(.get, "/healthz").status == 200)
        let reply = try client.send(.get, "/readyz")
        #expect((reply.status, reply.code, reply.header("Retry-After")) == (503, "STORE", "2"))
        #expect(try client.send(.get, "/v1/account", token: String(repeating: "0", count: 64)).code == "STORE")
    }

    @Test(
        .holds("SVC-26"),
        arguments: [
            (StoreError.busy, 503, "BUSY"), (.unavailable, 503, "STORE"), (.uncertain, 503, "UNCERTAIN"),
            (.full, 503, "STORE_FULL"),
            (.damaged, 500, "DAMAGED"), (.tampered, 500, "DAMAGED"), (.keyMissing, 503, "SERVICE_KEY"),
            (.newerFormat(9), 503, "STORE"), (.unsafeFile, 503, "STORE"),
            (.other("x"), 500, "INTERNAL"),
        ]
    )
    func `whatever the store throws is a typed answer, and the next request is answered`(
        error: StoreError,
        status: Int,
        code: String
    ) throws {
        let room = try ServiceRoom()
        let store = BrokenStore(try room.room.open())
        let client = TestClient(Worker(room.service, store: store), from: .loopback, room.clock)
        _ = try client.send(.get, "/healthz")
        store.error = error
        let reply = try client.register(User())
        #expect((reply.status, reply.code) == (status, code))
        #expect((reply.header("Retry-After") != nil) == (status == 503))
        store.error = nil
        #expect(try client.register(User()).status == 201)
    }

    @Test(.holds("SVC-26"), arguments: ["verifier", "envelope", "name"])
    func `what was changed in the store is told as damage, to its account alone`(column: String) throws {
        let room = try ServiceRoom()
        let client = try room.client()
        for name in ["alice", "bob"] { try client.register(User(name: name, envelope: [1])) }
        let login = try client.login(User(name: "alice"))
        let keys = room.service.accounts.keys
        let hash = keys.hash(of: try #require(AccountName("alice")))
        try room.tamper { transaction throws(StoreError) in
            switch column {
            case "verifier":
                try transaction.run("UPDATE accounts SET verifier = name WHERE name_hash = $1", .blob(hash))
            case "envelope":
                try transaction.run("UPDATE accounts SET envelope = name WHERE name_hash = $1", .blob(hash))
            default: try transaction.run("UPDATE accounts SET name = verifier WHERE name_hash = $1", .blob(hash))
            }
        }
        let reply =
            switch column {
            case "verifier": try client.beginOnly("alice")
            case "envelope": try client.attempt(User(name: "alice"))
            default: try client.send(.get, "/v1/account", token: login.token)
            }
        #expect((reply.status, reply.code) == (500, "DAMAGED"))
        #expect(try client.attempt(User(name: "bob")).status == 200)
    }

    @Test func `the counts are Prometheus's text, and name neither an account nor an address`() throws {
        let client = try ServiceRoom().client("203.0.113.77")
        try client.register(User())
        _ = try client.attempt(User(password: "wrong"))
        _ = try client.beginOnly(User().name)
        let reply = try client.send(.get, "/metrics")
        let text = String(decoding: reply.body, as: UTF8.self)
        let lines = [
            #"thumbturn_answers_total{route="/v1/accounts",status="201",code=""} 1"#,
            #"thumbturn_answers_total{route="/v1/login/{handshake}",status="401",code="LOGIN"} 1"#,
            #"thumbturn_answer_seconds_count{route="/v1/login"} 2"#,
            #"thumbturn_answer_seconds_bucket{route="/v1/login",le="+Inf"} 2"#, "thumbturn_open_handshakes 1",
        ]
        for line in lines { #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)") }
        let form = /(# (HELP|TYPE) .+)|([a-z_]+(\{[^}]*\}?[^}]*\})? [0-9.]+)/
        for line in text.split(separator: "\n") { #expect(line.wholeMatch(of: form) != nil, "\(line)") }
        #expect(!text.contains("alice") && !text.contains("203.0.113"))
    }
}

/// A store that throws what it is told.
final class BrokenStore: Store {
    private let store: any Store
    var error: StoreError?

    init(_ store: any Store) {
        self.store = store
    }

    func transaction<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        if let error { throw error }
        return try store.transaction(body)
    }

    func reading<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        if let error { throw error }
        return try store.reading(body)
    }

    func close() { store.close() }
}
