import Testing
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount
@testable import ThumbturnCrypto

/// A service that has not the verifier, or wants more than it may have.
@Suite("A false service") struct FalseServiceTests {
    private static let password = AccountClientTests.old

    private typealias Change = @Sendable (Answer) -> Answer

    /// Values of B.
    private static func values() -> [(String, Change)] {
        let N = SRPGroup.bits3072.mathematics.N
        var less = N
        less[N.count - 1] -= 1
        let zero = [UInt8](repeating: 0, count: N.count)
        var one = zero
        one[N.count - 1] = 1
        // 2N: the highest bit falls off to the left.
        let twice = [1] + zip(N, N.dropFirst() + [0]).map { $0 << 1 | $1 >> 7 }
        let values: [(String, [UInt8])] = [
            ("0", zero), ("N", N), ("2N", twice), ("1", one), ("N - 1", less), ("short", Array(N.dropFirst())),
            ("none", []),
        ]
        return values.map { value in ("B is \(value.0)", { $0.with("B", value.1.hexadecimal) }) }
    }

    /// Costs of Argon2id.
    private static func costs() -> [(String, Change)] {
        func kdf(_ memory: Int64, _ passes: Int64, lanes: Int64 = 1, _ name: String = "argon2id") -> JSON {
            [
                "name": .string(name), "memoryKiB": .integer(memory), "passes": .integer(passes),
                "lanes": .integer(lanes),
            ]
        }
        let kdfs: [(String, JSON)] = [
            ("memory", kdf(19_455, 2)), ("passes", kdf(19_456, 1)), ("more", kdf(262_145, 2)),
            ("slower", kdf(19_456, 11)), ("beyond 32 bits", kdf(1 << 32 + 19_456, 2)),
            ("lanes", kdf(19_456, 2, lanes: 2)), ("name", kdf(19_456, 2, "argon2i")), ("null", .null), ("empty", [:]),
        ]
        return kdfs.map { kdf in ("kdf: \(kdf.0)", { $0.with("kdf", kdf.1) }) }
    }

    /// Other members, absent and of another form.
    private static func members() -> [(String, Change)] {
        let short = String(repeating: "11", count: 15)
        let salts = ["00" + short, short, "", String(repeating: "AA", count: 16)]
        let groups = ["rfc5054-2048", "rfc5054-1024", ""]
        let absent = ["handshake", "group", "salt", "B", "kdf"].map { name in with(name, nil) }
        return absent + salts.map { with("salt", .string($0)) } + groups.map { with("group", .string($0)) }
            + [with("handshake", "../account")]
    }

    private static func with(_ name: String, _ value: JSON?) -> (String, Change) {
        ("\(name): \(value.map { "\($0)" } ?? "absent")", { $0.with(name, value) })
    }

