import Synchronization
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules
import ThumbturnService
import ThumbturnTestKit

@testable import ThumbturnAccount

/// The real service on a database of its own, without a socket before it, and a wire to it that a test can cut.
final class AccountRoom: Sendable {
    /// What the service is called, and where it is at first.
    static let origin = "https://accounts.example.org"
    /// The least that the service takes, so that a login takes 30 ms.
    static let kdf = Argon2Limits.standard.floor

    let wire = Wire()
    private let folder: TemporaryFolder
    let location: StoreLocation
    let keys: ServiceKeys
    private let configuration: Service.Configuration
    private let running: Mutex<Service>
    private let time = ClockBox()

    var service: Service { running.withLock { $0 } }
    /// Where the database lies.
    var data: String { folder.file("data") }

    init(named name: String = AccountRoom.origin, _ change: (inout Limits) -> Void = { _ in }) throws {
        folder = try TemporaryFolder(inMemory: true)
        let file = ServiceKeyFile(folder.file("keys/service.key"))
        try file.create()
        keys = try ServiceKeys(file)
        location = .sqlite(SQLiteFile(folder.file("data/service.db")))
        var configuration = Service.Configuration(origin: name)
        change(&configuration.limits)
        self.configuration = configuration
        running = Mutex(try Self.service(configuration, keys, at: location, keeping: nil, time))
    }

    /// Serves these logs from now on, or none.
    func serve(_ ledger: AuditLedger?) throws {
        let service = try Self.service(configuration, keys, at: location, keeping: ledger, time)
        running.withLock { $0 = service }
    }

    private static func service(
        _ configuration: Service.Configuration,
        _ keys: ServiceKeys,
        at location: StoreLocation,
        keeping ledger: AuditLedger?,
        _ time: ClockBox
    ) throws -> Service {
        let store = try location.open()
        return Service(
            configuration,
            keys: try ThumbturnService.AccountKeys(names: .establish(in: store, keys), service: keys, store: store),
            ledger: ledger,
            log: ServiceLog { _ in },
            clock: { time.now }
        )
    }

    func advance(_ span: Milliseconds) { time.advance(span) }

    var now: Milliseconds { Milliseconds(time.now.count) }

    /// A client of an account, at an origin.
    func client(_ name: String = "ada", at origin: String = AccountRoom.origin) throws -> AccountClient {
        AccountClient(
            try #require(AccountName(name)),
            over: AccountTransport(origin: origin) { request throws(TransportFailure) in try self.carry(request) }
        )
    }

    private func carry(_ request: consuming AccountRequest) throws(TransportFailure) -> AccountResponse {
        let sent = Sent(
            method: request.method,
            path: request.path,
            token: request.token?.withBytes { $0.exposedText },
            body: request.body,
            contentType: request.contentType,
            fields: request.fields
        )
        let answer = try wire.pass(sent) { self.answer($0) }
        return AccountResponse(
            status: answer.status,
            retryAfter: answer.retryAfter,
            proof: answer.proof,
            body: SecretBytes(text: String(decoding: answer.body, as: UTF8.self))
        )
    }

    /// What the service answers.
    func answer(_ sent: Sent) -> Answer {
        guard let method = HTTPMethod(rawValue: sent.method.rawValue), let store = try? location.open() else {
            return Answer(status: 599)
        }
        let token = sent.token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let path = sent.path.split(separator: "?", maxSplits: 1).map(String.init)
        let request = HTTPRequest(
            method,
            path[0],
            query: path.dropFirst().first,
            headers: HTTPHeaders(
                [(name: "Content-Type", value: sent.contentType)] + token
                    + sent.fields.map { (name: $0.key, value: $0.value) }
            ),
            body: sent.body
        )
        let response = Worker(service, store: store).answer(request).wait()
        let wait = response.headers.first { $0.0 == "Retry-After" }.flatMap { Int($0.1) }
        let proof = response.headers.first { $0.0 == AnswerProof.field || $0.0 == ContactProof.field }?.1
        return Answer(status: response.status, retryAfter: wait, proof: proof, body: response.body)
    }
}

/// The service's clock, in a test's hand.
private final class ClockBox: Sendable {
    private let time = Mutex(ServiceTime(1_700_000_000_000))

    var now: ServiceTime { time.withLock { $0 } }

    func advance(_ span: Milliseconds) { time.withLock { $0 = $0 + span } }
}

/// What a client sent.
struct Sent: Sendable {
    let method: AccountRequest.Method
    let path: String
    let token: String?
    let body: [UInt8]
    var contentType = "application/json"
    var fields: [String: String] = [:]

