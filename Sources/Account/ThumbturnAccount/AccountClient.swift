import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// Calls the service of one account, over a transport that carries bytes.
///
/// It keeps no state between calls: the caller keeps the results of a login. Secrets that open a vault are never sent
/// (P-107-08): the service receives a verifier, proofs, and sealed envelopes.
package struct AccountClient: Sendable {
    /// The account's name.
    package let account: AccountName
    /// The transport to its service.
    package let transport: AccountTransport
    /// The maximum duration of each round trip.
    package var timeout = Patience.service

    /// Creates a client for an account.
    package init(_ account: AccountName, over transport: AccountTransport) {
        (self.account, self.transport) = (account, transport)
    }

    /// Creates a client for a name that has not been checked.
    package init(named name: String, over transport: AccountTransport) throws(AccountFailure) {
        guard let account = AccountName(name) else { throw .nameMalformed }
        self.init(account, over: transport)
    }

    /// Sends a request and returns the answer, with any status.
    func exchange(
        _ method: AccountRequest.Method,
        _ path: String,
        _ members: [(String, JSON)]? = nil,
        token: consuming SecretBytes? = nil,
        timeout: Milliseconds? = nil
    ) async throws(AccountFailure) -> AccountResponse {
        let request = AccountRequest(
            method,
            path,
            token: token,
            body: try members.map { members throws(AccountFailure) in try Self.canonical(members) } ?? [],
            timeout: Int((timeout ?? self.timeout).count)
        )
        do throws(TransportFailure) { return try await transport.roundTrip(request) } catch {
            throw AccountFailure(error)
        }
    }

    /// Sends a request, and refuses an answer with another status than `status`.
    func call(
        _ method: AccountRequest.Method,
        _ path: String,
        _ members: [(String, JSON)]? = nil,
        token: consuming SecretBytes? = nil,
        timeout: Milliseconds? = nil,
        expecting status: Int
    ) async throws(AccountFailure) -> AccountResponse {
        let response = try await exchange(method, path, members, token: token, timeout: timeout)
        guard response.status == status else { throw Self.refusal(response) }
        return response
    }

    /// Sends a request within a login: includes the token, and requires an answer proved by the login's key.
    func call(
        _ method: AccountRequest.Method,
        _ path: String,
        _ members: [(String, JSON)]? = nil,
        in session: borrowing ServerSession,
        expecting status: Int
    ) async throws(AccountFailure) -> AccountResponse {
        let response = try await call(method, path, members, token: session.token.copy(), expecting: status)
        try session.check(response, to: method, path, members)
        return response
    }

    /// Returns the failure for an answer with an unexpected status.
    static func refusal(_ response: borrowing AccountResponse) -> AccountFailure {
        AccountFailure(status: response.status, code: code(of: response), retryAfter: response.retryAfter)
    }

    /// Returns the code of a problem (RFC 9457); empty if the body is none, because proxies answer too.
    static func code(of response: borrowing AccountResponse) -> String {
        (try? AnswerBody(response.body).text("code")) ?? ""
    }

    /// Returns members in canonical form (RFC 8785), which can be signed and proved.
    static func canonical(_ members: [(String, JSON)]) throws(AccountFailure) -> [UInt8] {
        // Only an epoch out of range can fail.
        do throws(JSONError.Kind) { return try JSON.object(members).canonical() } catch { throw .epochMoved }
    }
}

extension ServerSession {
    /// Refuses an answer that this login's key does not prove: a relay can pass on a true M2 and forge the rest.
    func check(
        _ response: borrowing AccountResponse,
        to method: AccountRequest.Method,
        _ path: String,
        _ members: [(String, JSON)]?
    ) throws(AccountFailure) {
        let request = try members.map { members throws(AccountFailure) in try AccountClient.canonical(members) } ?? []
        let message = AnswerProof.message(
            method.rawValue,
            path,
            request: SHA256.digest(request),
            status: response.status,
            body: response.body.withBytes { SHA256.digest($0) }
        )
        guard let proof = response.proof.flatMap({ TextCode.hexadecimal.decode(Array($0.utf8)) }) else {
            throw .notProved
        }
        do throws(CryptoError) { try verify(proof, of: message) } catch { throw .notProved }
    }
}

extension [UInt8] {
    /// The bytes as JSON, in lower-case hexadecimal.
    var hexadecimal: JSON { .string(String(decoding: TextCode.hexadecimal.encode(self), as: UTF8.self)) }
    /// The bytes as JSON, in base64.
    var base64: JSON { .string(String(decoding: TextCode.base64.encode(self), as: UTF8.self)) }
}
