import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// Speaks to the service of one account: each call of its contract, over a transport that carries bytes.
///
/// It keeps nothing between calls: what a login gave is the caller's. What opens a vault never goes through here (P-107-08):
/// the service gets a verifier, proofs, and envelopes that are sealed.
package struct AccountClient: Sendable {
    /// Whose account it is.
    package let account: AccountName
    /// The way to its service.
    package let transport: AccountTransport
    /// How long each round trip may take.
    package var timeout = Patience.service

    /// A client of an account.
    package init(_ account: AccountName, over transport: AccountTransport) {
        (self.account, self.transport) = (account, transport)
    }

    /// The same for a name that nobody has checked.
    package init(named name: String, over transport: AccountTransport) throws(AccountFailure) {
        guard let account = AccountName(name) else { throw .nameMalformed }
        self.init(account, over: transport)
    }

    /// Carries a request there and its answer back, whatever it says.
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

    /// The same for an answer that has to be of one status.
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

    /// The same within a login: its token goes along, and the service has to prove the answer by its key.
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

    /// What an answer is that is not the one that was asked for.
    static func refusal(_ response: borrowing AccountResponse) -> AccountFailure {
        AccountFailure(status: response.status, code: code(of: response), retryAfter: response.retryAfter)
    }

    /// The code of a problem (RFC 9457); empty where the body is none, for what stands before a service answers too.
    static func code(of response: borrowing AccountResponse) -> String {
        (try? AnswerBody(response.body).text("code")) ?? ""
    }

    /// Bytes that have one form, which can be signed and proved (RFC 8785).
    static func canonical(_ members: [(String, JSON)]) throws(AccountFailure) -> [UInt8] {
        // Nothing fails but an epoch that no service has.
        do throws(JSONError.Kind) { return try JSON.object(members).canonical() } catch { throw .epochMoved }
    }
}

extension ServerSession {
    /// Refuses an answer that is not proved by the key of this login: a relay can pass a true M2 on, and say the rest itself.
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
    /// The bytes in lower-case hexadecimal digits, as JSON.
    var hexadecimal: JSON { .string(String(decoding: TextCode.hexadecimal.encode(self), as: UTF8.self)) }
    /// The bytes in base64, as JSON.
    var base64: JSON { .string(String(decoding: TextCode.base64.encode(self), as: UTF8.self)) }
}
