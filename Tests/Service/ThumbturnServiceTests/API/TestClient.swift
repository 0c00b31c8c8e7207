import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnService

/// What the service answered.
struct Reply {
    let status: Int
    let json: JSON
    let headers: [(String, String)]
    let body: [UInt8]

    var code: String? { json["code"]?.text }

    func header(_ name: String) -> String? { headers.first { $0.0 == name }?.1 }
}

extension JSON {
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var number: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    var members: [(String, JSON)] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// The object without a member, or with another value for it.
    func with(_ name: String, _ value: JSON?) -> JSON {
        .object(members.filter { $0.0 != name } + (value.map { [(name, $0)] } ?? []))
    }
}

/// A client of the service, without a socket between them; every answer is held against the document.
final class TestClient {
    let worker: Worker
    let peer: PeerAddress
    let clock: TestClock

    init(_ worker: Worker, from peer: PeerAddress, _ clock: TestClock) {
        (self.worker, self.peer, self.clock) = (worker, peer, clock)
    }

    /// The same client at another address.
    func moved(to address: String) throws -> TestClient {
        TestClient(worker, from: try #require(PeerAddress(address)), clock)
    }

    @discardableResult
    func send(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil, token: String? = nil) throws -> Reply {
        let bytes = body.map { Array($0.text(escaping: JSON.shortestEscape).utf8) } ?? []
        return try send(method, path, raw: bytes, token: token)
    }

    func send(
        _ method: HTTPMethod,
        _ path: String,
        raw body: [UInt8],
        headers: [(name: String, value: String)] = [],
        token: String? = nil
    ) throws -> Reply {
        let headers = headers + (token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? [])
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let request = HTTPRequest(
            method,
            parts[0],
            query: parts.count > 1 ? parts[1] : nil,
            headers: HTTPHeaders(headers),
            body: body,
            peer: peer
        )
        let response = worker.answer(request).wait()
        let json = try? JSON(reading: response.body, byteLimit: 1 << 20)
        let reply = Reply(
            status: response.status,
            json: json ?? .null,
            headers: response.headers,
            body: response.body
        )
        try Document.check(reply, method, worker.trace.route)
        return reply
    }
}

/// Who has an account, or wants one.
///
/// The password's text stands for what the slow derivation makes of it.
struct User {
    var name = "alice@example.org"
    var password = "3f5c0de1"
    var group = SRPGroup.standard
    var salt: [UInt8] = Array(1...16)
    var envelope: [UInt8]?

    func verifier() throws -> [UInt8] {
        let password = SecretBytes(text: password)
        return try SRPVerifier.make(group: group, account: Array(name.utf8), password: password, salt: salt)
            .withBytes { $0.exposed }
    }

    /// What takes the password's place, as a body has it.
    func credentials() throws -> [(String, JSON)] {
        [
            ("group", .string(group.rawValue)), ("salt", .string(salt.hexadecimal)),
            ("verifier", .string(try verifier().hexadecimal)),
            ("kdf", ["name": "argon2id", "memoryKiB": .integer(65_536), "passes": .integer(3), "lanes": .integer(1)]),
        ] + (envelope.map { [("keyEnvelope", .string($0.base64))] } ?? [])
    }

    func registration() throws -> JSON { .object([("account", .string(name))] + (try credentials())) }
}

/// A login that the service answered the beginning of.
struct Begun: ~Copyable {
    let reply: Reply
    let handshake: String
    let proof: SRPClientProof
}

/// A login that was proved.
struct LoggedIn: ~Copyable {
    let reply: Reply
    let token: String
    let key: SecretBytes

    /// The body with its proof, as a change carries it.
    func proven(_ members: [(String, JSON)], _ info: String = "thumbturn.v1.password-change") throws -> JSON {
        let body = JSON.object(members)
        let key = try HKDFSHA256.derive(from: key, salt: [], info: Array(info.utf8))
        let proof = HMACSHA256.tag(try body.canonical(), key: key)
        return .object(members + [("proof", .string(proof.hexadecimal))])
    }
}

extension TestClient {
    @discardableResult
    func register(_ user: User) throws -> Reply {
        try send(.post, "/v1/accounts", try user.registration())
    }

    /// Begins a login as far as M1.
    func begin(_ user: User) throws -> Begun {
        let account = Array(user.name.utf8)
        let password = SecretBytes(text: user.password)
        let client = try SRPClientHandshake(group: user.group, account: account, password: password)
        let value = client.publicValue.hexadecimal
        let reply = try send(.post, "/v1/login", ["account": .string(user.name), "A": .string(value)])
        try #require(reply.status == 200, "\(reply.code ?? "")")
        let salt = try #require(reply.json["salt"]?.text?.bytes)
        let proof = try client.answer(salt: salt, serverValue: try #require(reply.json["B"]?.text?.bytes))
        return Begun(reply: reply, handshake: try #require(reply.json["handshake"]?.text), proof: proof)
    }

    func prove(_ handshake: String, _ proof: [UInt8]) throws -> Reply {
        try send(.post, "/v1/login/\(handshake)", ["M1": .string(proof.hexadecimal)])
    }

    /// Tries to log in.
    func attempt(_ user: User) throws -> Reply {
        let begun = try begin(user)
        return try prove(begun.handshake, begun.proof.proof)
    }

    /// Logs in, and checks the server's proof.
    func login(_ user: User) throws -> LoggedIn {
        let begun = try begin(user)
        let reply = try prove(begun.handshake, begun.proof.proof)
        try #require(reply.status == 200, "\(reply.code ?? "")")
        let session = try begun.confirm(try #require(reply.json["M2"]?.text?.bytes))
        return LoggedIn(reply: reply, token: try #require(reply.json["token"]?.text), key: session)
    }

    /// Registers and logs in.
    func newLogin(_ user: User) throws -> LoggedIn {
        try #require(try register(user).status == 201)
        return try login(user)
    }
}

extension Begun {
    consuming func confirm(_ serverProof: [UInt8]) throws -> SecretBytes {
        try proof.confirm(serverProof).key.copy()
    }
}

extension String {
    /// The bytes of hexadecimal digits.
    var bytes: [UInt8]? { TextCode.hexadecimal.decode(Array(utf8)) }
}
