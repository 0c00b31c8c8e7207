import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON

@testable import ThumbturnService

@Suite("Many at once") struct RaceTests {
    @Test(.holds("SVC-19"), arguments: Backing.allCases)
    func `of many who take a name at once one has it`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let tally = Lines()
        try onThreads(6) { number in
            let reply = try room.client().register(User(password: "p\(number)"))
            tally.add(reply.status == 201 ? "p\(number)" : "\(reply.status) \(reply.code ?? "")")
        }
        #expect(tally.all.filter { $0 == "409 ACCOUNT_TAKEN" }.count == 5)
        let winner = try #require(tally.all.first { $0.hasPrefix("p") })
        #expect(try room.client().attempt(User(password: winner)).status == 200)
    }

    @Test(.holds("SVC-22"), arguments: Backing.allCases)
    func `of two accounts that list the same device at once one has it`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let tokens = try ["alice", "bob"].map { try room.client().newLogin(User(name: $0)).token }
        for _ in 0..<5 {
            let body = TestDevice().enrolment
            let tally = Lines()
            try onThreads(2) { number in
                let reply = try room.client().send(.post, "/v1/devices", body, token: tokens[number])
                tally.add("\(reply.status) \(reply.code ?? "")")
            }
            #expect(tally.all.sorted() == ["201 ", "409 DEVICE_TAKEN"])
        }
    }

    @Test(.holds("SVC-19"), arguments: Backing.allCases)
    func `many accounts log in at once, and each gets its own token`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let names = (0..<8).map { "user\($0)" }
        for name in names { try room.client().register(User(name: name, password: name)) }
        let start = ContinuousClock.now
        try onThreads(names.count) { number in
            let client = try room.client()
            for _ in 0..<6 {
                let login = try client.login(User(name: names[number], password: names[number]))
                let account = try client.send(.get, "/v1/account", token: login.token)
                #expect(account.json["account"]?.text == names[number])
            }
        }
        print("\(backing.rawValue): \((ContinuousClock.now - start) / 48) for a login and a look, both sides")
        #expect(try room.number("SELECT COUNT(*) FROM tokens") == 48)
        #expect(try room.number("SELECT COUNT(*) FROM counters WHERE scope < 4") == 0)
    }

    @Test(.holds("SVC-20"), arguments: Backing.allCases)
    func `of a closing and a change of the password at once one comes first, and nothing is mixed`(
        backing: Backing
    ) throws {
        let room = try ServiceRoom(backing)
        for round in 0..<4 {
            let user = User(name: "round\(round)")
            try room.client().register(user)
            let closing = try room.client("192.0.2.10").login(user)
            let change = try room.client("192.0.2.11").login(user)
            let calls = [
                (closing.token, "/v1/account", HTTPMethod.delete, try closing.proven([])),
                (
                    change.token, "/v1/account/password", .put,
                    try change.proven(try User(password: "new").credentials() + [("policyEpoch", .integer(0))])
                ),
            ]
            let tally = Lines()
            try onThreads(2) { number in
                let (token, path, method, body) = calls[number]
                let reply = try room.client().send(method, path, body, token: token)
                tally.add("\(reply.status) \(reply.code ?? "")")
            }
            #expect(tally.all.contains("401 TOKEN"))
            #expect(tally.all.contains("204 ") != tally.all.contains("200 "))
            let isClosed = tally.all.contains("204 ")
            #expect(try room.client().register(user).status == (isClosed ? 201 : 409))
        }
    }
}