    var json: JSON { (try? JSON(reading: body, byteLimit: 1 << 20)) ?? .null }
}

/// What it is answered.
struct Answer: Sendable {
    var status: Int
    var retryAfter: Int?
    var proof: String?
    var body: [UInt8] = []

    var json: JSON { (try? JSON(reading: body, byteLimit: 1 << 20)) ?? .null }

    /// The same with another value for a member, or without it.
    func with(_ name: String, _ value: JSON?) -> Answer {
        guard case .object(let members) = json else { return self }
        let others = members.filter { $0.0 != name }
        let changed = JSON.object(others + (value.map { [(name, $0)] } ?? []))
        return Answer(status: status, proof: proof, body: Array(changed.text(escaping: JSON.shortestEscape).utf8))
    }

    static func problem(_ status: Int, _ code: String, retryAfter: Int? = nil) -> Answer {
        Answer(status: status, retryAfter: retryAfter, body: Array(#"{"code":"\#(code)"}"#.utf8))
    }
}

/// All that went over the wire, and what a test does to it.
final class Wire: Sendable {
    typealias Hook = @Sendable (Sent, (Sent) -> Answer) throws(TransportFailure) -> Answer

    private let state = Mutex<(sent: [Sent], hook: Hook?)>(([], nil))

    var sent: [Sent] { state.withLock { $0.sent } }
    var paths: [String] { sent.map(\.path) }

    /// Lets everything pass through a hook from now on.
    func through(_ hook: Hook?) { state.withLock { $0.hook = hook } }

    /// Loses each answer to requests of a path, after the service did what it asks.
    func loseAnswer(to path: String) {
        through { sent, forward throws(TransportFailure) in
            let answer = forward(sent)
            if sent.path == path || path.hasSuffix("*") && sent.path.hasPrefix(path.dropLast()) { throw .lost }
            return answer
        }
    }

    /// Changes what is answered to requests of a path.
    func answering(_ path: String, _ change: @escaping @Sendable (Answer) -> Answer) {
        through { sent, forward throws(TransportFailure) in
            let isIt = sent.path == path || path.hasSuffix("*") && sent.path.hasPrefix(path.dropLast())
            return isIt ? change(forward(sent)) : forward(sent)
        }
    }

    fileprivate func pass(_ sent: Sent, _ forward: (Sent) -> Answer) throws(TransportFailure) -> Answer {
        let hook = state.withLock { state in
            state.sent.append(sent)
            return state.hook
        }
        guard let hook else { return forward(sent) }
        return try hook(sent, forward)
    }
}

extension AccountEnvelope {
    /// A key, in the open.
    borrowing func bytes(of name: Identifier) -> [UInt8]? {
        guard let key = keys.key(name) else { return nil }
        return key.withBytes { $0.exposed }
    }
}

/// An account that was registered with an envelope, for a device.
struct Registered {
    let password: String
    let device: Identifier
    let envelope: [UInt8]
}

extension AccountClient {
    /// Registers with an envelope, or without.
    func register(
        _ password: String,
        in group: SRPGroup = .standard,
        hasEnvelope: Bool = true
    ) async throws -> Registered {
        let made = try AccountPassword.make(SecretBytes(text: password), kdf: AccountRoom.kdf)
        let device = Identifier.make()
        let envelope = try AccountEnvelope.first(for: device)
            .sealed(under: made.envelopeKey, of: account, at: AccountRoom.origin)
        try await register(made, in: group, envelope: hasEnvelope ? envelope : nil)
        return Registered(password: password, device: device, envelope: envelope)
    }

    func login(_ password: String, known: VaultAccount.Login? = nil, acceptsWeaker: Bool = false) async throws
        -> AccountLogin
    {
        try await login(SecretBytes(text: password), known: known, acceptsWeaker: acceptsWeaker)
    }

    /// Opens the envelope that came with a login.
    func open(_ login: borrowing AccountLogin) throws -> AccountEnvelope {
        try AccountEnvelope(opening: login.envelope, with: login.envelopeKey, of: account, at: login.service)
    }

    /// Changes the password, with a new key in the envelope.
    func change(_ login: borrowing AccountLogin, to password: String) async throws -> UInt64 {
        let made = try AccountPassword.make(SecretBytes(text: password), kdf: AccountRoom.kdf)
        let sealed = try open(login).changing().sealed(under: made.envelopeKey, of: account, at: login.service)
        return try await changePassword(
            login.session,
            to: made,
            envelope: sealed,
            replacing: login.envelope,
            policyEpoch: login.policyEpoch
        )
    }
}
