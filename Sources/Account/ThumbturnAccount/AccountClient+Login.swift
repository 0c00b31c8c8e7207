package import Thumbturn
package import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

// A login (RFC 5054, SRP-6a): two round trips with one run of Argon2id between them.
extension AccountClient {
    /// Logs in.
    ///
    /// - Parameters:
    ///   - password: UTF-8, as it was typed.
    ///   - known: the protection that this device remembers from its last login; `nil` on a new one.
    ///   - acceptsWeaker: whether the owner agreed to weaker protection than that.
    /// - Throws: `.passwordRefused` is the only failure that means a wrong password. `.weakened` is thrown before
    ///   anything derived from the password is sent.
    package func login(
        _ password: borrowing SecretBytes,
        known: VaultAccount.Login? = nil,
        acceptsWeaker: Bool = false
    ) async throws(AccountFailure) -> AccountLogin {
        guard AccountPassword.isWellFormed(password) else { throw .passwordMalformed }
        let begun = try await begin(in: known?.group ?? .standard)
        let challenge = begun.challenge
        let protection = VaultAccount.Login(group: challenge.group, cost: challenge.kdf, salt: challenge.salt)
        if let known, protection.isWeaker(than: known), !acceptsWeaker { throw .weakened }
        let derived = try AccountPassword(password, salt: challenge.salt, kdf: challenge.kdf)
        let proof = try begun.proof(of: account, derived)
        let path = "/v1/login/\(challenge.handshake.text)"
        let members = [("M1", proof.proof.hexadecimal)]
        let response = try await call(.post, path, members, expecting: 200)
        let verified = try VerifiedAnswer(response, proof, to: path, members)
        let body = verified.body
        return AccountLogin(
            session: verified.takeSession(),
            envelopeKey: derived.takeEnvelopeKey(),
            envelope: try body.has("keyEnvelope") ? body.base64("keyEnvelope", most: AccountEnvelope.mostBytes) : nil,
            userID: try body.identifier("userId"),
            service: try body.serviceName(),
            policyEpoch: try body.policyEpoch(),
            passwordChangedAt: try body.time("passwordChangedAt"),
            protection: protection
        )
    }

    /// Logs in, and starts over if another device's login has replaced this one's handshake meanwhile.
    ///
    /// - Throws: as `login`; `.handshakeEnded` if that happens `tries` times. `.weakened` still guarantees that nothing
    ///   was revealed: if an earlier try may have sent its proof, `.notProved` is thrown instead.
    func loginBesideOthers(
        _ password: borrowing SecretBytes,
        known: VaultAccount.Login? = nil,
        acceptsWeaker: Bool = false,
        tries: Int = 4
    ) async throws(AccountFailure) -> AccountLogin {
        var left = tries
        while true {
            do throws(AccountFailure) {
                return try await login(password, known: known, acceptsWeaker: acceptsWeaker)
            } catch  where error == .handshakeEnded && left > 1 {
                left -= 1
            } catch  where error == .weakened && left < tries {
                throw .notProved
            }
        }
    }

    /// Starts a login in a group, and starts again if the account uses another of the three groups.
    private func begin(in group: SRPGroup) async throws(AccountFailure) -> BegunLogin {
        let opening = try BegunLogin.opening(in: group)
        let first = try await exchange(.post, "/v1/login", members(opening))
        guard first.status == 422, Self.code(of: first) == "GROUP" else {
            return try BegunLogin(opening, group, first)
        }
        let named = try AnswerBody(first.body).group()
        guard named != group else { throw .notProved }
        let again = try BegunLogin.opening(in: named)
        let second = try await exchange(.post, "/v1/login", members(again))
        return try BegunLogin(again, named, second)
    }

    private func members(_ opening: borrowing SRPClientOpening) -> [(String, JSON)] {
        [("account", .string(account.text)), ("A", opening.publicValue.hexadecimal)]
    }
}

/// The service's challenge, of which nothing is proved yet.
private struct LoginChallenge {
    let handshake: Identifier
    let group: SRPGroup
    let salt: [UInt8]
    let serverValue: [UInt8]
    let kdf: Argon2Parameters

    init(_ body: AnswerBody, _ group: SRPGroup) throws(AccountFailure) {
        guard try body.group() == group else { throw .notProved }
        self.group = group
        handshake = try body.identifier("handshake")
        salt = try body.hexadecimal("salt", byteCount: 16)
        serverValue = try body.hexadecimal("B", byteCount: group.byteCount)
        kdf = try body.kdf()
        guard salt[0] != 0 else { throw .notProved }
    }
}

/// A login in progress: the client's opening, and the service's challenge.
private struct BegunLogin: ~Copyable {
    let challenge: LoginChallenge
    private let opening: SRPClientOpening

    init(
        _ opening: consuming SRPClientOpening,
        _ group: SRPGroup,
        _ response: borrowing AccountResponse
    ) throws(AccountFailure) {
        guard response.status == 200 else { throw AccountClient.refusal(response) }
        challenge = try LoginChallenge(AnswerBody(response.body), group)
        self.opening = opening
    }

    static func opening(in group: SRPGroup) throws(AccountFailure) -> SRPClientOpening {
        do throws(SRPError) { return try SRPClientOpening(group: group) } catch { throw AccountFailure(error) }
    }

    /// Returns M1, unless B would let a false server know the secret.
    consuming func proof(
        of account: AccountName,
        _ password: borrowing AccountPassword
    ) throws(AccountFailure) -> SRPClientProof {
        let (salt, serverValue) = (challenge.salt, challenge.serverValue)
        let handshake = opening.handshake(account: account.bytes, password: password.srpText)
        do throws(SRPError) { return try handshake.answer(salt: salt, serverValue: serverValue) } catch {
            throw AccountFailure(error)
        }
    }
}

extension AccountFailure {
    /// Converts a failure of SRP: unless our own library failed, the other side is to blame.
    init(_ error: SRPError) {
        switch error {
        case .wrongLength, .outOfRange, .proofRefused: self = .notProved
        case .backendFailed: self = .crypto(.backendFailed)
        }
    }
}
