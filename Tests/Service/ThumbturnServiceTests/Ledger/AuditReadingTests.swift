import Testing
import ThumbturnAudit
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("What auditors read", .timeLimit(.minutes(10))) struct AuditReadingTests {
    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `the head and the keys are anyone's`(backing: Backing) throws {
        let room = try AuditRoom(backing)
        let client = try room.client()
        #expect(try client.send(.get, "/v1/audit/checkpoint").body == room.log.notes[0].text)
        #expect(try client.send(.get, "/v1/audit/key").json["keys"]?.elements?.first?["from"]?.number == 0)
        try room.log.add(count: 3)
        try room.log.sign()
        try room.log.add(count: 2)
        for path in ["/v1/audit/checkpoint", "/v1/audit/logs/0/checkpoint"] {
            let reply = try client.send(.get, path)
            #expect(reply.body == room.log.notes[1].text)
            #expect(reply.header("Content-Type") == "text/plain; charset=utf-8")
            #expect(reply.header("Cache-Control") == "no-store")
        }
        for path in ["/v1/audit/key", "/v1/audit/logs/0/key"] {
            let keys = try AuditKeys(reading: client.send(.get, path).json)
            #expect(keys == AuditKeys(origin: ServiceRoom.origin, keys: [try room.log.key]))
            #expect(throws: Never.self) { try AuditNote(reading: room.log.notes[1].text).verify(by: keys.keys[0]) }
        }
    }

    private static let withToken = [
        "/v1/audit/events", "/v1/audit/tile/0/000.p/3", "/v1/audit/tile/entries/000.p/3",
        "/v1/audit/logs/0/tile/0/000.p/3",
        "/v1/audit/logs/0/tile/entries/000.p/3",
    ]

    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `leaves and tiles are an auditor's, whom no other token makes`(backing: Backing) throws {
        let room = try AuditRoom(backing)
        try room.log.add(count: 3)
        try room.log.sign()
        let client = try room.client()
        let login = try client.newLogin(User())
        let wrong = [
            nil, login.token, String(repeating: "0", count: 64), "", room.token.uppercased(), room.token + "0",
            String(room.token.dropLast()),
        ]
        for path in Self.withToken {
            for token in wrong {
                let reply = try client.send(.get, path, token: token)
                #expect((reply.status, reply.code) == (401, "TOKEN"), "\(path)")
                #expect(reply.header("WWW-Authenticate") == "Bearer")
            }
            #expect(try client.send(.get, path, token: room.token).status == 200, "\(path)")
        }
        #expect(try client.send(.get, "/v1/account", token: room.token).code == "TOKEN")
        // Who asks is in the log; his token is not.
        #expect(room.service.lines.all.contains { $0.contains(#""auditor":"siem""#) })
        #expect(!room.service.lines.all.contains { $0.contains(room.token) })
        #expect(try Auditors.remove(#require(AuditorName("siem")), in: room.service.room.open()))
        #expect(try client.send(.get, "/v1/audit/events", token: room.token).code == "TOKEN")
    }

    @Test func `tiles of hashes may be anyone's, and leaves never are`() throws {
        let room = try AuditRoom(.sqlite, showsTiles: true)
        try room.log.add(count: 256)
        try room.log.sign()
        let client = try room.client()
        let reply = try client.send(.get, "/v1/audit/tile/0/000")
        #expect(reply.body == room.log.hashes.flatMap(\.self))
        #expect(reply.header("Cache-Control") == "public, max-age=31536000, immutable")
        #expect(try client.send(.get, "/v1/audit/logs/0/tile/1/000.p/1").status == 200)
        for path in ["tile/entries/000", "logs/0/tile/entries/000", "events"] {
            #expect(try client.send(.get, "/v1/audit/" + path).code == "TOKEN")
        }
    }

    @Test(arguments: Backing.allCases)
    func `an auditor's name is taken once`(backing: Backing) throws {
        let store = try StoreRoom(backing).open()
        let name = try #require(AuditorName("a.b-c_d@e"))
        let token = try Auditors.create(name, in: store)
        #expect(token?.utf8.count == 64)
        #expect(try Auditors.create(name, in: store) == nil)
        #expect(try Auditors.remove(name, in: store))
        #expect(try !Auditors.remove(name, in: store))
        #expect(try Auditors.create(name, in: store) != token)
        for text in ["", " ", "a b", "é", "a/b", String(repeating: "a", count: 65)] {
            #expect(AuditorName(text) == nil)
        }
        #expect(AuditorName(String(repeating: "a", count: 64)) != nil)
    }

    @Test(arguments: Backing.allCases)
    func `a log without a signed head says so, and one that there is not`(backing: Backing) throws {
        let room = try AuditRoom(backing, logs: 2)
        try room.service.tamper { transaction throws(StoreError) in
            try transaction.run("UPDATE logs SET signed = -1 WHERE log = 1")
        }
        let client = try room.client()
        for path in ["checkpoint", "key", "proof?from=0&to=0", "tile/0/000.p/1", "tile/entries/000.p/1"] {
            let missing = try client.send(.get, "/v1/audit/logs/1/" + path, token: room.token)
            #expect((missing.status, missing.code, missing.header("Retry-After")) == (503, "NO_HEAD", "1"), "\(path)")
            for log in ["2", "9007199254740991"] {
                let reply = try client.send(.get, "/v1/audit/logs/\(log)/" + path, token: room.token)
                #expect((reply.status, reply.code) == (404, "LOG_UNKNOWN"), "\(path)")
            }
            for log in ["-1", "01", "1x", "٣", "9007199254740992", "99999999999999999999", "%31%20"] {
                let reply = try client.send(.get, "/v1/audit/logs/\(log)/" + path, token: room.token)
                #expect(
                    (reply.status, reply.code, reply.json["member"]?.text) == (422, "FORM", "log"),
                    "\(log) \(path)"
                )
            }
        }
    }

    @Test(arguments: Backing.allCases)
    func `a log that can't be read costs its own calls alone`(backing: Backing) throws {
        let room = try AuditRoom(backing, logs: 3)
        for log in room.logs {
            try log.add(count: 2)
            try log.sign()
        }
        let store = DeadLogStore(try room.service.room.open(), dead: 1)
        let client = TestClient(Worker(room.service.service, store: store), from: .loopback, room.service.clock)
        for path in ["checkpoint", "key", "proof?index=0&size=2", "tile/0/000.p/2", "tile/entries/000.p/2"] {
            for (log, status) in [(0, 200), (1, 503), (2, 200)] {
                let reply = try client.send(.get, "/v1/audit/logs/\(log)/" + path, token: room.token)
                #expect(reply.status == status, "\(log) \(path)")
                guard status == 503 else { continue }
                #expect((reply.code, reply.header("Retry-After")) == ("STORE", "2"))
            }
        }
        // Events of the others come; those of the dead one follow when it lives.
        let first = try client.send(.get, "/v1/audit/events", token: room.token)
        #expect((first.status, first.body.filter { $0 == 0x0A }.count) == (200, 4))
        let after = try #require(first.header("Thumbturn-Cursor"))
        #expect(try client.send(.get, "/v1/audit/events?after=\(after)", token: room.token).code == "STORE")
        store.dead = nil
        let second = try client.send(.get, "/v1/audit/events?after=\(after)", token: room.token)
        #expect(second.body.filter { $0 == 0x0A }.count == 2)
    }
}

/// A store that answers nothing about one log.
final class DeadLogStore: Store {
    private let store: any Store
    var dead: Int64?

    init(_ store: any Store, dead: Int64?) { (self.store, self.dead) = (store, dead) }

    func transaction<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.transaction { transaction throws(StoreError) in try body(Transaction(transaction, dead)) }
    }

    func reading<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.reading { transaction throws(StoreError) in try body(Transaction(transaction, dead)) }
    }

    func close() { store.close() }

    private final class Transaction: StoreTransaction {
        private let transaction: any StoreTransaction
        private let dead: Int64?

        init(_ transaction: any StoreTransaction, _ dead: Int64?) {
            (self.transaction, self.dead) = (transaction, dead)
        }

        private func check(_ sql: StaticString, _ values: [StoreValue]) throws(StoreError) {
            guard let dead, sql.description.contains("log = $1"), values.first == .integer(dead) else { return }
            throw .unavailable
        }

        func rows(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> [StoreRow] {
            try check(sql, values)
            return try transaction.rows(sql, with: values)
        }

        func run(_ sql: StaticString, with values: [StoreValue]) throws(StoreError) -> Int {
            try check(sql, values)
            return try transaction.run(sql, with: values)
        }

        func undo() { transaction.undo() }
    }
}
