import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("A device") struct DeviceTests {
    @Test(arguments: Backing.allCases)
    func `it is listed, and the same once more is answered alike`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        let login = try client.newLogin(User())
        let devices = [TestDevice(), TestDevice()]
        for device in devices {
            let reply = try client.enrol(device, login.token)
            #expect(reply.status == 201)
            #expect(reply.json["createdAt"]?.text == client.clock.now.text)
            client.clock.advance(.seconds(1))
            #expect(try client.enrol(device, login.token).body == reply.body)
        }
        let listed = try client.send(.get, "/v1/account", token: login.token).json["devices"]?.elements ?? []
        #expect(listed.map { $0["deviceId"]?.text } == devices.map(\.id))
        #expect(listed.map { $0["algorithm"]?.text } == ["ecdsa-p256-sha256", "ecdsa-p256-sha256"])
    }

    @Test(.holds("SVC-22"), arguments: Backing.allCases)
    func `its identifier is taken once in the whole service`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        let alice = try client.newLogin(User())
        let device = TestDevice()
        #expect(try client.enrol(device, alice.token).status == 201)
        let bob = try client.newLogin(User(name: "bob"))
        let taken = try client.enrol(device, bob.token)
        #expect((taken.status, taken.code) == (409, "DEVICE_TAKEN"))
        #expect(try client.enrol(TestDevice(id: device.id), alice.token).code == "DEVICE_TAKEN", "another key")
        #expect(try client.send(.delete, "/v1/devices/\(device.id)", token: alice.token).status == 204)
        // Her own login ended with it.
        let again = try client.login(User())
        #expect(try client.enrol(device, again.token).code == "DEVICE_TAKEN", "a revoked one comes never again")
        #expect(try client.enrol(device, bob.token).code == "DEVICE_TAKEN")
    }

    @Test(arguments: Backing.allCases)
    func `it is called what its owner says, which stays until another name is given`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        let login = try client.newLogin(User())
        let (plain, named) = (TestDevice(), TestDevice())
        #expect(try client.enrol(plain, login.token).json["name"] == nil)
        // The list is in the order of time.
        client.clock.advance(.seconds(1))
        let text = "Ada's téléphone 📱"
        for name in [JSON.string(text), nil] {
            let reply = try client.send(.post, "/v1/devices", named.enrolment.with("name", name), token: login.token)
            #expect(reply.status == 201 && reply.json["name"]?.text == text)
        }
        let longest = String(repeating: "é", count: 64)
        let again = named.enrolment.with("name", .string(longest))
        #expect(try client.send(.post, "/v1/devices", again, token: login.token).status == 201)
        let listed = try client.send(.get, "/v1/account", token: login.token).json["devices"]?.elements ?? []
        #expect(listed.map { $0["name"]?.text } == [nil, longest])
        let wrong: [JSON] = [
            "", .string(longest + "é"), "two\nlines", "\u{0}", "\u{202E}txt", "\u{200B}", .integer(1), .null,
        ]
        for name in wrong {
            let reply = try client.send(.post, "/v1/devices", plain.enrolment.with("name", name), token: login.token)
            #expect((reply.status, reply.code) == (422, "FORM"), "\(name)")
            #expect(reply.json["member"]?.text == "name")
        }
    }

    @Test(.holds("A49", "F-107-09"), arguments: Backing.allCases)
    func `the logins of a device end with it, and no others`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        let (lost, own) = (TestDevice(), TestDevice())
        let stolen = try client.newLogin(User())
        #expect(try client.enrol(lost, stolen.token).status == 201)
        let mine = try client.login(User())
        let unlisted = try client.login(User())
        #expect(try client.enrol(own, mine.token).status == 201)
        #expect(try client.send(.delete, "/v1/devices/\(lost.id)", token: mine.token).status == 204)
        #expect(try client.send(.get, "/v1/account", token: stolen.token).code == "TOKEN")
        for token in [mine.token, unlisted.token] {
            #expect(try client.send(.get, "/v1/account", token: token).status == 200)
        }
        // One's own answers still, and is the last.
        #expect(try client.send(.delete, "/v1/devices/\(own.id)", token: mine.token).status == 204)
        #expect(try client.send(.get, "/v1/account", token: mine.token).code == "TOKEN")
        #expect(try client.send(.get, "/v1/account", token: unlisted.token).status == 200)
    }

    @Test func `what is no key, no identifier or another algorithm is refused`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let body = TestDevice().enrolment
        var offCurve = TestDevice().publicKey
        offCurve[90] ^= 1
        let wrong: [(String, JSON)] = [
            ("publicKey", .string(offCurve.base64)), ("publicKey", .string([UInt8](repeating: 0, count: 91).base64)),
            ("publicKey", .string(Array(offCurve.dropLast()).base64)), ("publicKey", "-----BEGIN PUBLIC KEY-----"),
            ("deviceId", .string(String(repeating: "A", count: 32))), ("deviceId", "0"), ("deviceId", .null),
            ("algorithm", "ecdsa-p384-sha384"), ("algorithm", .integer(1)),
        ]
        for (name, value) in wrong {
            let reply = try client.send(.post, "/v1/devices", body.with(name, value), token: login.token)
            #expect((reply.status, reply.code) == (422, "FORM"), "\(name)")
            #expect(reply.json["member"]?.text == name)
        }
    }

    @Test(.holds("SVC-17")) func `listing and revoking take a fresh login, and revoking one's own device`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let device = TestDevice()
        #expect(try client.enrol(device, nil).code == "TOKEN")
        #expect(try client.enrol(device, login.token).status == 201)
        let bob = try client.newLogin(User(name: "bob"))
        let path = "/v1/devices/\(device.id)"
        let reply = try client.send(.delete, path, token: bob.token)
        #expect((reply.status, reply.code) == (404, "DEVICE_NOT_LISTED"))
        #expect(try client.send(.delete, "/v1/devices/xyz", token: login.token).code == "FORM")
        #expect(try client.send(.delete, path, token: nil).code == "TOKEN")
        client.clock.advance(.minutes(5))
        #expect(try client.send(.delete, path, token: login.token).code == "LOGIN_OLD")
        #expect(try client.enrol(TestDevice(), login.token).code == "LOGIN_OLD")
        let fresh = try client.login(User())
        for _ in 0..<2 { #expect(try client.send(.delete, path, token: fresh.token).status == 204) }
        #expect(try client.send(.get, "/v1/account", token: fresh.token).json["devices"]?.elements?.isEmpty == true)
    }

    @Test func `an account lists a hundred at most`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let device = TestDevice()
        for _ in 0..<100 {
            #expect(try client.enrol(device.again(), login.token).status == 201)
        }
        let last = device.again()
        let reply = try client.enrol(last, login.token)
        #expect((reply.status, reply.code) == (409, "DEVICE_LIMIT"))
    }
}

