import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("Who may register") struct RegistrationTests {
    @Test(arguments: Backing.allCases)
    func `a closed service registers nobody, whatever is sent, and serves the accounts that it has`(
        backing: Backing
    ) throws {
        let open = try ServiceRoom(backing)
        try open.client().register(User())
        let room = try open.restarted(isRegistrationOpen: false)
        let client = try room.client()
        var other = User()
        other.name = "bob"
        let forms = try [User(), other].map { try $0.registration().text(escaping: JSON.shortestEscape) }
        for body in ["", "nonsense"] + forms {
            let reply = try client.send(.post, "/v1/accounts", raw: Array(body.utf8))
            #expect((reply.status, reply.code) == (403, "REGISTRATION_CLOSED"))
        }
        #expect(try room.rows(of: "accounts") == 1)
        #expect(try client.attempt(User()).status == 200)
    }

    @Test(arguments: Backing.allCases)
    func `a service takes as many accounts as it may, tells no name then, and has room where one is closed`(
        backing: Backing
    ) throws {
        let room = try ServiceRoom(backing) { $0.accounts = 2 }
        let client = try room.client()
        let users = ["a", "b", "c"].map { name in
            var user = User()
            user.name = name
            return user
        }
        for user in users.prefix(2) { #expect(try client.register(user).status == 201) }
        for user in [users[2], users[0]] {
            let reply = try client.register(user)
            #expect((reply.status, reply.code) == (507, "ACCOUNTS_FULL"))
        }
        // What is refused is counted for its network all the same.
        #expect(try room.number("SELECT failures FROM counters WHERE scope = 4") == 4)
        let login = try client.login(users[0])
        #expect(try client.send(.delete, "/v1/account", try login.proven([]), token: login.token).status == 204)
        #expect(try client.register(users[2]).status == 201)
        #expect(try client.register(users[0]).code == "ACCOUNTS_FULL")
    }

    @Test(arguments: Backing.allCases)
    func `of several who register at once as many get in as there is room for`(backing: Backing) throws {
        let room = try ServiceRoom(backing) { $0.accounts = 3 }
        try onThreads(8) { index in
            var user = User()
            user.name = "user\(index)"
            let client = try room.client("192.0.2.\(index + 1)")
            // A transaction that was in the way of others for too long is tried again.
            while try client.register(user).status == 503 {}
        }
        #expect(try room.rows(of: "accounts") == 3)
    }

    @Test(arguments: Backing.allCases)
    func `an operator sees an account, counts all, and closes one without its password`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let login = try client.newLogin(User())
        let device = TestDevice()
        #expect(try client.enrol(device, login.token).status == 201)
        let (store, keys) = (try room.room.open(), room.service.accounts.keys)
        let name = try #require(AccountName(User().name))
        let nobody = try #require(AccountName("nobody"))
        #expect(try AccountDesk.count(in: store) == 1)
        #expect(try AccountDesk.sheet(of: nobody, keys, in: store) == nil)
        #expect(try AccountDesk.close(nobody, keys, in: store) == nil)
        let sheet = try #require(try AccountDesk.sheet(of: name, keys, in: store))
        #expect(sheet.userID.text == login.reply.json["userId"]?.text && sheet.policyEpoch == 0)
        #expect(sheet.listing.count == 1 && sheet.createdAt == room.clock.now && !sheet.hasEnvelope)
        #expect(try AccountDesk.close(name, keys, in: store) == sheet.userID)
        #expect(try AccountDesk.count(in: store) == 0)
        for table in ["tokens", "devices"] { #expect(try room.rows(of: table) == 0) }
        #expect(try client.send(.get, "/v1/account", token: login.token).code == "TOKEN")
        #expect(try client.attempt(User()).code == "LOGIN")
        #expect(try client.register(User()).status == 201)
    }
}
