import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

/// A service with a ledger, and a device of an account that is listed there.
private struct UploadRoom {
    let service: ServiceRoom
    let ledger: LedgerRoom
    let client: TestClient
    let token: String
    let trail: TestTrail

    init(_ backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let ledger = try LedgerRoom(room.room, AuditLedger.establish(1, in: room.room.open()), TestSigner(), room.clock)
        service = try room.served(by: ledger.ledger)
        self.ledger = ledger
        client = try service.client()
        token = try client.newLogin(User()).token
        let user = try #require(
            Identifier(text: client.send(.get, "/v1/account", token: token).json["userId"]?.text ?? "")
        )
        trail = try TestTrail(of: user).grow(4)
        #expect(try client.enrol(trail.device, token).status == 201)
    }

    /// Sends an upload with changes of its header fields, its body and its path.
    func send(
        _ incoming: IncomingUpload,
        _ changes: [String: String] = [:],
        body: [UInt8]? = nil,
        path: String? = nil
    ) throws -> Reply {
        let body = body ?? incoming.body
        var headers = [
            "Content-Type": "application/x-ndjson", "Idempotency-Key": SHA256.digest(body).hexadecimal,
            "Thumbturn-Upload": incoming.upload.header.base64, "Thumbturn-Signature": incoming.signature.base64,
        ]
        for (name, value) in changes { headers[name] = value }
        let path = path ?? "/v1/audit/\(incoming.upload.deviceId.text)/events"
        return try client.send(.post, path, raw: body, headers: headers.map { (name: $0.key, value: $0.value) })
    }
}

