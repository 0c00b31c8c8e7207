import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("A change of the password") struct PasswordChangeTests {
    private static let changed = User(password: "new", salt: Array(17...32))

    @Test(.holds("A50"), arguments: Backing.allCases)
    func `the new password and the next epoch hold, the former opens nothing, and the calling token goes on`(
        backing: Backing
    ) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let login = try client.newLogin(User())
        let other = try client.login(User())
        _ = try client.beginOnly(User().name)
        client.clock.advance(.seconds(30))
        let reply = try client.send(.put, "/v1/account/password", try change(login), token: login.token)
        #expect(reply.status == 200)
        #expect(reply.json["policyEpoch"]?.number == 1)
        let account = try client.send(.get, "/v1/account", token: login.token)
        #expect(account.json["policyEpoch"]?.number == 1)
        #expect(account.json["passwordChangedAt"]?.text == client.clock.now.text)
        #expect(try client.send(.get, "/v1/account", token: other.token).code == "TOKEN")
        #expect(try room.rows(of: "tokens") == 1)
        #expect(try room.rows(of: "handshakes") == 0)
        #expect(try client.attempt(User()).code == "LOGIN")
        let next = try client.login(Self.changed)
        #expect(next.reply.json["policyEpoch"]?.number == 1)
        #expect(next.reply.json["passwordChangedAt"]?.text == client.clock.now.text)
    }

    @Test(arguments: SRPGroup.allCases)
    func `it may change the group`(group: SRPGroup) throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User(group: .bits2048))
        let user = User(password: "new", group: group)
        let body = try login.proven(try user.credentials() + [("policyEpoch", .integer(0))])
        #expect(try client.send(.put, "/v1/account/password", body, token: login.token).status == 200)
        #expect(try client.attempt(user).status == 200)
    }

    @Test func `the calling token's key goes on: its next change is proved with it`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        for epoch in 0..<3 as Range<Int64> {
            let body = try change(login, epoch: epoch)
            #expect(try client.send(.put, "/v1/account/password", body, token: login.token).status == 200)
        }
    }

    @Test(.holds("SVC-17"))
    func `a change that is played again is refused by its epoch`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let body = try change(login)
        #expect(try client.send(.put, "/v1/account/password", body, token: login.token).status == 200)
        let again = try client.send(.put, "/v1/account/password", body, token: login.token)
        #expect((again.status, again.code) == (409, "EPOCH"))
    }

    @Test(.holds("SVC-17"))
    func `a stolen token changes nothing without the login's key`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let members = try Self.changed.credentials() + [("policyEpoch", JSON.integer(0))]
        let forged: [JSON] = [
            .object(members + [("proof", .string(String(repeating: "0", count: 64)))]),
            try login.proven(members, "thumbturn.v1.envelope-change"),
            // A proof over another verifier.
            try change(login).with("verifier", .string(try User(password: "third").verifier().hexadecimal)),
            try change(login).with("salt", .string([UInt8](repeating: 9, count: 16).hexadecimal)),
        ]
        for body in forged {
            let reply = try client.send(.put, "/v1/account/password", body, token: login.token)
            #expect((reply.status, reply.code) == (403, "PROOF"))
        }
        let without = try client.send(.put, "/v1/account/password", .object(members), token: login.token)
        #expect((without.status, without.code) == (422, "FORM"))
        #expect(without.json["member"]?.text == "proof")
        for _ in 0..<10 { #expect(try client.attempt(User()).status == 200, "none of them counts as a failed login") }
    }

    @Test func `the checks come in one order: token, age of the login, form, epoch, envelope, proof`() throws {
        let client = try ServiceRoom().client()
        let user = User(envelope: [1])
        let login = try client.newLogin(user)
        // Wrong in everything; then one thing after the other is put right.
        var body: JSON = .object(try Self.changed.credentials() + [("policyEpoch", .integer(7)), ("extra", .null)])
        func code(_ token: String?) throws -> String? {
            try client.send(.put, "/v1/account/password", body, token: token).code
        }
        client.clock.advance(.minutes(5))
        #expect(try code(nil) == "TOKEN")
        #expect(try code(login.token) == "LOGIN_OLD")
        let fresh = try client.login(user)
        #expect(try code(fresh.token) == "FORM")
        body = body.with("extra", nil).with("proof", .string(String(repeating: "0", count: 64)))
        #expect(try code(fresh.token) == "EPOCH")
        body = body.with("policyEpoch", .integer(0))
        #expect(try code(fresh.token) == "ENVELOPE")
        body = body.with("keyEnvelope", .string([UInt8]([2]).base64)).with(
            "previous",
            .string(SHA256.digest([1]).hexadecimal)
        )
        #expect(try code(fresh.token) == "PROOF")
        let proven = try fresh.proven(body.with("proof", nil).members)
        #expect(try client.send(.put, "/v1/account/password", proven, token: fresh.token).status == 200)
    }

    @Test func `a body that is no JSON is not looked at before the token`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        #expect(try client.send(.put, "/v1/account/password", raw: [0x7B], token: nil).code == "TOKEN")
        let reply = try client.send(.put, "/v1/account/password", raw: [0x7B], token: login.token)
        #expect((reply.status, reply.code) == (400, "JSON"))
    }

    @Test(.holds("SVC-18"))
    func `an account that has an envelope gets no password without one, nor over one that the client has not seen`()
        throws
    {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User(envelope: [1]))
        let epoch = [("policyEpoch", JSON.integer(0))]
        func answer(_ members: [(String, JSON)]) throws -> Reply {
            let body = try login.proven(try Self.changed.credentials() + epoch + members)
            return try client.send(.put, "/v1/account/password", body, token: login.token)
        }
        let envelope = [("keyEnvelope", JSON.string([UInt8]([2]).base64))]
        let missing = try answer([])
        #expect((missing.status, missing.code) == (422, "ENVELOPE"))
        for previous in [nil, SHA256.digest([9]).hexadecimal] {
            let moved = try answer(envelope + (previous.map { [("previous", .string($0))] } ?? []))
            #expect((moved.status, moved.code) == (409, "ENVELOPE"))
        }
        #expect(try answer(envelope + [("previous", .string(SHA256.digest([1]).hexadecimal))]).status == 200)
        let reply = try client.attempt(Self.changed)
        #expect(reply.json["keyEnvelope"]?.text == [UInt8]([2]).base64)
    }

    @Test(.holds("SVC-17"))
    func `a change does not make its token fresher`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        client.clock.advance(.minutes(4))
        #expect(try client.send(.put, "/v1/account/password", try change(login), token: login.token).status == 200)
        client.clock.advance(.minutes(1))
        #expect(
            try client.send(.put, "/v1/account/password", try change(login, epoch: 1), token: login.token).code
                == "LOGIN_OLD"
        )
        client.clock.advance(.minutes(10))
        #expect(try client.send(.get, "/v1/account", token: login.token).code == "TOKEN")
    }

    @Test(.holds("SVC-19"), arguments: Backing.allCases)
    func `of two instances that change the password at once one wins, and nothing is mixed`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        try client.register(User())
        for epoch in 0..<4 as Range<Int64> {
            let current = epoch == 0 ? User() : try #require(try winner(of: epoch - 1, client))
            let logins = try (0..<2).map { number in
                let login = try room.client("192.0.2.\(number + 10)").login(current)
                let user = User(password: "p\(epoch)-\(number)", salt: Array(repeating: UInt8(number + 1), count: 16))
                let body = try login.proven(try user.credentials() + [("policyEpoch", .integer(epoch))])
                return (token: login.token, body: body)
            }
            let tally = Lines()
            try onThreads(2) { number in
                let client = try room.restarted().client()
                let reply = try client.send(
                    .put,
                    "/v1/account/password",
                    logins[number].body,
                    token: logins[number].token
                )
                tally.add("\(reply.status) \(reply.code ?? "")")
            }
            #expect(tally.all.sorted() == ["200 ", "401 TOKEN"])
            _ = try #require(try winner(of: epoch, client))
        }
    }

    /// Whose password the change to this epoch set; nil where it is nobody's, or both's.
    private func winner(of epoch: Int64, _ client: TestClient) throws -> User? {
        client.clock.advance(.days(2))
        let users = (0..<2).map { User(password: "p\(epoch)-\($0)", salt: Array(repeating: UInt8($0 + 1), count: 16)) }
        let proved = try users.filter { user in
            let reply = try client.attempt(user)
            return reply.status == 200 && reply.json["policyEpoch"]?.number == epoch + 1
        }
        return proved.count == 1 ? proved[0] : nil
    }

    @Test(.holds("SVC-19"), arguments: Backing.allCases)
    func `a proof of a handshake that began before the change gets no token`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        let login = try client.newLogin(User())
        let elsewhere = try client.moved(to: "192.0.2.2")
        let begun = try elsewhere.begin(User())
        #expect(try client.send(.put, "/v1/account/password", try change(login), token: login.token).status == 200)
        #expect(try elsewhere.prove(begun.handshake, begun.proof.proof).code == "HANDSHAKE")
    }

    @Test(.holds("SVC-19"), arguments: Backing.allCases)
    func `a handshake that is kept after the change, but began before, gets no token`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let login = try client.newLogin(User())
        let body = try change(login)
        let between = BetweenStore(try room.room.open(), after: 0) {
            _ = try? client.send(.put, "/v1/account/password", body, token: login.token)
        }
        let late = TestClient(Worker(room.service, store: between), from: client.peer, room.clock)
        _ = try client.send(.get, "/healthz")  // so that the sweep is over
        let begun = try late.begin(User())
        #expect(try late.prove(begun.handshake, begun.proof.proof).code == "HANDSHAKE")
        #expect(try room.number("SELECT COUNT(*) FROM counters WHERE scope < 4") == 0)
    }

    @Test(.holds("SVC-21"), arguments: Backing.allCases)
    func `a token of another epoch than its account's has ended`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let login = try client.newLogin(User())
        try room.tamper { transaction throws(StoreError) in try transaction.run("UPDATE accounts SET epoch = 1") }
        #expect(try client.send(.get, "/v1/account", token: login.token).code == "TOKEN")
    }

    @Test(.holds("SVC-19"), arguments: Backing.allCases)
    func `a proof that is being looked at while the password changes gets no token`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let login = try client.newLogin(User())
        let body = try change(login)
        let begun = try client.moved(to: "192.0.2.2").begin(User())
        // The handshake is out of the store, and the change comes before the transaction that gives the token.
        let between = BetweenStore(try room.room.open(), after: 1) {
            _ = try? client.send(.put, "/v1/account/password", body, token: login.token)
        }
        let late = TestClient(Worker(room.service, store: between), from: client.peer, room.clock)
        #expect(try late.prove(begun.handshake, begun.proof.proof).code == "HANDSHAKE")
        #expect(try client.send(.get, "/v1/account", token: login.token).json["policyEpoch"]?.number == 1)
        #expect(try room.number("SELECT COUNT(*) FROM tokens") == 1)
    }

    private func change(_ login: borrowing LoggedIn, epoch: Int64 = 0) throws -> JSON {
        try login.proven(try Self.changed.credentials() + [("policyEpoch", .integer(epoch))])
    }
}

/// A store in which something happens after so many transactions that write.
private final class BetweenStore: Store {
    private let store: any Store
    private let number: Int
    private var count = 0
    private let event: () -> Void

    init(_ store: any Store, after number: Int, _ event: @escaping () -> Void) {
        (self.store, self.number, self.event) = (store, number, event)
    }

    func transaction<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        if count == number { event() }
        count += 1
        return try store.transaction(body)
    }

    func reading<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.reading(body)
    }

    func close() { store.close() }
}
