import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

@Suite("What the service writes down") struct SecrecyTests {
    /// Everything that a day of an account brings, and the secrets in it.
    private static func day(_ client: TestClient) throws -> [(String, [UInt8])] {
        let user = User(name: "alice.secret.name", envelope: Array("an envelope of alice".utf8))
        let login = try client.newLogin(user)
        _ = try client.attempt(User(name: user.name, password: "wrong"))
        let device = TestDevice()
        try client.enrol(device, login.token)
        _ = try client.contact(device)
        _ = try client.beginOnly("nobody.at.all")
        let begun = try client.begin(user)
        let next = User(name: user.name, password: "next", envelope: Array("another envelope".utf8))
        let previous = SHA256.digest(user.envelope ?? [])
        let body = try login.proven(
            try next.credentials() + [("policyEpoch", .integer(0)), ("previous", .string(previous.hexadecimal))]
        )
        try #require(try client.send(.put, "/v1/account/password", body, token: login.token).status == 200)
        _ = try client.begin(next)
        let key = login.key.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
        return [
            ("name", Array(user.name.utf8)), ("another name", Array("nobody.at.all".utf8)),
            ("token", login.token.bytes ?? []),
            ("verifier", try user.verifier()), ("new verifier", try next.verifier()), ("K", key),
            ("envelope", user.envelope ?? []), ("new envelope", next.envelope ?? []), ("M1", begun.proof.proof),
        ]
    }

