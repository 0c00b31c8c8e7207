import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("Guessing a password online") struct GuessingTests {
    private static let wrong = User(password: "wrong")

    @Test(.holds("SRP-19"), arguments: Backing.allCases)
    func `after six failures from one network even the right password waits`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        try client.register(User())
        for _ in 0..<6 { #expect(try client.attempt(Self.wrong).code == "LOGIN") }
        let refused = try client.beginOnly(User().name)
        #expect((refused.status, refused.code) == (429, "WAIT"))
        #expect(refused.header("Retry-After") == "1")
        client.clock.advance(.seconds(1))
        #expect(try client.attempt(Self.wrong).code == "LOGIN")
        #expect(try client.beginOnly(User().name).header("Retry-After") == "2")
        client.clock.advance(.seconds(2))
        #expect(try client.attempt(User()).status == 200)
        #expect(try client.attempt(Self.wrong).code == "LOGIN", "a success forgets the failures")
        #expect(try client.attempt(User()).status == 200)
    }

    @Test(.holds("SRP-19"), arguments: Backing.allCases)
    func `a wait holds back handshakes that were open already, and says nothing of their proofs`(backing: Backing)
        throws
    {
        let client = try ServiceRoom(backing).client("2001:db8::1")
        try client.register(User())
        for _ in 0..<5 { _ = try client.attempt(Self.wrong) }
        // Five were free; the sixth is right, begun before and proved after another failure.
        let begun = try client.begin(User())
        _ = try client.worker.store.transaction { transaction throws(StoreError) in
            try transaction.run("UPDATE counters SET failures = 6 WHERE scope = 1")
        }
        #expect(try client.prove(begun.handshake, begun.proof.proof).code == "WAIT")
        client.clock.advance(.seconds(1))
        #expect(try client.prove(begun.handshake, begun.proof.proof).code == "HANDSHAKE")
    }

    @Test(.holds("SRP-19", "SVC-12"), arguments: Backing.allCases)
    func `proofs at once give no guess more than proofs one after another`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        try room.client().register(User())
        let tally = Lines()
        try onThreads(8) { _ in
            let client = try room.client()
            for _ in 0..<4 {
                let begun = try client.beginOnly(User().name)
                guard let handshake = begun.json["handshake"]?.text else { continue }
                let reply = try client.prove(handshake, Array(repeating: 1, count: 32))
                tally.add(reply.code ?? "")
            }
        }
        #expect(tally.all.count { $0 == "LOGIN" } <= 6)
        #expect(try room.number("SELECT failures FROM counters WHERE scope = 1") <= 6)
    }

    @Test(.holds("SVC-12"))
    func `a guess whose answer never came was counted`() throws {
        let room = try ServiceRoom()
        let client = try room.client()
        try client.register(User())
        let begun = try client.begin(Self.wrong)
        let cut = CutStore(try room.room.open(), after: 1)
        let reply = try TestClient(Worker(room.service, store: cut), from: client.peer, room.clock)
            .prove(begun.handshake, begun.proof.proof)
        #expect((reply.status, reply.code) == (503, "STORE"))
        #expect(try room.number("SELECT failures FROM counters WHERE scope = 1") == 1)
    }

    @Test(.holds("SVC-13"), arguments: Backing.allCases)
    func `strangers from many networks slow each other down, and not a network that proved the password`(
        backing: Backing
    ) throws {
        let room = try ServiceRoom(backing)
        let home = try room.client("198.51.100.7")
        try home.register(User())
        #expect(try home.attempt(User()).status == 200)
        #expect(try home.attempt(Self.wrong).code == "LOGIN")
        #expect(
            try room.number("SELECT COUNT(*) FROM counters WHERE scope = 2") == 0,
            "an owner's mistakes are no stranger's"
        )
        for host in 0..<101 {
            #expect(try home.moved(to: "192.0.2.\(host)").attempt(Self.wrong).code == "LOGIN", "\(host)")
        }
        let stranger = try home.moved(to: "203.0.113.1")
        #expect(try stranger.beginOnly(User().name).code == "WAIT")
        #expect(try home.attempt(User()).status == 200)
        home.clock.advance(.seconds(1))
        #expect(try stranger.attempt(Self.wrong).code == "LOGIN")
        #expect(try stranger.beginOnly(User().name).header("Retry-After") == "2")
        home.clock.advance(.days(31))
        for host in 0..<102 where host != 101 { _ = try home.moved(to: "192.0.2.\(host)").attempt(Self.wrong) }
        #expect(try home.beginOnly(User().name).code == "WAIT", "what was proved lasts 30 days")
    }

    @Test(.holds("SVC-13"))
    func `a network that proved a former password is one of many`() throws {
        let room = try ServiceRoom()
        let home = try room.client("198.51.100.7")
        let login = try home.newLogin(User())
        let office = try home.moved(to: "198.51.100.99")
        let body = try login.proven(try User(password: "new").credentials() + [("policyEpoch", .integer(0))])
        #expect(try office.send(.put, "/v1/account/password", body, token: login.token).status == 200)
        for host in 0..<101 { _ = try home.moved(to: "192.0.2.\(host)").attempt(Self.wrong) }
        #expect(try home.beginOnly(User().name).code == "WAIT")
        #expect(try office.attempt(User(password: "new")).status == 200, "who set the password knows it")
    }

    @Test(.holds("SRP-19"), arguments: Backing.allCases)
    func `one network may fail so often in a minute, whatever the names`(backing: Backing) throws {
        let client = try ServiceRoom(backing) { $0.failures = MinuteLimit(most: 4) }.client("2001:db8:0:1::1")
        try client.register(User())
        for name in ["a", "b", "c", "d"] { #expect(try client.attempt(User(name: name)).code == "LOGIN") }
        let refused = try client.moved(to: "2001:db8:0:1:2::3").beginOnly(User().name)
        #expect((refused.status, refused.code) == (429, "WAIT"))
        #expect(refused.header("Retry-After") == "60")
        #expect(try client.moved(to: "2001:db8:0:2::1").attempt(User()).status == 200)
        client.clock.advance(.seconds(60))
        #expect(try client.attempt(User()).status == 200)
    }

    @Test(.holds("SVC-15"), arguments: Backing.allCases)
    func `one network may register so many accounts in a minute, and names that are taken count`(
        backing: Backing
    ) throws {
        let client = try ServiceRoom(backing) { $0.registrations = MinuteLimit(most: 3) }.client()
        #expect(try client.register(User(name: "a")).status == 201)
        let taken = try client.register(User(name: "a", password: "other"))
        #expect((taken.status, taken.code) == (409, "ACCOUNT_TAKEN"))
        #expect(try client.attempt(User(name: "a")).status == 200, "the account is as it was")
        #expect(try client.register(User(name: "b")).status == 201)
        #expect(try client.register(User(name: "c")).code == "WAIT")
        #expect(try client.moved(to: "192.0.2.2").register(User(name: "c")).status == 201)
        client.clock.advance(.seconds(60))
        #expect(try client.register(User(name: "d")).status == 201)
    }

    @Test(.holds("SRP-19"))
    func `the limits are what the design says`() {
        let limits = Limits()
        #expect(limits.failures.most == 300)
        #expect(limits.registrations.most == 400)
        #expect(limits.openHandshakes == 100_000)
        #expect(limits.openHandshakesOfNetwork == 2_000)
    }

    @Test func `only failed proofs count, and neither handshakes nor bad forms`() throws {
        let room = try ServiceRoom()
        let client = try room.client()
        try client.register(User())
        for _ in 0..<20 { #expect(try client.beginOnly(User().name).status == 200) }
        for _ in 0..<20 { #expect(try client.prove("00", [1]).code == "FORM") }
        for _ in 0..<20 {
            #expect(
                try client.prove(String(repeating: "0", count: 32), Array(repeating: 1, count: 32)).code == "HANDSHAKE"
            )
        }
        #expect(try room.number("SELECT COUNT(*) FROM counters WHERE scope < 4") == 0)
    }

    @Test(arguments: Backing.allCases)
    func `what has ended is swept away, a few rows at a time`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let login = try client.newLogin(User())
        _ = try client.attempt(Self.wrong)
        _ = try client.beginOnly("a")
        client.clock.advance(.days(31))
        #expect(try client.send(.get, "/v1/account", token: login.token).code == "TOKEN")
        for table in ["handshakes", "tokens", "counters", "proven"] {
            #expect(try room.rows(of: table) == 0, "\(table)")
        }
        for number in 0..<5 { _ = try client.beginOnly("n\(number)") }
        let (accounts, store) = (room.service.accounts, try room.room.open())
        #expect(try !accounts.sweep(at: client.clock.now, most: 2, in: store))
        client.clock.advance(.minutes(2))
        #expect(try accounts.sweep(at: client.clock.now, most: 2, in: store))
        #expect(try room.rows(of: "handshakes") == 3)
        #expect(try accounts.sweep(at: client.clock.now, most: 2, in: store))
        #expect(try !accounts.sweep(at: client.clock.now, most: 2, in: store))
        #expect(try room.rows(of: "handshakes") == 0)
    }
}

/// A store that can't be reached after so many transactions that write.
final class CutStore: Store {
    private let store: any Store
    private var left: Int

    init(_ store: any Store, after left: Int) {
        (self.store, self.left) = (store, left)
    }

    func transaction<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        guard left > 0 else { throw .unavailable }
        left -= 1
        return try store.transaction(body)
    }

    func reading<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.reading(body)
    }

    func close() { store.close() }
}
