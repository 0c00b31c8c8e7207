import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

/// One request with what its handler needs.
struct Exchange {
    let request: HTTPRequest
    let worker: Worker
    /// Who asks, and when.
    let caller: Accounts.Caller
    private let shape: Shape

    /// - Parameter shape: what the body may hold.
    init(_ request: HTTPRequest, _ worker: Worker, _ shape: Shape?) {
        self.request = request
        self.worker = worker
        self.shape = shape ?? Shape(required: [])
        caller = Accounts.Caller(
            token: BearerToken(authorization: request.headers["authorization"]),
            network: request.peer.network,
            now: worker.service.clock()
        )
    }

    var accounts: Accounts { worker.service.accounts }
    var store: any Store { worker.store }

    /// Reads the body; called when its turn comes among the checks.
    func form() throws(Problem) -> Form { try Form(request.body, shape) }

    /// The identifier that the path names.
    func identifier(_ parameter: String) throws(Problem) -> Identifier {
        guard let identifier = Identifier(text: request.parameters[parameter] ?? "") else { throw .form(parameter) }
        return identifier
    }

    /// Lets the log's line say which name this is about.
    func names(_ name: AccountName) {
        worker.trace.name = accounts.keys.logged(name)
    }

    /// Lets it say which account this is about.
    func isAbout(_ userID: Identifier) {
        worker.trace.userID = userID
    }

    /// An answer about a login's account, with a proof for the client that logged in.
    func proving(_ response: HTTPResponse, to session: Session) throws(Problem) -> HTTPResponse {
        try proving(response, to: session.userID, by: accounts.keys.sessionKey(of: session))
    }

    /// - Parameter key: K of the login.
    func proving(
        _ response: HTTPResponse,
        to userID: Identifier,
        by key: borrowing SecretBytes
    ) -> HTTPResponse {
        isAbout(userID)
        let message = AnswerProof.message(
            request.method.rawValue,
            request.path,
            request: SHA256.digest(request.body),
            status: response.status,
            body: SHA256.digest(response.body)
        )
        var response = response
        response.headers.append((AnswerProof.field, SessionProof.make(of: message, sessionKey: key).hexadecimal))
        return response
    }
}

extension HTTPResponse {
    /// The answer that says no more than its status.
    static let nothing = HTTPResponse(status: 204).uncached

    /// An answer of members.
    static func answer(_ members: [(String, JSON)], status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, json: .object(members)).uncached
    }

    /// The answer that is a problem document (RFC 9457).
    static func problem(_ problem: Problem) -> HTTPResponse {
        var headers: [(String, String)] = []
        if let seconds = problem.retryAfterSeconds { headers.append(("Retry-After", String(seconds))) }
        if let scheme = problem.code.challenge { headers.append(("WWW-Authenticate", scheme)) }
        var response = HTTPResponse(
            status: problem.code.status,
            json: problem.document,
            type: "application/problem+json",
            headers: headers
        ).uncached
        if problem.code == .loginsFull { response.heldMilliseconds = 1_000 }
        return response
    }
}