    @Test(.holds("SVC-27", "P-107-08"))
    func `the log has neither a secret nor a name, in any coding, but what stands for the name`() throws {
        let room = try ServiceRoom()
        let client = try room.client()
        let secrets = try Self.day(client)
        let lines = room.lines.all
        #expect(lines.count >= 9)
        for line in lines {
            let json = try JSON(reading: Array(line.utf8), byteLimit: 4_096)
            #expect(json["time"]?.text == client.clock.now.text)
            for (name, secret) in secrets {
                for form in [String(decoding: secret, as: UTF8.self), secret.hexadecimal, secret.base64] {
                    #expect(!line.lowercased().contains(form.lowercased()), "\(name)")
                }
            }
        }
        let names = Set(try lines.compactMap { try JSON(reading: Array($0.utf8), byteLimit: 4_096)["name"]?.text })
        let expected = try ["alice.secret.name", "nobody.at.all"].map { name in
            room.service.accounts.keys.logged(try #require(AccountName(name)))
        }
        #expect(names == Set(expected))
        let user = try client.attempt(User(name: "alice.secret.name", password: "next")).json["userId"]?.text
        let changes = lines.filter { $0.contains("/v1/account/password") }
        #expect(user != nil && changes.count == 1 && changes[0].contains(user ?? "-"))
    }

    @Test(.holds("SRP-18", "SVC-28", "SVC-30", "P-107-08"))
    func `who copies the database finds in it no verifier, no token, no key, no envelope and no name`() throws {
        let room = try ServiceRoom()
        let secrets = try Self.day(room.client())
        var files: [UInt8] = []
        for suffix in ["", "-wal"] {
            files += (try? [UInt8](Data(contentsOf: URL(fileURLWithPath: room.room.path + suffix)))) ?? []
        }
        #expect(files.count > 10_000)
        for (name, secret) in secrets where name != "M1" {
            for form in [secret, Array(secret.hexadecimal.utf8), Array(secret.base64.utf8)] {
                #expect(Data(files).range(of: Data(form)) == nil, "\(name)")
            }
        }
        // The control: what is public is found.
        #expect(Data(files).range(of: Data(User().salt)) != nil)
        #expect(Data(files).range(of: Data(Array("rfc5054-3072".utf8))) != nil)
    }

    @Test(.holds("SVC-28", "SVC-30"), arguments: Backing.allCases)
    func `a verifier of another account, column or epoch is refused`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        for name in ["alice", "mallory"] { try client.register(User(name: name, envelope: [1])) }
        let keys = room.service.accounts.keys
        let hashes = try ["alice", "mallory"].map { keys.hash(of: try #require(AccountName($0))) }
        // Mallory's whole row, under alice's name: her password would open it, and does not.
        try room.tamper { transaction throws(StoreError) in
            let row = try transaction.row("SELECT verifier, salt FROM accounts WHERE name_hash = $1", .blob(hashes[1]))
            try transaction.run(
                "UPDATE accounts SET verifier = $1, salt = $2 WHERE name_hash = $3",
                .optional(try row?.blob(0)),
                .optional(try row?.blob(1)),
                .blob(hashes[0])
            )
        }
        #expect(try client.beginOnly("alice").code == "DAMAGED")
        try room.tamper { transaction throws(StoreError) in
            try transaction.run("UPDATE accounts SET verifier = envelope WHERE name_hash = $1", .blob(hashes[0]))
        }
        #expect(try client.beginOnly("alice").code == "DAMAGED")
        // The former epoch's verifier, put back under the new epoch.
        let login = try client.login(User(name: "mallory"))
        let former = try room.room.open().reading { transaction throws(StoreError) in
            try transaction.row("SELECT verifier FROM accounts WHERE name_hash = $1", .blob(hashes[1]))?.blob(0)
        }
        let next = User(name: "mallory", password: "next", envelope: [2])
        let body = try login.proven(
            try next.credentials() + [
                ("policyEpoch", .integer(0)), ("previous", .string(SHA256.digest([1]).hexadecimal)),
            ]
        )
        #expect(try client.send(.put, "/v1/account/password", body, token: login.token).status == 200)
        try room.tamper { transaction throws(StoreError) in
            try transaction.run(
                "UPDATE accounts SET verifier = $1 WHERE name_hash = $2",
                .optional(former),
                .blob(hashes[1])
            )
        }
        #expect(try client.beginOnly("mallory").code == "DAMAGED")
    }

    @Test(.holds("SVC-28", "SVC-30"), arguments: Backing.allCases)
    func `an envelope of another account, column or epoch is refused`(backing: Backing) throws {
        let room = try ServiceRoom(backing)
        let client = try room.client()
        let user = User(envelope: [1])
        let login = try client.newLogin(user)
        try client.register(User(name: "mallory", envelope: [1]))
        let keys = room.service.accounts.keys
        let hashes = try [user.name, "mallory"].map { keys.hash(of: try #require(AccountName($0))) }
        func column(_ sql: StaticString, of hash: [UInt8]) throws -> [UInt8] {
            try #require(
                try room.room.open().reading { transaction throws(StoreError) in
                    try transaction.row(sql, .blob(hash))?.blob(0)
                }
            )
        }
        func put(_ box: [UInt8]) throws {
            try room.tamper { transaction throws(StoreError) in
                try transaction.run(
                    "UPDATE accounts SET envelope = $1 WHERE name_hash = $2",
                    .blob(box),
                    .blob(hashes[0])
                )
            }
        }
        let envelope: StaticString = "SELECT envelope FROM accounts WHERE name_hash = $1"
        let former = try column(envelope, of: hashes[0])
        let verifier = try column("SELECT verifier FROM accounts WHERE name_hash = $1", of: hashes[0])
        for box in [try column(envelope, of: hashes[1]), verifier] {
            try put(box)
            #expect(try client.attempt(user).code == "DAMAGED")
            try put(former)
            #expect(try client.attempt(user).status == 200)
        }
        // The former epoch's envelope, put back under the new epoch.
        let next = User(password: "next", envelope: [2])
        let body = try login.proven(
            try next.credentials() + [
                ("policyEpoch", .integer(0)), ("previous", .string(SHA256.digest([1]).hexadecimal)),
            ]
        )
        #expect(try client.send(.put, "/v1/account/password", body, token: login.token).status == 200)
        #expect(try client.attempt(next).status == 200)
        try put(former)
        #expect(try client.attempt(next).code == "DAMAGED")
    }

    @Test(.holds("SRP-13", "SVC-29"))
    func `an open handshake takes no more than two kibibytes`() throws {
        let room = try ServiceRoom()
        let client = try room.client()
        let name = String(repeating: "n", count: 64)
        try client.register(User(name: name, group: .bits4096))
        #expect(try client.beginOnly(name, group: .bits4096).status == 200)
        let bytes = try room.number(
            """
            SELECT length(id) + length(name_hash) + length(network) + length(user_id) + 8 + length(srp_group)
                + length(client_value) + length(server_value) + length(secret) + 8 FROM handshakes
            """
        )
        #expect(bytes <= 2_048)
        print("an open handshake of the largest group: \(bytes) bytes")
    }
}
