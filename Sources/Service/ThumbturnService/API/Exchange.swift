import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

/// A request with everything its handler needs.
struct Exchange {
    let request: HTTPRequest
    let worker: Worker
    /// The client's token and network, and the time.
    let caller: Accounts.Caller
    private let shape: Shape
    private let queries: [String]

    /// - Parameters:
    ///   - shape: the members of a JSON body.
    ///   - queries: the names of the parameters that the query may have.
    init(_ request: HTTPRequest, _ worker: Worker, _ shape: Shape?, _ queries: [String]) {
        self.request = request
        self.worker = worker
        self.shape = shape ?? Shape(required: [])
        self.queries = queries
        caller = Accounts.Caller(
            token: BearerToken(authorization: request.headers["authorization"]),
            network: request.peer.network,
            now: worker.service.clock()
        )
    }

    var accounts: Accounts { worker.service.accounts }
    var store: any Store { worker.store }

    /// Parses the body; call it when the order of checks has come to it.
    func form() throws(Problem) -> Form { try Form(request.body, shape) }

    /// Returns the identifier in the path.
    func identifier(_ parameter: String) throws(Problem) -> Identifier {
        guard let identifier = Identifier(text: request.parameters[parameter] ?? "") else { throw .form(parameter) }
        return identifier
    }

    /// Returns the value of a parameter of the query; `nil` if it is absent.
    ///
    /// - Parameter name: of a parameter in the endpoint's description.
    /// - Throws: `.form` if the query has an unknown name, which is not repeated, or a name twice, or a value that
    ///   readers take for different ones.
    func query(_ name: String) throws(Problem) -> String? {
        precondition(queries.contains(name), "a parameter has to be described")
        var values: [String: String] = [:]
        for item in request.queryItems {
            guard let known = queries.first(where: { $0.utf8.elementsEqual(item.name.utf8) }) else {
                throw Problem(.form)
            }
            guard let value = item.value, values.updateValue(value, forKey: known) == nil else { throw .form(known) }
        }
        return values[name]
    }

    /// Adds the name, as an HMAC, to the request's log line.
    func names(_ name: AccountName) { worker.trace.name = accounts.keys.logged(name) }

    /// Adds the account's user id to the request's log line.
    func isAbout(_ userID: Identifier) { worker.trace.userID = userID }

    /// Returns an answer about a login's account with a proof for the client that logged in.
    func proving(_ response: HTTPResponse, to session: Session) throws(Problem) -> HTTPResponse {
        try proving(response, to: session.userID, by: accounts.keys.sessionKey(of: session))
    }

    /// - Parameter key: K of the login.
    func proving(_ response: HTTPResponse, to userID: Identifier, by key: borrowing SecretBytes) -> HTTPResponse {
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
    /// An answer with a status only.
    static let nothing = HTTPResponse(status: 204).uncached

    static func answer(_ members: [(String, JSON)], status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, json: .object(members)).uncached
    }

    /// Returns an answer with content of any type.
    ///
    /// - Parameter caching: the value of `Cache-Control`, such as `public, max-age=31536000, immutable` for what never
    ///   changes.
    static func bytes(_ body: [UInt8], type: String, status: Int = 200, caching: String = "no-store") -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", type), ("Cache-Control", caching)], body: body)
    }

    /// Returns an answer with a problem document (RFC 9457).
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
        response.code = problem.code.text
        if problem.code == .loginsFull { response.heldMilliseconds = 1_000 }
        return response
    }
}
