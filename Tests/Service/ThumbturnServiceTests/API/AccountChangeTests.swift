import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("Envelope, closing and tokens") struct AccountChangeTests {
    private static let info = "thumbturn.v1.envelope-change"

    private static func envelope(_ bytes: [UInt8], over former: [UInt8]?) -> [(String, JSON)] {
        [("keyEnvelope", .string(bytes.base64))]
            + (former.map { [("previous", .string(SHA256.digest($0).hexadecimal))] } ?? [])
    }

    @Test(arguments: Backing.allCases)
    func `an envelope is set and replaced, and neither password nor epoch change`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        let login = try client.newLogin(User())
        let large = [UInt8](repeating: 7, count: 4_096)
        for (new, former) in [([1], nil), (large, [1])] as [([UInt8], [UInt8]?)] {
            let body = try login.proven(Self.envelope(new, over: former), Self.info)
            #expect(try client.send(.put, "/v1/account/envelope", body, token: login.token).status == 204)
            let reply = try client.attempt(User())
            #expect(reply.json["keyEnvelope"]?.text == new.base64)
            #expect(reply.json["policyEpoch"]?.number == 0)
        }
        #expect(try client.send(.get, "/v1/account", token: login.token).status == 200)
    }

    @Test(.holds("SVC-17"))
    func `every answer to a login, and to its calls, is proved under its key, and no other answer is`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let key = try HKDFSHA256.derive(from: login.key, salt: [], info: Array("thumbturn.v1.answer".utf8))
        func check(_ method: HTTPMethod, _ path: String, _ body: JSON?, status: Int) throws {
            let reply = try client.send(method, path, body, token: login.token)
            try #require(reply.status == status, "\(reply.code ?? "")")
            let sent = body.map { Array($0.text(escaping: JSON.shortestEscape).utf8) } ?? []
            let lines = [
                "thumbturn.answer.v1", "\(method.rawValue) \(path)", SHA256.digest(sent).hexadecimal, "\(status)",
                SHA256.digest(reply.body).hexadecimal,
            ]
            let proof = HMACSHA256.tag(Array(lines.joined(separator: "\n").utf8), key: key)
            #expect(reply.header("Thumbturn-Proof") == proof.hexadecimal, "\(method) \(path)")
        }
        let (path, device) = ("/v1/account", TestDevice())
        #expect(login.reply.header("Thumbturn-Proof")?.bytes?.count == 32)
        try check(.get, path, nil, status: 200)
        try check(.post, "/v1/devices", device.enrolment, status: 201)
        // The login is another device's then, and does not end with the first.
        try check(.post, "/v1/devices", TestDevice().enrolment, status: 201)
        try check(.delete, "/v1/devices/\(device.id)", nil, status: 204)
        try check(.put, path + "/envelope", login.proven(Self.envelope([2], over: nil), Self.info), status: 204)
        let user = User(envelope: [3])
        let change =
            try user.credentials() + [
                ("previous", .string(SHA256.digest([2]).hexadecimal)), ("policyEpoch", .integer(0)),
            ]
        try check(.put, path + "/password", login.proven(change), status: 200)
        try check(.get, path, nil, status: 200)
        try check(.delete, path, login.proven([]), status: 204)
        #expect(try client.begin(user).reply.header("Thumbturn-Proof") == nil)
        #expect(try client.send(.get, path, token: login.token).header("Thumbturn-Proof") == nil)
    }

    @Test(.holds("SVC-18"))
    func `an envelope is replaced only by who knows it and the login's key`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User(envelope: [1]))
        func answer(_ members: [(String, JSON)], _ token: String?, _ info: String = Self.info) throws -> String? {
            let body = try login.proven(members, info)
            return try client.send(.put, "/v1/account/envelope", body, token: token).code
        }
        #expect(try answer(Self.envelope([2], over: nil), login.token) == "ENVELOPE")
        #expect(try answer(Self.envelope([2], over: [3]), login.token) == "ENVELOPE")
        #expect(try answer(Self.envelope([2], over: [1]), login.token, "thumbturn.v1.password-change") == "PROOF")
        #expect(try answer([], login.token) == "FORM")
        #expect(try answer(Self.envelope([2], over: [1]), nil) == "TOKEN")
        let tooLarge = [UInt8](repeating: 0, count: 4_097)
        #expect(try answer(Self.envelope(tooLarge, over: [1]), login.token) == "FORM")
        client.clock.advance(.minutes(5))
        #expect(try answer(Self.envelope([2], over: [1]), login.token) == "LOGIN_OLD")
        #expect(try client.attempt(User()).json["keyEnvelope"]?.text == [UInt8]([1]).base64)
    }

    @Test(.holds("SVC-20"), arguments: Backing.allCases)
    func `a closed account is gone with all that belonged to it, and its name is free`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let login = try client.newLogin(User(envelope: [1]))
        let former = try client.send(.get, "/v1/account", token: login.token).json["userId"]?.text
        let device = TestDevice()
        #expect(try client.enrol(device, login.token).status == 201)
        #expect(try client.contact(device).status == 200)
        let begun = try client.begin(User())
        #expect(try client.send(.delete, "/v1/account", try login.proven([]), token: login.token).status == 204)
        for table in ["accounts", "devices", "tokens", "handshakes", "proven", "nonces"] {
            #expect(try room.rows(of: table) == 0, "\(table)")
        }
        #expect(try client.send(.get, "/v1/account", token: login.token).code == "TOKEN")
        #expect(try client.prove(begun.handshake, begun.proof.proof).code == "HANDSHAKE")
        #expect(try client.contact(device).code == "DEVICE_UNKNOWN")
        let next = try client.newLogin(User(password: "new"))
        #expect(try client.enrol(device, next.token).code == "DEVICE_TAKEN", "nobody takes over what is unknown now")
        #expect(try client.contact(device).code == "DEVICE_UNKNOWN")
        #expect(next.reply.json["userId"]?.text != former)
        #expect(next.reply.json["keyEnvelope"] == nil)
    }

    @Test(.holds("SVC-20"))
    func `closing takes a fresh login and its key`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let wrong: JSON = ["proof": .string(String(repeating: "0", count: 64))]
        #expect(try client.send(.delete, "/v1/account", wrong, token: login.token).code == "PROOF")
        #expect(try client.send(.delete, "/v1/account", [:], token: login.token).code == "FORM")
        #expect(try client.send(.delete, "/v1/account", token: login.token).code == "FORM")
        #expect(try client.send(.delete, "/v1/account", wrong, token: nil).code == "TOKEN")
        client.clock.advance(.minutes(5))
        #expect(try client.send(.delete, "/v1/account", try login.proven([]), token: login.token).code == "LOGIN_OLD")
        #expect(try client.attempt(User()).status == 200)
    }

    @Test(.holds("SVC-21"), arguments: Backing.allCases)
    func `a token lasts fifteen minutes, and nothing but a token of ours is one`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let login = try client.newLogin(User())
        let others = [
            "", "x", String(repeating: "0", count: 64), login.token + "0", login.token.uppercased() + " ",
            "\(login.token), \(login.token)",
        ]
        for token in others { #expect(try client.send(.get, "/v1/account", token: token).code == "TOKEN") }
        let reply = try client.send(.get, "/v1/account", token: nil)
        #expect((reply.status, reply.header("WWW-Authenticate")) == (401, "Bearer"))
        client.clock.advance(.minutes(15) - Milliseconds(1))
        #expect(try client.send(.get, "/v1/account", token: login.token).status == 200)
        client.clock.advance(Milliseconds(1))
        #expect(try client.send(.get, "/v1/account", token: login.token).code == "TOKEN")
    }

    @Test(.holds("SVC-33"), arguments: Backing.allCases)
    func `a token that was planted, moved to another account or made to last longer is none`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let mallory = try client.newLogin(User(name: "mallory"))
        try client.register(User())
        let hash = room.service.accounts.keys.hash(of: try #require(AccountName(User().name)))
        func isRefused(_ change: (any StoreTransaction) throws(StoreError) -> Void) throws -> Bool {
            let client = try room.client()
            let store = client.worker.store
            try store.transaction(change)
            let reply = try client.send(.get, "/v1/account", token: mallory.token)
            return reply.code == "TOKEN"
        }
        #expect(try !isRefused { _ throws(StoreError) in })
        #expect(
            try isRefused { transaction throws(StoreError) in
                try transaction.run("UPDATE tokens SET expires_at = expires_at + 1")
            }
        )
        #expect(
            try !isRefused { transaction throws(StoreError) in
                try transaction.run("UPDATE tokens SET expires_at = expires_at - 1")
            }
        )
        #expect(
            try isRefused { transaction throws(StoreError) in
                let alice = try transaction.row("SELECT user_id FROM accounts WHERE name_hash = $1", .blob(hash))
                try transaction.run("UPDATE tokens SET user_id = $1", .optional(try alice?.blob(0)))
            }
        )
    }

    @Test(.holds("SVC-14"))
    func `a clock that is set back makes no login fresh again, and one set forward ends what it has to`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        client.clock.advance(.hours(-2))
        #expect(try client.send(.get, "/v1/account", token: login.token).status == 200)
        #expect(try client.send(.delete, "/v1/account", try login.proven([]), token: login.token).code == "LOGIN_OLD")
        let fresh = try client.login(User())
        client.clock.advance(.days(400))
        #expect(try client.send(.get, "/v1/account", token: fresh.token).code == "TOKEN")
        #expect(try client.attempt(User()).status == 200)
    }
}