    /// Bodies that are no answer.
    private static func bodies() -> [(String, Change)] {
        [
            ("no JSON", { Answer(status: $0.status, body: Array("<html>".utf8)) }),
            ("nothing", { Answer(status: $0.status) }),
            ("an array", { Answer(status: $0.status, body: Array("[]".utf8)) }),
            ("too much", { Answer(status: 200, body: $0.body + [UInt8](repeating: 0x20, count: 1 << 17)) }),
            ("201", { Answer(status: 201, body: $0.body) }),
            ("a name twice", { Answer(status: 200, body: Array($0.body.dropLast()) + Array(#","B":"00"}"#.utf8)) }),
            ("a fraction", { Answer(status: 200, body: Array($0.body.dropLast()) + Array(#","x":0.5}"#.utf8)) }),
        ]
    }

    @Test(.holds("A48", "SRP-2", "SRP-3", "SRP-21"))
    func `gets no proof for a challenge that gives the password away, or that no service makes`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.password)
        for (name, change) in Self.values() + Self.costs() + Self.members() + Self.bodies() {
            room.wire.answering("/v1/login", change)
            let count = room.wire.sent.count
            await failing(.notProved) { try await client.login(Self.password) }
            #expect(room.wire.sent.count == count + 1, "\(name)")
        }
        room.wire.answering("/v1/login") { $0.with("news", "a member that we don't know") }
        _ = try await client.login(Self.password)
        #expect(VaultError(AccountFailure.notProved).code == .serviceNotProved)
    }

    @Test(.holds("SRP-21"), arguments: ["rfc5054-1024", "rfc5054-3072", "", "rfc5054-8192"])
    func `names no group but the two others, once`(group: String) async throws {
        let room = try AccountRoom()
        let client = try room.client()
        let body = Array(#"{"code":"GROUP","group":"\#(group)"}"#.utf8)
        room.wire.through { _, _ throws(TransportFailure) in Answer(status: 422, body: body) }
        await failing(.notProved) { try await client.login(Self.password) }
        #expect(room.wire.sent.count == 1)
    }

    @Test(.holds("SRP-21")) func `sends nobody from group to group`() async throws {
        let room = try AccountRoom()
        let body = Array(#"{"code":"GROUP","group":"rfc5054-4096"}"#.utf8)
        room.wire.through { _, _ throws(TransportFailure) in Answer(status: 422, body: body) }
        await failing(.notProved) { try await room.client().login(Self.password) }
        #expect(room.wire.sent.count == 2)
    }

    @Test(.holds("A48", "A49", "INV-107-04", "SRP-10"))
    func `gives no token without the proof that it has the verifier`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.password)
        let proofs: [@Sendable (Sent, Answer) -> JSON?] = [
            { _, _ in RandomBytes.make(32).hexadecimal },
            { sent, _ in sent.json["M1"] },
            { _, _ in [UInt8](repeating: 0, count: 32).hexadecimal },
            { _, answer in .string(String(answer.json["M2"]?.text?.dropLast(2) ?? "")) },
            { _, answer in .string((answer.json["M2"]?.text ?? "") + "00") },
            { _, answer in .string(answer.json["M2"]?.text?.uppercased() ?? "") },
            { _, _ in .null }, { _, _ in nil },
        ]
        for proof in proofs {
            room.wire.through { sent, forward throws(TransportFailure) in
                let answer = forward(sent)
                return sent.path == "/v1/login" ? answer : answer.with("M2", proof(sent, answer))
            }
            await failing(.notProved) { try await client.login(Self.password) }
        }
    }

    @Test func `gives no token of another form, or two`() throws {
        let digits = String(repeating: "a1", count: 32)
        let body = Answer(status: 200, body: Array(#"{"userId":"x","token":"\#(digits)"}"#.utf8))
        func token(of answer: Answer) throws(AccountFailure) -> String {
            try AnswerWithToken(SecretBytes(text: String(decoding: answer.body, as: UTF8.self)))
                .token.withBytes { $0.exposedText }
        }
        #expect(try token(of: body) == digits)
        let wrong: [JSON?] = [
            nil, .null, .integer(1), "", .string(String(digits.dropLast())), .string(digits + "0"),
            .string(digits.uppercased()), .string("g" + digits.dropFirst()), .string(" " + digits.dropFirst()),
            ["token": .string(digits)], .array([.string(digits)]),
        ]
        for value in wrong {
            #expect(throws: AccountFailure.notProved) { try token(of: body.with("token", value)) }
        }
        let texts = [
            #"{"x":{"token":"\#(digits)"},"#, #"{"token":"\#(digits)","#, #"{"x\"token":"\#(digits)","#,
            #"{"\u0074oken":"\#(digits)","#,
        ]
        for (index, text) in texts.enumerated() {
            for isKept in [true, false] {
                let rest = isKept ? body.body : body.with("token", nil).body
                let answer = Answer(status: 200, body: Array(text.utf8) + rest.dropFirst())
                // Only a name that no reader takes for the member's is passed over.
                if (index == 1 && !isKept) || (index == 2 && isKept) {
                    #expect(try token(of: answer) == digits)
                } else {
                    #expect(throws: AccountFailure.notProved) { try token(of: answer) }
                }
            }
        }
    }

    @Test func `says nothing in a form that is none`() throws {
        typealias Reader = (AnswerBody) throws -> Void
        let readers: [(String, right: JSON, wrong: [JSON], Reader)] = [
            (
                "userId", .string(String(repeating: "0a", count: 16)), ["ADA", "", .null],
                { _ = try $0.identifier("userId") }
            ),
            ("policyEpoch", .integer(0), [.integer(-1), "0", .null], { _ = try $0.policyEpoch() }),
            (
                "createdAt", "2024-02-29T00:00:00.000Z", ["2023-02-29T00:00:00.000Z", .integer(0)],
                { _ = try $0.time("createdAt") }
            ),
            (
                "keyEnvelope", "AAAA", ["", .null, "AAA", [UInt8](repeating: 1, count: 4_097).base64],
                { _ = try $0.base64("keyEnvelope", most: AccountEnvelope.mostBytes) }
            ),
            ("devices", .array([[:]]), [.null, .array([.null])], { _ = try $0.objects("devices") }),
        ]
        for (name, right, wrong, read) in readers {
            func body(_ value: JSON?) throws -> AnswerBody {
                let json = JSON.object(value.map { [(name, $0)] } ?? [])
                return try AnswerBody(SecretBytes(text: json.text(escaping: JSON.shortestEscape)))
            }
            try read(body(right))
            for value in wrong.map(Optional.some) + [nil] {
                #expect(throws: AccountFailure.notProved, "\(name)") { try read(body(value)) }
            }
        }
    }

    @Test func `has no answer that is cut short or changed in some way that it is not refused, and none that traps`()
        throws
    {
        let text = #"""
            {"M2":"\#(String(repeating: "00", count: 32))", "token" : "\#(String(repeating: "b2", count: 32))","userId":"x"}
            """#
        let whole = Array(text.utf8)
        let read = try AnswerWithToken(SecretBytes(text: text))
        #expect(read.token.withBytes { $0.exposedText } == String(repeating: "b2", count: 32))
        #expect(try read.body.text("token") == String(repeating: "0", count: 64))
        for count in whole.indices {
            let cut = SecretBytes(text: String(decoding: whole.prefix(count), as: UTF8.self))
            #expect(throws: AccountFailure.notProved) { _ = try AnswerWithToken(cut) }
        }
        var generator = SeededGenerator(seed: 107)
        for _ in 0..<3_000 {
            let changed = generator.mutate(whole)
            do throws(AccountFailure) {
                let read = try unsafe AnswerWithToken(SecretBytes(copying: changed.span.bytes))
                let token = read.token.withBytes { $0.exposedText }
                #expect(token.utf8.allSatisfy { Array("0123456789abcdef".utf8).contains($0) })
                #expect(try read.body.text("token") == String(repeating: "0", count: 64))
            } catch {
                #expect(error == .notProved)
            }
        }
    }
}

extension JSON {
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