@Suite("The contact of a device") struct ContactTests {
    @Test(.holds("A50", "A51"), arguments: Backing.allCases)
    func `it tells the newest epoch, without a token`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        let login = try client.newLogin(User())
        let device = TestDevice()
        try client.enrol(device, login.token)
        let registered = client.clock.now
        let first = try client.contact(device, provedBy: login)
        #expect(first.status == 200)
        #expect(first.json["policyEpoch"]?.number == 0)
        #expect(first.json["passwordChangedAt"]?.text == registered.text)
        #expect(first.json["serverTime"]?.text == client.clock.now.text)
        client.clock.advance(.minutes(1))
        let body = try login.proven(try User(password: "new").credentials() + [("policyEpoch", .integer(0))])
        #expect(try client.send(.put, "/v1/account/password", body, token: login.token).status == 200)
        let second = try client.contact(device, provedBy: login)
        #expect(second.json["policyEpoch"]?.number == 1)
        #expect(second.json["passwordChangedAt"]?.text == client.clock.now.text)
    }

    @Test(.holds("A51", "SVC-23", "SVC-36"), arguments: Backing.allCases)
    func `an account that was put back shows by its epoch, and a restored database by one that nobody has seen`(
        backing: Backing
    ) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let login = try client.newLogin(User())
        let device = TestDevice()
        try client.enrol(device, login.token)
        let former = try room.room.open().reading { transaction throws(StoreError) in
            try transaction.row("SELECT verifier FROM accounts")?.blob(0)
        }
        let body = try login.proven(try User(password: "new").credentials() + [("policyEpoch", .integer(0))])
        #expect(try client.send(.put, "/v1/account/password", body, token: login.token).status == 200)
        try room.tamper { transaction throws(StoreError) in
            try transaction.run("UPDATE accounts SET epoch = 0, verifier = $1", .optional(former))
        }
        #expect(try client.contact(device).json["policyEpoch"]?.number == 0, "the device saw 1 before")
        let raised = client.clock.now.count
        _ = try Restoration.run(in: room.room.open(), room.service.accounts.keys.service, at: client.clock.now)
        #expect(try client.contact(device).json["policyEpoch"]?.number == raised)
        #expect(try client.send(.get, "/v1/account", token: login.token).code == "TOKEN")
        #expect(try client.attempt(User()).json["policyEpoch"]?.number == raised)
    }

    @Test(.holds("SVC-24"), arguments: Backing.allCases)
    func `a contact is heard once`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        let login = try client.newLogin(User())
        let device = TestDevice()
        try client.enrol(device, login.token)
        let body = device.contact(at: client.clock.now)
        let path = "/v1/devices/\(device.id)/contact"
        #expect(try client.send(.post, path, body).status == 200)
        let again = try client.send(.post, path, body)
        #expect((again.status, again.code) == (409, "NONCE"))
    }

    @Test(.holds("SVC-24"))
    func `a contact that was changed, or signed for another service, device or key, is refused`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let (device, other) = (TestDevice(), TestDevice())
        for device in [device, other] { try client.enrol(device, login.token) }
        let now = client.clock.now
        let body = device.contact(at: now)
        let nonce = [UInt8](repeating: 1, count: 16).base64
        let forged: [JSON] = [
            body.with("nonce", .string(nonce)), body.with("sentAt", .string((now + .seconds(1)).text)),
            device.contact(at: now, origin: "https://other.example.org"),
            device.contact(at: now, label: "thumbturn.audit.upload.v1\n"),
            other.contact(at: now), body.with("signature", .string([UInt8](repeating: 0x30, count: 70).base64)),
        ]
        for body in forged {
            let reply = try client.send(.post, "/v1/devices/\(device.id)/contact", body)
            #expect((reply.status, reply.code) == (401, "SIGNATURE"))
        }
        #expect(try client.send(.post, "/v1/devices/\(device.id)/contact", body).status == 200, "no nonce was burnt")
    }

    @Test(arguments: ["nonce", "sentAt", "signature"])
    func `a contact of another form is refused`(member: String) throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let device = TestDevice()
        try client.enrol(device, login.token)
        let body = device.contact(at: client.clock.now)
        for value in [nil, .null, .integer(1), "", "AAAA", "2023-11-14T22:13:20Z"] as [JSON?] {
            let reply = try client.send(.post, "/v1/devices/\(device.id)/contact", body.with(member, value))
            #expect((reply.status, reply.code) == (422, "FORM"))
            #expect(reply.json["member"]?.text == member)
        }
    }

    @Test func `no contact is refused for its age`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let device = TestDevice()
        try client.enrol(device, login.token)
        for time in [ServiceTime(0), client.clock.now + .days(4_000)] {
            let reply = try client.send(.post, "/v1/devices/\(device.id)/contact", device.contact(at: time))
            #expect(reply.status == 200)
        }
    }

    @Test func `an unknown device and a revoked one hear different words`() throws {
        let client = try ServiceRoom().client()
        let login = try client.newLogin(User())
        let device = TestDevice()
        let unknown = try client.contact(device)
        #expect((unknown.status, unknown.code) == (401, "DEVICE_UNKNOWN"))
        try client.enrol(device, login.token)
        #expect(try client.send(.delete, "/v1/devices/\(device.id)", token: login.token).status == 204)
        #expect(unknown.header("Thumbturn-Contact") == nil)
        let revoked = try client.contact(device, provedBy: login)
        #expect((revoked.status, revoked.code) == (403, "DEVICE_REVOKED"))
        let mean = try client.contact(device, origin: "https://other.example.org")
        #expect(mean.code == "SIGNATURE" && mean.header("Thumbturn-Contact") == nil)
    }

    @Test(.holds("A50", "F-107-09"), arguments: Backing.allCases)
    func `what it hears is proved by the last login that listed it, to no other device`(backing: Backing) throws {
        let client = try ServiceRoom(backing).client()
        let (device, other) = (TestDevice(), TestDevice())
        let first = try client.newLogin(User())
        try client.enrol(device, first.token)
        let second = try client.login(User())
        try client.enrol(other, second.token)
        try client.contact(device, provedBy: first)
        try client.contact(other, provedBy: second)
        // A login alone changes nothing: it may be another's.
        let third = try client.login(User())
        try client.contact(device, provedBy: first)
        try client.enrol(device, third.token)
        try client.contact(device, provedBy: third)
        try client.contact(other, provedBy: second)
        // One that was put into another device's row opens nothing.
        let body = try third.proven(try User(password: "new").credentials() + [("policyEpoch", .integer(0))])
        #expect(try client.send(.put, "/v1/account/password", body, token: third.token).status == 200)
        try client.contact(other, provedBy: second)
    }

    @Test func `a key that was moved from another device's row proves nothing`() throws {
        let room = try ServiceRoom()
        let client = try room.client()
        let login = try client.newLogin(User())
        let (device, other) = (TestDevice(), TestDevice())
        for device in [device, other] { try client.enrol(device, login.token) }
        try room.tamper { transaction throws(StoreError) in
            try transaction.run(
                "UPDATE devices SET contact_key = (SELECT MIN(contact_key) FROM devices) WHERE user_id IS NOT NULL"
            )
        }
        let replies = try [device, other].map { try client.contact($0) }
        #expect(Set(replies.map(\.status)) == [200, 500])
        #expect(replies.contains { $0.code == "DAMAGED" && $0.header("Thumbturn-Contact") == nil })
    }
}
