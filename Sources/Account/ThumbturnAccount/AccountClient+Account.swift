package import ThumbturnAudit
package import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// The state of an account, for its owner.
package struct AccountState: Equatable, Sendable {
    /// A device of the account.
    package struct Device: Hashable, Sendable {
        /// The device's identifier.
        package let id: Identifier
        /// When it was listed, since 1970.
        package let createdAt: Milliseconds
        /// The name its owner has given it.
        package var name: DeviceName?
    }

    /// The user id, which represents the name in every record.
    package let userID: Identifier
    /// The number of password changes.
    package let policyEpoch: UInt64
    /// When the password was last changed, since 1970.
    package let passwordChangedAt: Milliseconds
    /// The devices that are not revoked, oldest first.
    package let devices: [Device]
    /// The account's log and its keys; nil from a service that keeps none.
    package let audit: AuditKeys?
}

// Calls about the account itself.
extension AccountClient {
    /// Registers the account.
    ///
    /// After `.lost`, or `.nameTaken` on a second try, a login tells whether the account is ours.
    ///
    /// - Parameters:
    ///   - password: the new password, with its own salt.
    ///   - envelope: sealed under `password.envelopeKey`; without it, the first login has to supply one.
    package func register(
        _ password: borrowing AccountPassword,
        in group: SRPGroup = .standard,
        envelope: [UInt8]?
    ) async throws(AccountFailure) {
        let members = [("account", JSON.string(account.text))] + (try credentials(password, group, envelope))
        let response = try await call(.post, "/v1/accounts", members, expecting: 201)
        guard try AnswerBody(response.body).text("account") == account.text else { throw .notProved }
    }

    /// Returns the state of the account.
    package func account(_ session: borrowing ServerSession) async throws(AccountFailure) -> AccountState {
        let response = try await call(.get, "/v1/account", in: session, expecting: 200)
        let body = try AnswerBody(response.body)
        let devices = try body.objects("devices").map { device throws(AccountFailure) in
            AccountState.Device(
                id: try device.identifier("deviceId"),
                createdAt: try device.time("createdAt"),
                name: try device.deviceName()
            )
        }
        guard try body.text("account") == account.text, Set(devices.map(\.id)).count == devices.count else {
            throw .notProved
        }
        return AccountState(
            userID: try body.identifier("userId"),
            policyEpoch: try body.policyEpoch(),
            passwordChangedAt: try body.time("passwordChangedAt"),
            devices: devices,
            audit: try body.audit()
        )
    }

    /// Sets a new password.
    ///
    /// All other logins end. This one stays valid, so that after `.lost` `account(_:)` tells whether the change was
    /// made.
    ///
    /// - Parameters:
    ///   - session: of a login less than 5 minutes old, or the call throws `.loginOld`.
    ///   - password: the new password, with its own salt.
    ///   - envelope: sealed under `password.envelopeKey`.
    ///   - former: the envelope that it replaces, as it was received; `nil` if there was none.
    ///   - epoch: the policy epoch reported by the login.
    /// - Returns: the new epoch.
    package func changePassword(
        _ session: borrowing ServerSession,
        to password: borrowing AccountPassword,
        in group: SRPGroup = .standard,
        envelope: [UInt8],
        replacing former: [UInt8]?,
        policyEpoch epoch: UInt64
    ) async throws(AccountFailure) -> UInt64 {
        let members =
            try credentials(password, group, envelope) + previous(former)
            + [("policyEpoch", .integer(Int64(clamping: epoch)))]
        let response = try await change(.put, "/v1/account/password", members, session, .passwordChange, 200)
        let risen = try AnswerBody(response.body).policyEpoch()
        guard risen > epoch else { throw .notProved }
        return risen
    }

    /// Replaces the envelope; password and epoch stay the same.
    ///
    /// - Parameters:
    ///   - session: of a login less than 5 minutes old, or the call throws `.loginOld`.
    ///   - former: the envelope that it replaces, as it was received; `nil` if there was none.
    package func putEnvelope(
        _ session: borrowing ServerSession,
        _ envelope: [UInt8],
        replacing former: [UInt8]?
    ) async throws(AccountFailure) {
        let members = [("keyEnvelope", envelope.base64)] + previous(former)
        _ = try await change(.put, "/v1/account/envelope", members, session, .envelopeChange, 204)
    }

    /// Closes the account, which deletes verifier, envelope, logins and devices at once.
    ///
    /// - Parameter session: of a login less than 5 minutes old, or the call throws `.loginOld`.
    package func closeAccount(_ session: borrowing ServerSession) async throws(AccountFailure) {
        _ = try await change(.delete, "/v1/account", [], session, .passwordChange, 204)
    }

    /// Sends a change with its proof.
    private func change(
        _ method: AccountRequest.Method,
        _ path: String,
        _ members: [(String, JSON)],
        _ session: borrowing ServerSession,
        _ purpose: SessionPurpose,
        _ status: Int
    ) async throws(AccountFailure) -> AccountResponse {
        let proof = session.proof(of: try Self.canonical(members), for: purpose)
        return try await call(method, path, members + [("proof", proof.hexadecimal)], in: session, expecting: status)
    }

    /// Returns the members that set a password.
    ///
    /// The verifier is sent as text: the service stores it anyway, and each guess against it costs a run of Argon2id.
    private func credentials(
        _ password: borrowing AccountPassword,
        _ group: SRPGroup,
        _ envelope: [UInt8]?
    ) throws(AccountFailure) -> [(String, JSON)] {
        let (salt, kdf) = (password.envelopeKey.salt, password.envelopeKey.kdf)
        let verifier: SecretBytes
        do throws(SRPError) {
            verifier = try SRPVerifier.make(
                group: group,
                account: account.bytes,
                password: password.srpText,
                salt: salt
            )
        } catch {
            throw AccountFailure(error)
        }
        let number = verifier.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
        return [
            ("group", .string(group.rawValue)), ("salt", salt.hexadecimal), ("verifier", number.hexadecimal),
            (
                "kdf",
                [
                    "name": "argon2id", "memoryKiB": .integer(Int64(kdf.memoryKiB)),
                    "passes": .integer(Int64(kdf.passes)), "lanes": .integer(1),
                ]
            ),
        ] + (envelope.map { [("keyEnvelope", $0.base64)] } ?? [])
    }

    private func previous(_ former: [UInt8]?) -> [(String, JSON)] {
        former.map { [("previous", AccountEnvelope.digest(of: $0).hexadecimal)] } ?? []
    }
}
