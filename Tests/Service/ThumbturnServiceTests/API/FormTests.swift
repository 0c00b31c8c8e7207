import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON

@testable import ThumbturnService

@Suite("The form of a body") struct FormTests {
    private static let registration = try? User().registration().with("keyEnvelope", .string([UInt8]([1]).base64))

    @Test(
        .holds("SVC-25"),
        arguments: [
            ("{", 400), ("{}x", 400), ("\u{FEFF}{}", 400), ("{\"account\":\"a\\x\"}", 400), ("[01]", 400),
            ("nul", 400),
            (#"{"a":1,"a":1}"#, 422), (#"{"account":"\ud800"}"#, 422), ("[1.5]", 422), ("[1e3]", 422), ("[-0]", 422),
            ("[9007199254740992]", 422),
        ]
    )
    func `what is no JSON is 400, and JSON that not all read alike is 422`(text: String, status: Int) throws {
        let client = try ServiceRoom().client()
        for path in ["/v1/accounts", "/v1/login", "/v1/login/\(String(repeating: "0", count: 32))"] {
            let reply = try client.send(.post, path, raw: Array(text.utf8))
            #expect((reply.status, reply.code) == (status, "JSON"))
        }
    }

    @Test(
        .holds("SVC-25"),
        arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]]
    )
    func `what is no UTF-8 is no JSON`(bytes: [UInt8]) throws {
        let reply = try ServiceRoom().client().send(.post, "/v1/accounts", raw: bytes)
        #expect((reply.status, reply.code) == (400, "JSON"))
    }

    @Test(.holds("SVC-25"))
    func `values a hundred thousand deep are refused before they are read`() throws {
        let client = try ServiceRoom().client()
        let deep = Array(String(repeating: "[", count: 32_768).utf8) + Array(String(repeating: "]", count: 32_768).utf8)
        #expect(try client.send(.post, "/v1/accounts", raw: deep).code == "JSON")
        let nested = Array(#"{"a":"#.utf8) + Array(String(repeating: "{\"a\":", count: 100_000).utf8)
        #expect(try client.send(.post, "/v1/accounts", raw: nested).status == 422)
    }

    @Test(arguments: ["[]", "null", "1", "\"x\"", "true", "[{}]"])
    func `what is no object is of no form`(text: String) throws {
        let reply = try ServiceRoom().client().send(.post, "/v1/accounts", raw: Array(text.utf8))
        #expect((reply.status, reply.code) == (422, "FORM"))
    }

    @Test func `an unknown member is refused, and its name is not repeated`() throws {
        let client = try ServiceRoom().client()
        let body = try #require(Self.registration)
        for name in ["password", "", "Account", "account\0", "userId"] {
            let reply = try client.send(.post, "/v1/accounts", body.with(name, "hunter2"))
            #expect((reply.status, reply.code) == (422, "FORM"))
            let text = String(decoding: reply.body, as: UTF8.self)
            #expect(!text.contains("hunter2") && (name.isEmpty || !text.contains("\"\(name)\"")))
        }
        #expect(try client.register(User()).status == 201)
    }

    @Test(arguments: ["account", "group", "salt", "verifier", "kdf"])
    func `a member that is missing, null or of another type is named`(member: String) throws {
        let client = try ServiceRoom().client()
        let body = try #require(Self.registration)
        for value in [nil, .null, .integer(1), .bool(true), .array([]), [:], ""] as [JSON?] {
            let reply = try client.send(.post, "/v1/accounts", body.with(member, value))
            #expect((reply.status, reply.code) == (422, "FORM"))
            #expect(reply.json["member"]?.text == member)
        }
    }

    @Test func `what may be absent may not be null`() throws {
        let body = try #require(Self.registration)
        let reply = try ServiceRoom().client().send(.post, "/v1/accounts", body.with("keyEnvelope", .null))
        #expect(reply.json["member"]?.text == "keyEnvelope")
    }

    @Test(
        .holds("SRP-3"),
        arguments: [
            ("salt", "00112233445566778899aabbccddeeff"), ("salt", "112233445566778899aabbccddeeff"),
            ("salt", "11112233445566778899AABBCCDDEEFF"), ("salt", "11112233445566778899aabbccddeeff00"),
            ("salt", " 1112233445566778899aabbccddeeff"), ("salt", "zz112233445566778899aabbccddeeff"),
            ("keyEnvelope", ""), ("keyEnvelope", "AQ"), ("keyEnvelope", "AR=="), ("keyEnvelope", "AQ==\n"),
            ("keyEnvelope", "A-__"),
            ("keyEnvelope", "AQ==AQ=="), ("account", "Alice"), ("account", "a b"), ("group", "rfc5054-1536"),
            ("verifier", "00"),
        ]
    )
    func `bytes have one form`(member: String, text: String) throws {
        let body = try #require(Self.registration)
        let reply = try ServiceRoom().client().send(.post, "/v1/accounts", body.with(member, .string(text)))
        #expect((reply.status, reply.code) == (422, "FORM"))
        #expect(reply.json["member"]?.text == member)
    }

    @Test(.holds("SRP-3"), arguments: SRPGroup.allCases)
    func `a verifier is as wide as its group, and a number that a group allows`(group: SRPGroup) throws {
        let client = try ServiceRoom().client()
        let body = try #require(Self.registration).with("group", .string(group.rawValue))
        let wrong =
            SRPGroup.allCases.filter { $0 != group }.map { [UInt8](repeating: 2, count: $0.byteCount) }
            + (try RefusedNumber.all(of: group).filter { $0.count == group.byteCount })
            + [[UInt8](repeating: 0xFF, count: group.byteCount)]
        for verifier in wrong {
            let reply = try client.send(.post, "/v1/accounts", body.with("verifier", .string(verifier.hexadecimal)))
            #expect((reply.status, reply.code) == (422, "RANGE"))
        }
    }

    @Test(
        .holds("SRP-21"),
        arguments: [
            ["name": "argon2id", "memoryKiB": .integer(19_455), "passes": .integer(2), "lanes": .integer(1)],
            ["name": "argon2id", "memoryKiB": .integer(262_145), "passes": .integer(2), "lanes": .integer(1)],
            ["name": "argon2id", "memoryKiB": .integer(19_456), "passes": .integer(1), "lanes": .integer(1)],
            ["name": "argon2id", "memoryKiB": .integer(19_456), "passes": .integer(11), "lanes": .integer(1)],
            ["name": "argon2id", "memoryKiB": .integer(19_456), "passes": .integer(2), "lanes": .integer(2)],
            ["name": "argon2i", "memoryKiB": .integer(19_456), "passes": .integer(2), "lanes": .integer(1)],
            ["name": "argon2id", "memoryKiB": .integer(19_456), "passes": .integer(2)],
            [
                "name": "argon2id", "memoryKiB": .integer(19_456), "passes": .integer(2), "lanes": .integer(1),
                "x": .null,
            ],
        ] as [JSON]
    )
    func `a cost outside of the bounds, or of another form, is refused`(kdf: JSON) throws {
        let body = try #require(Self.registration)
        let reply = try ServiceRoom().client().send(.post, "/v1/accounts", body.with("kdf", kdf))
        #expect(reply.json["member"]?.text == "kdf")
    }

    @Test func `the least and the greatest that may be are taken`() throws {
        let client = try ServiceRoom().client()
        let body = try #require(Self.registration)
        for (name, memory, passes) in [("least", 19_456, 2), ("most", 262_144, 10)] as [(String, Int64, Int64)] {
            let kdf: JSON = [
                "name": "argon2id", "memoryKiB": .integer(memory), "passes": .integer(passes), "lanes": .integer(1),
            ]
            let envelope = [UInt8](repeating: 1, count: name == "least" ? 1 : 4_096).base64
            let full = body.with("kdf", kdf).with("account", .string(name)).with("keyEnvelope", .string(envelope))
            #expect(try client.send(.post, "/v1/accounts", full).status == 201)
            let begun = try client.beginOnly(name)
            #expect(begun.json["kdf"]?["memoryKiB"]?.number == memory && begun.json["kdf"]?["passes"]?.number == passes)
        }
    }
}
