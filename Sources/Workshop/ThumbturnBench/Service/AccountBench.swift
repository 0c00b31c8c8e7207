import Thumbturn
import ThumbturnAccount
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnService
import ThumbturnSimulator

/// An account's vault on a simulated device.
final class AccountBench: Sendable {
    private static let password = "correct horse 41 battery"
    private let account: AccountVault

    private init(_ account: AccountVault) { self.account = account }

    /// Registers an account, and creates its vault in a folder; the service is called directly, without a network.
    static func make(in folder: String, at service: BenchService) async throws -> AccountBench {
        let transport = AccountTransport(origin: "http://127.0.0.1:8107") { (request) throws(TransportFailure) in
            try Self.carry(request, to: service)
        }
        return try await make(in: folder, over: transport)
    }

    /// Registers an account over a transport, and creates its vault in a folder.
    static func make(in folder: String, over transport: AccountTransport) async throws -> AccountBench {
        let name = "bench." + String(decoding: TextCode.hexadecimal.encode(RandomBytes.make(8)), as: UTF8.self)
        let enrolled = try await AccountVault.register(
            name,
            password: secret(),
            over: transport,
            in: folder + "/vault",
            device: SimulatedDevice().device,
            policy: VaultPolicy.pd107.allowing(.simulated)
        )
        return AccountBench(enrolled.account)
    }

    /// Unlocks with the password.
    ///
    /// - Returns: the duration in seconds.
    func unlock() async throws -> Double {
        await account.vault.lock()
        let start = ContinuousClock.now
        _ = try await account.unlock(with: Self.secret())
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// Returns the cost of the password alone: one run of Argon2id at the cost of a new account.
    static func derive() throws -> Double {
        try timed {
            _ = try StretchedSecret(
                stretching: secret(),
                salt: [UInt8](repeating: 1, count: 16),
                parameters: Argon2Limits.standard.default,
                limits: .standard
            )
        }
    }

    private static func secret() -> SecretBytes {
        let text = ContiguousArray(password.utf8)
        return unsafe SecretBytes(copying: text.span.bytes)
    }

    private static func carry(
        _ request: consuming AccountRequest,
        to service: BenchService
    ) throws(TransportFailure) -> AccountResponse {
        guard let method = HTTPMethod(rawValue: request.method.rawValue), let worker = try? service.worker() else {
            throw .unreachable
        }
        let token = request.token?.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        }
        var headers = [(name: "Content-Type", value: "application/json")]
        if let token { headers.append((name: "Authorization", value: "Bearer \(token)")) }
        let sent = HTTPRequest(method, request.path, headers: HTTPHeaders(headers), body: request.body)
        let response = worker.answer(sent).wait()
        let body = ContiguousArray(response.body)
        return AccountResponse(
            status: response.status,
            retryAfter: nil,
            proof: response.headers.first { $0.0 == AnswerProof.field }?.1,
            body: unsafe SecretBytes(copying: body.span.bytes)
        )
    }
}
