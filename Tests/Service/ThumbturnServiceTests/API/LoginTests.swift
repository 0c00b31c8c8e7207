import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("A login") struct LoginTests {
    @Test(arguments: Backing.allCases, SRPGroup.allCases)
    func `an account is registered, and its password proved, in each group`(backing: Backing, group: SRPGroup) throws {
        let client = try ServiceRoom(backing).client()
        let user = User(group: group, envelope: [1, 2, 3])
        let registered = try client.register(user)
        #expect(registered.status == 201)
        #expect(registered.json["account"]?.text == user.name)
        let login = try client.login(user)
        #expect(login.reply.json["policyEpoch"]?.number == 0)
        #expect(login.reply.json["passwordChangedAt"]?.text == client.clock.now.text)
        #expect(login.reply.json["expiresAt"]?.text == (client.clock.now + .minutes(15)).text)
        #expect(login.reply.json["keyEnvelope"]?.text == [UInt8](arrayLiteral: 1, 2, 3).base64)
        let account = try client.send(.get, "/v1/account", token: login.token)
        #expect(account.status == 200)
        #expect(account.json["account"]?.text == user.name)
        #expect(account.json["userId"]?.text == login.reply.json["userId"]?.text)
        #expect(login.reply.json["origin"]?.text == ServiceRoom.origin)
        #expect(account.json["devices"]?.elements?.isEmpty == true)
    }

    @Test(.holds("SRP-9"))
    func `a wrong proof is answered without a proof of ours`() throws {
        let client = try ServiceRoom().client()
        try client.register(User())
        let begun = try client.begin(User(password: "another"))
        let reply = try client.prove(begun.handshake, begun.proof.proof)
        #expect((reply.status, reply.code) == (401, "LOGIN"))
        #expect(reply.json["M2"] == nil && reply.json["token"] == nil)
        #expect(reply.header("WWW-Authenticate") != nil)
    }

    @Test(.holds("SRP-8"), arguments: [0, 15, 31])
    func `a proof that is wrong in one byte is refused wherever that lies`(index: Int) throws {
        let client = try ServiceRoom().client()
        try client.register(User())
        let begun = try client.begin(User())
        var proof = begun.proof.proof
        proof[index] ^= 1
        #expect(try client.prove(begun.handshake, proof).code == "LOGIN")
    }

    @Test(.holds("SRP-8"), arguments: [0, 1, 31, 33, 64])
    func `a proof of another length is refused by its form`(count: Int) throws {
        let client = try ServiceRoom().client()
        try client.register(User())
        let begun = try client.begin(User())
        let proof = Array((begun.proof.proof + begun.proof.proof).prefix(count))
        let reply = try client.prove(begun.handshake, proof)
        #expect((reply.status, reply.code) == (422, "FORM"))
        #expect(reply.json["member"]?.text == "M1")
    }

    @Test(.holds("SRP-1", "SRP-3", "A48"), arguments: ["alice@example.org", "nobody"])
    func `an A that would make the secret known is refused before the store is asked to keep it`(name: String) throws {
        let room = try ServiceRoom()
        let (client, store) = try room.watchedClient()
        try client.register(User())
        for value in try RefusedNumber.all(of: .standard) {
            store.forget()
            let reply = try client.send(
                .post,
                "/v1/login",
                ["account": .string(name), "A": .string(value.hexadecimal)]
            )
            #expect((reply.status, reply.code) == (422, value.count == 384 ? "RANGE" : "FORM"))
            #expect(!store.statements.contains("writing"))
        }
        #expect(try room.number("SELECT COUNT(*) FROM handshakes") == 0)
    }

    @Test(.holds("SRP-1", "A48"))
    func `an A of 0 modulo N opens nothing, not even where it got past the first check`() throws {
        let room = try ServiceRoom()
        let client = try room.client()
        try client.register(User())
        let modulus = try #require(try RefusedNumber.all(of: .standard, id: "N").first)
        let begun = try client.begin(User())
        try room.tamper { transaction throws(StoreError) in
            try transaction.run("UPDATE handshakes SET client_value = $1", .blob(modulus))
        }
        // S = 0, which is hashed in its whole width where it has no byte but zeros: so K and M1 are known to everybody.
        let key = SHA256.digest([UInt8](repeating: 0, count: 384))
        let generator = SHA256.digest([UInt8](repeating: 0, count: 383) + [5])
        let group = zip(SHA256.digest(modulus), generator).map { $0 ^ $1 }
        let value = Array(try #require(begun.reply.json["B"]?.text?.bytes).drop { $0 == 0 })
        let name = SHA256.digest(Array(User().name.utf8))
        let proof = SHA256.digest(group, name, User().salt, modulus, value, key)
        #expect(try client.prove(begun.handshake, proof).code == "LOGIN")
    }

    @Test(.holds("SRP-3"), arguments: ["alice@example.org", "nobody"])
    func `an A as wide as another group is told which group to begin in, and any other width is of no form`(
        name: String
    ) throws {
        let client = try ServiceRoom().client()
        try client.register(User())
        for (count, status, code) in [
            (256, 422, "GROUP"), (512, 422, "GROUP"), (383, 422, "FORM"), (385, 422, "FORM"), (0, 422, "FORM"),
        ] {
            let value = [UInt8](repeating: 2, count: count).hexadecimal
            let reply = try client.send(.post, "/v1/login", ["account": .string(name), "A": .string(value)])
            #expect((reply.status, reply.code) == (status, code), "\(count) bytes")
            #expect(reply.json["group"]?.text == (code == "GROUP" ? "rfc5054-3072" : nil))
        }
    }

    @Test(.holds("SRP-6", "SRP-7", "SRP-21"), arguments: ["N", "g", "k", "group", "hash", "encoding", "kdf"])
    func `nothing of the mathematics is chosen by who logs in`(member: String) throws {
        let client = try ServiceRoom().client()
        let body: JSON = ["account": "alice", "A": .string([UInt8](repeating: 2, count: 384).hexadecimal)]
        #expect(try client.send(.post, "/v1/login", body).status == 200)
        #expect(try client.send(.post, "/v1/login", body.with(member, "3")).code == "FORM")
    }

    @Test(.holds("SRP-7"), arguments: ["rfc5054-1024", "rfc5054-8192", "RFC5054-3072", "3072", ""])
    func `a group that is not in the list is refused`(group: String) throws {
        let client = try ServiceRoom().client()
        let body = try User().registration().with("group", .string(group))
        #expect(try client.send(.post, "/v1/accounts", body).code == "FORM")
    }

    @Test(.holds("SRP-11"), arguments: Backing.allCases, [true, false])
    func `a handshake takes one proof, right or wrong`(backing: Backing, isRight: Bool) throws {
        let client = try ServiceRoom(backing).client()
        try client.register(User())
        let begun = try client.begin(User())
        let first = isRight ? begun.proof.proof : Array(repeating: 0, count: 32)
        #expect(try client.prove(begun.handshake, first).status == (isRight ? 200 : 401))
        let second = try client.prove(begun.handshake, begun.proof.proof)
        #expect((second.status, second.code) == (401, "HANDSHAKE"))
    }

    @Test(.holds("SRP-11"), arguments: Backing.allCases)
    func `of many who send the same proof at once, one logs in`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        try client.register(User())
        let begun = try client.begin(User())
        let (handshake, proof, tally) = (begun.handshake, begun.proof.proof, Lines())
        try onThreads(6) { _ in
            let reply = try room.client().prove(handshake, proof)
            tally.add("\(reply.status) \(reply.code ?? "")")
        }
        #expect(tally.all.sorted() == ["200 "] + Array(repeating: "401 HANDSHAKE", count: 5))
    }

    @Test(.holds("SRP-12"))
    func `every handshake has its own b, and an identifier that nobody guesses`() throws {
        let room = try ServiceRoom()
        let client = try room.client()
        try client.register(User())
        let replies = try (0..<100).map { _ in try client.beginOnly(User().name) }
        #expect(Set(replies.compactMap { $0.json["B"]?.text }).count == 100)
        let identifiers = replies.compactMap { $0.json["handshake"]?.text?.bytes }
        #expect(identifiers.count == 100 && identifiers.allSatisfy { $0.count == 16 })
        for bit in 0..<128 {
            let count = identifiers.count { $0[bit / 8] & 1 << (bit % 8) != 0 }
            #expect(count > 10 && count < 90, "bit \(bit) is set in \(count) of 100")
        }
    }

    @Test(.holds("SRP-13"), arguments: Backing.allCases)
    func `of two handshakes of one name and network the newer goes on`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        try client.register(User())
        let former = try client.begin(User())
        let latter = try client.begin(User())
        #expect(try client.prove(former.handshake, former.proof.proof).code == "HANDSHAKE")
        #expect(try client.prove(latter.handshake, latter.proof.proof).status == 200)
        #expect(try room.number("SELECT COUNT(*) FROM handshakes") == 0)
    }

    @Test(.holds("SRP-13"))
    func `a handshake ends after a minute`() throws {
        let client = try ServiceRoom().client()
        try client.register(User())
        let former = try client.begin(User())
        let latter = try client.moved(to: "192.0.2.2").begin(User())
        client.clock.advance(.seconds(60) - Milliseconds(1))
        #expect(try client.prove(former.handshake, former.proof.proof).status == 200)
        client.clock.advance(Milliseconds(1))
        #expect(try client.prove(latter.handshake, latter.proof.proof).code == "HANDSHAKE")
    }

    @Test(.holds("SRP-14"), arguments: Backing.allCases)
    func `a stranger who begins a login does not end the owner's`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        try client.register(User())
        let begun = try client.begin(User())
        for host in 2..<10 { _ = try client.moved(to: "192.0.2.\(host)").begin(User()) }
        _ = try client.moved(to: "2001:db8::1").begin(User())
        #expect(try client.prove(begun.handshake, begun.proof.proof).status == 200)
    }

    @Test(.holds("SRP-13", "SVC-16"), arguments: Backing.allCases)
    func `one network opens so many handshakes, and others go on`(backing: Backing) throws {
        let client = try ServiceRoom(backing) { $0.openHandshakesOfNetwork = 3 }.client("2001:db8:1:1::1")
        for name in ["a", "b", "c"] { #expect(try client.beginOnly(name).status == 200) }
        let refused = try client.moved(to: "2001:db8:1:1:ffff::2").beginOnly("d")
        #expect((refused.status, refused.code) == (429, "HANDSHAKES"))
        #expect(refused.header("Retry-After") == "60")
        #expect(try client.moved(to: "2001:db8:1:2::1").beginOnly("d").status == 200)
        client.clock.advance(.seconds(70))
        #expect(try client.beginOnly("d").status == 200)
    }

    @Test(.holds("SRP-13", "SVC-16"))
    func `all networks together open so many, until some have ended`() throws {
        let room = try ServiceRoom { $0.openHandshakes = 3 }
        let client = try room.client()
        try client.register(User())
        // One that takes another's place is no more.
        for host in [1, 1, 1, 1, 2] { #expect(try client.moved(to: "192.0.2.\(host)").beginOnly("a").status == 200) }
        let begun = try client.moved(to: "192.0.2.3").begin(User())
        #expect(try client.beginOnly("b").code == "HANDSHAKES")
        #expect(try client.prove(begun.handshake, begun.proof.proof).status == 200)
        #expect(try client.beginOnly("b").status == 200)
        #expect(try client.beginOnly("c").code == "HANDSHAKES")
        client.clock.advance(.seconds(60))
        #expect(try client.beginOnly("c").status == 200)
    }

    @Test(.holds("SRP-20"))
    func `a value of the wrong form costs no statement`() throws {
        let (client, store) = try ServiceRoom().watchedClient()
        _ = try client.beginOnly("warm")
        store.forget()
        let body: JSON = ["account": "a", "A": .string(String(repeating: "2", count: 767))]
        #expect(try client.send(.post, "/v1/login", body).code == "FORM")
        #expect(store.statements.isEmpty)
    }
}

extension TestClient {
    /// Begins a login with some A.
    func beginOnly(_ name: String, group: SRPGroup = .standard) throws -> Reply {
        let value = [UInt8](repeating: 2, count: group.byteCount).hexadecimal
        return try send(.post, "/v1/login", ["account": .string(name), "A": .string(value)])
    }
}

/// A public value that every peer has to refuse, from the vectors.
struct RefusedNumber: Decodable {
    let id, group: String
    let value: HexBytes

    /// Those of a group.
    static func all(of group: SRPGroup, id: String? = nil) throws -> [[UInt8]] {
        let all = try VectorFile<RefusedNumber>.load("crypto/srp-refused.json").tests
        return all.filter { $0.group == group.rawValue && (id ?? $0.id) == $0.id }.map(\.value.bytes)
    }
}
