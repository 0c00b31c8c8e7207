import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnService

/// An account, and a client that logs in to it with the same calls as over the network.
final class BenchLogin: @unchecked Sendable {
    // Safe to send: one thread at a time uses it.
    /// Sends a body to a path; returns the answer's status and body.
    private let carry: (String, [UInt8]) throws -> (Int, [UInt8])
    private let group = SRPGroup.standard
    private let name = "bench." + BenchLogin.text(RandomBytes.make(8))
    private let password: SecretBytes
    private var count = 0

    /// - Parameter address: the client's address.
    convenience init(at worker: Worker, from address: PeerAddress) throws {
        try self.init { path, body in
            let headers = HTTPHeaders([("content-type", "application/json")])
            let request = HTTPRequest(.post, path, headers: headers, body: body, peer: address)
            let response = worker.answer(request).wait()
            return (response.status, response.body)
        }
    }

    /// Calls over the network.
    convenience init(over service: ServedService) throws {
        try self.init { [service] path, body in try LoopbackConnection.ask(service.port, from: 3, path, body) }
    }

    init(over carry: @escaping (String, [UInt8]) throws -> (Int, [UInt8])) throws {
        self.carry = carry
        let text = [UInt8](repeating: 0x61, count: 64)
        password = unsafe SecretBytes(copying: text.span.bytes)
        let salt = [1] + RandomBytes.make(15)
        let verifier = try SRPVerifier.make(group: group, account: Array(name.utf8), password: password, salt: salt)
        let kdf: JSON = ["name": "argon2id", "memoryKiB": JSON(65_536), "passes": JSON(3), "lanes": JSON(1)]
        _ = try ask(
            "/v1/accounts",
            [
                "account": .string(name), "group": .string(group.rawValue), "salt": .string(Self.text(salt)),
                "verifier": .string(verifier.withBytes { Self.text($0) }), "kdf": kdf,
            ],
            expecting: 201
        )
    }

    /// Logs in.
    ///
    /// - Returns: the duration of the two calls in seconds.
    func run() throws -> Double {
        let client = try SRPClientHandshake(group: group, account: Array(name.utf8), password: password)
        let clientValue = Self.text(client.publicValue)
        var challenge: JSON?
        var time = try timed {
            challenge = try ask("/v1/login", ["account": .string(name), "A": .string(clientValue)])
        }
        guard let handshake = challenge?["handshake"]?.string, let salt = challenge?["salt"]?.bytes,
            let serverValue = challenge?["B"]?.bytes
        else { throw BenchError(what: "the service does not answer a login") }
        let proof = Self.text(try client.answer(salt: salt, serverValue: serverValue).proof)
        time += try timed { _ = try ask("/v1/login/\(handshake)", ["M1": .string(proof)]) }
        return time
    }

    /// Starts logins that are never completed, each for another name.
    func begin(strangers: Int) throws { for _ in 0..<strangers { _ = try begin() } }

    /// Logs in under other names with wrong proofs.
    ///
    /// The service computes as many powers as for right ones, and no client computes any. Only its last transaction
    /// differs: it counts the failure, instead of storing a token.
    func fail(strangers: Int) throws {
        for _ in 0..<strangers {
            guard let handshake = try begin()["handshake"]?.string else { throw BenchError(what: "no handshake") }
            _ = try ask("/v1/login/\(handshake)", ["M1": .string(String(repeating: "0", count: 64))], expecting: 401)
        }
    }

    private func begin() throws -> JSON {
        count += 1
        let clientValue = String(repeating: "0", count: 2 * group.byteCount - 2) + "02"
        return try ask("/v1/login", ["account": .string("\(name).\(count)"), "A": .string(clientValue)])
    }

    private func ask(_ path: String, _ body: JSON, expecting status: Int = 200) throws -> JSON {
        let (told, answer) = try carry(path, Array(body.text.utf8))
        guard told == status else { throw BenchError(what: "\(path): \(String(decoding: answer, as: UTF8.self))") }
        return try JSON(reading: answer, byteLimit: 1 << 16)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: TextCode.hexadecimal.encode(bytes), as: UTF8.self)
    }

    private static func text(_ bytes: RawSpan) -> String { text(unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }) }
}

extension JSON {
    fileprivate var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    fileprivate var bytes: [UInt8]? { string.flatMap { TextCode.hexadecimal.decode(Array($0.utf8)) } }
}
