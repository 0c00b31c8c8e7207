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
        #expect(try client.enrol(device, alice.token).code == "DEVICE_TAKEN", "a revoked one comes never again")
        #expect(try client.enrol(device, bob.token).code == "DEVICE_TAKEN")
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
        let first = try client.contact(device)
        #expect(first.status == 200)
        #expect(first.json["policyEpoch"]?.number == 0)
        #expect(first.json["passwordChangedAt"]?.text == registered.text)
        #expect(first.json["serverTime"]?.text == client.clock.now.text)
        client.clock.advance(.minutes(1))
        let body = try login.proven(try User(password: "new").credentials() + [("policyEpoch", .integer(0))])
        #expect(try client.send(.put, "/v1/account/password", body, token: login.token).status == 200)
        let second = try client.contact(device)
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
        let revoked = try client.contact(device)
        #expect((revoked.status, revoked.code) == (403, "DEVICE_REVOKED"))
    }
}
