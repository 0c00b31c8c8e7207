import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("A name that nobody has") struct StrangerTests {
    private static let nobody = User(name: "nobody.is.here@ex", password: "wrong")
    private static let somebody = User(name: "alice@example.org", password: "wrong")

    /// An answer without what differs from login to login.
    private struct Shape: Equatable {
        let status: Int
        let headers: [String]
        let byteCount: Int
        let members: [String]
        let code: String?

        init(_ reply: Reply) {
            status = reply.status
            headers = reply.headers.map { "\($0.0): \($0.1)" }
            byteCount = reply.body.count
            members = reply.json.members.map(\.0)
            code = reply.code
        }
    }

    @Test(.holds("SRP-15", "SVC-10"), arguments: Backing.allCases)
    func `it is answered like one that somebody has, from the beginning to the waits`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        try client.register(User())
        for round in 0..<12 {
            let answers = try [Self.somebody, Self.nobody].map { user -> [Shape] in
                let begun = try client.beginOnly(user.name)
                guard begun.status == 200 else { return [Shape(begun)] }
                let handshake = try #require(begun.json["handshake"]?.text)
                return [Shape(begun), Shape(try client.prove(handshake, Array(repeating: 1, count: 32)))]
            }
            #expect(answers[0] == answers[1], "round \(round)")
            #expect(answers[0].last?.status == (round < 6 ? 401 : 429), "round \(round)")
        }
    }

    @Test(.holds("SRP-16", "SVC-10"), arguments: Backing.allCases)
    func `it costs the same statements, at the beginning, at the proof and in the waits`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let (client, store) = try room.watchedClient()
        try client.register(User())
        _ = try client.beginOnly("warm")
        for _ in 0..<8 {
            let statements = try [Self.somebody, Self.nobody].map { user -> [String] in
                store.forget()
                let begun = try client.beginOnly(user.name)
                guard let handshake = begun.json["handshake"]?.text else { return store.statements }
                _ = try client.prove(handshake, Array(repeating: 1, count: 32))
                return store.statements
            }
            #expect(statements[0] == statements[1])
            #expect(!statements[0].isEmpty)
        }
    }

    @Test(.holds("SRP-16", "SVC-10"), arguments: Backing.allCases)
    func `as many rows are read for it, wherever it would stand among the others`(backing: Backing) throws {
        let (client, store) = try ServiceRoom(backing).watchedClient()
        try client.register(User())
        store.forget()
        let salt = try #require(try client.beginOnly(Self.somebody.name).json["salt"]?.text)
        let found = store.rowCounts
        #expect(found.first == 1)
        for number in 0..<16 {
            store.forget()
            let reply = try client.beginOnly("nobody\(number)")
            #expect(store.rowCounts == found, "\(number)")
            #expect(try #require(reply.json["salt"]?.text) != salt, "the row that was read is somebody's")
        }
    }

    @Test(.holds("SRP-15"))
    func `its salt and cost stay the same, on every instance, and look like a client's`() throws {
        let room = try ServiceRoom()
        let client = try room.client()
        var salts: Set<String> = []
        for number in 0..<30 {
            let reply = try client.beginOnly("nobody\(number)")
            #expect(reply.json["kdf"]?["memoryKiB"]?.number == 65_536 && reply.json["kdf"]?["passes"]?.number == 3)
            salts.insert(try #require(reply.json["salt"]?.text))
        }
        #expect(salts.count == 30)
        let elsewhere = try room.restarted()
        #expect(salts.contains(try #require(try elsewhere.client().beginOnly("nobody7").json["salt"]?.text)))
        let keys = room.service.accounts.keys
        for number in 0..<3_000 {
            let name = try #require(AccountName("n\(number)"))
            #expect(try keys.stranger(keys.hash(of: name)).salt.first != 0)
        }
    }

    @Test(.holds("SRP-15"))
    func `its salt does not follow from its name without the service's key`() throws {
        let salts = try (0..<2).map { _ in
            try #require(try ServiceRoom().client().beginOnly("nobody").json["salt"]?.text)
        }
        #expect(salts[0] != salts[1])
    }

    @Test func `a handshake that it began does not become the login of who takes the name`() throws {
        let client = try ServiceRoom().client()
        let begun = try client.begin(User())
        try client.register(User())
        #expect(try client.prove(begun.handshake, begun.proof.proof).code == "HANDSHAKE")
    }

    @Test(.holds("SVC-11"))
    func `failures of names that nobody has fill no more than a fixed number of rows`() throws {
        let room = try ServiceRoom { $0.failures = MinuteLimit(most: 10_000) }
        let client = try room.client()
        try client.register(User())
        for user in (0..<60).map({ User(name: "n\($0)") }) + [Self.somebody] {
            let begun = try client.beginOnly(user.name)
            let handshake = try #require(begun.json["handshake"]?.text)
            #expect(try client.prove(handshake, Array(repeating: 1, count: 32)).code == "LOGIN")
        }
        for scope in [1, 2] as [Int64] {
            let keys = try room.room.open().reading { transaction throws(StoreError) in
                try transaction.rows("SELECT key FROM counters WHERE scope = $1", .integer(scope))
                    .map { row throws(StoreError) in try row.blob(0) }
            }
            // Once in 10,000 runs two of the 60 share one.
            #expect(keys.count >= 60)
            #expect(keys.allSatisfy { $0.count == 32 })
            // Three bytes of 32 are left to all but the one that somebody has.
            #expect(keys.filter { $0.prefix(29).contains { $0 != 0 } }.count == 1)
        }
    }
}