/// `POST /v1/audit/{deviceId}/events`, as design section 9 has it.
@Suite("An upload", .timeLimit(.minutes(10))) struct UploadTests {
    @Test(.holds("F-107-10"), arguments: Backing.allCases)
    func `a listed device's records get a receipt that verifies under the keys of a login`(backing: Backing) throws {
        let room = try UploadRoom(backing)
        let upload = try room.trail.upload(0..<4)
        let reply = try room.send(upload)
        #expect(reply.status == 200, "\(String(decoding: reply.body, as: UTF8.self))")
        let account = try room.client.send(.get, "/v1/account", token: room.token).json
        let keys = try AuditKeys(reading: #require(account["audit"]))
        let receipt = try AuditReceipt(reading: reply.body)
        _ = try receipt.verify(
            upload.upload,
            last: room.trail.records[3],
            under: keys.keys,
            origin: keys.origin,
            since: nil
        )
        #expect(keys.origin == ServiceRoom.origin)
    }

    @Test(.holds("P-107-05"), arguments: Backing.allCases)
    func `a nonce twice is refused`(backing: Backing) throws {
        let room = try UploadRoom(backing)
        let upload = try room.trail.upload(0..<1)
        #expect(try room.send(upload).status == 200)
        let again = try room.send(upload)
        #expect(again.status == 409 && again.code == "NONCE")
    }

    @Test(.holds("A42"), arguments: Backing.allCases)
    func `what is not the device's, not signed or not canonical is refused, and remembered`(backing: Backing) throws {
        let room = try UploadRoom(backing)
        func refused(_ reply: Reply, _ status: Int, _ code: String, _ line: Int = #line) {
            #expect(reply.status == status && reply.code == code, "line \(line): \(reply.status) \(reply.code ?? "")")
        }
        let upload = try room.trail.upload(0..<2)
        let stranger = try TestTrail(of: room.trail.user).grow(2)
        refused(try room.send(stranger.upload(0..<2)), 401, "DEVICE_UNKNOWN")
        refused(try room.send(upload, path: "/v1/audit/\(stranger.device.id)/events"), 422, "FORM")
        refused(try room.send(upload, ["Idempotency-Key": String(repeating: "0", count: 64)]), 422, "IDEMPOTENCY")
        refused(try room.send(upload, ["Thumbturn-Upload": "e30="]), 422, "FORM")
        refused(try room.send(upload, ["Thumbturn-Signature": ""]), 422, "FORM")
        refused(
            try room.send(upload, ["Thumbturn-Signature": stranger.device.sign(upload.upload.header).base64]),
            401,
            "SIGNATURE"
        )
        refused(try room.send(room.trail.upload(0..<2, origin: "https://other.example")), 401, "SIGNATURE")
        let before = try room.ledger.waitForSigned(1).size
        // A body that was not signed for, in another form, of another account, and without its end.
        refused(try room.send(room.trail.upload(0..<2), body: room.trail.upload(0..<1).body), 422, "UPLOAD")
        var spaced = upload.body
        spaced.insert(0x20, at: 1)
        refused(try room.send(room.trail.upload(0..<2), body: spaced), 400, "RECORD")
        refused(try room.send(room.trail.upload(0..<2), body: Array(upload.body.dropLast())), 400, "RECORD")
        let other = try TestTrail(of: .make(), device: room.trail.device).grow(1)
        refused(try room.send(other.upload(0..<1)), 422, "FOREIGN")
        let swapped = room.trail.records[1].line + [0x0A] + room.trail.records[0].line + [0x0A]
        refused(try room.send(room.trail.upload(0..<2), body: swapped), 422, "UPLOAD")
        try room.ledger.waitForSigned(before + 5)
        let kinds = try room.ledger.leaves().map { leaf -> String in
            guard case .entry(.rejected(_, _, _, let code)) = try AuditLeaf.read(leaf).content else { return "" }
            return code
        }
        #expect(kinds.filter { !$0.isEmpty }.sorted() == ["FOREIGN", "RECORD", "RECORD", "UPLOAD", "UPLOAD"])
    }

    @Test(arguments: Backing.allCases)
    func `257 records, and one of 4 KiB and a byte, are too many`(backing: Backing) throws {
        let room = try UploadRoom(backing)
        try room.trail.grow(260)
        let whole = try room.trail.upload(0..<256)
        #expect(try room.send(whole).status == 200)
        let more = room.trail.records[0..<257].flatMap { record -> [UInt8] in record.line + [0x0A] }
        #expect(try room.send(room.trail.upload(0..<256), body: more).code == "RECORDS")
        let long = Array(repeating: UInt8(ascii: "a"), count: 4_097) + [0x0A]
        #expect(try room.send(room.trail.upload(0..<1), body: long).status == 413)
    }

    @Test(.holds("F-107-09"), arguments: Backing.allCases)
    func `a revoked device still delivers, behind the entry that says so`(backing: Backing) throws {
        let room = try UploadRoom(backing)
        #expect(try room.send(room.trail.upload(0..<1)).status == 200)
        #expect(try room.client.send(.delete, "/v1/devices/\(room.trail.device.id)", token: room.token).status == 204)
        try room.ledger.waitForSigned(3)
        #expect(try room.send(room.trail.upload(1..<2)).status == 200)
        let leaves = try room.ledger.leaves().map { try AuditLeaf.read($0).content }
        let revoked = LedgerEntry.deviceRevoked(device: room.trail.chainName.device, user: room.trail.user)
        #expect(Array(leaves.suffix(2)) == [.entry(revoked), .record(room.trail.records[1])])
    }

    @Test(arguments: Backing.allCases)
    func `a closed account's devices are refused, and its chains stay`(backing: Backing) throws {
        let room = try UploadRoom(backing)
        #expect(try room.send(room.trail.upload(0..<1)).status == 200)
        let store = try room.service.room.open()
        try store.writing { tables throws(Problem) in try tables.deleteAccount(room.trail.user, []) }
        #expect(try room.send(room.trail.upload(1..<2)).code == "DEVICE_UNKNOWN")
        try room.ledger.waitForSigned(3)
        #expect(
            try AuditLeaf.read(#require(room.ledger.leaves().last)).content
                == .entry(.deviceRevoked(device: room.trail.chainName.device, user: room.trail.user))
        )
    }
}
