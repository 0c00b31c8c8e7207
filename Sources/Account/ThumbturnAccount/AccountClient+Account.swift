package import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// An account as its owner sees it.
package struct AccountState: Hashable, Sendable {
    /// A device of the account.
    package struct Device: Hashable, Sendable {
        /// Its identifier.
        package let id: Identifier
        /// When it was listed, since 1970.
        package let createdAt: Milliseconds
        /// What its owner calls it.
        package var name: DeviceName?
    }

    /// What stands for the name in every record.
    package let userID: Identifier
    /// How often the password was changed.
    package let policyEpoch: UInt64
    /// When it was changed last, since 1970.
    package let passwordChangedAt: Milliseconds
    /// Those that are not revoked, oldest first.
    package let devices: [Device]
}

// The account itself.
extension AccountClient {
    /// Registers the account.
    ///
    /// After `.lost` or `.nameTaken` on a second try a login says whether it is ours.
    ///
    /// - Parameters:
    ///   - password: new, with its own salt.
    ///   - envelope: sealed under `password.envelopeKey`; without one the first login has to bring it.
    package func register(
        _ password: borrowing AccountPassword,
        in group: SRPGroup = .standard,
        envelope: [UInt8]?
    ) async throws(AccountFailure) {
        let members = [("account", JSON.string(account.text))] + (try credentials(password, group, envelope))
        let response = try await call(.post, "/v1/accounts", members, expecting: 201)
        guard try AnswerBody(response.body).text("account") == account.text else { throw .notProved }
    }

    /// What the service knows of the account.
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
            devices: devices
        )
    }

    /// Sets a new password.
    ///
    /// All other logins end; this one goes on, and after `.lost` says by `account(_:)` whether it was done.
    ///
    /// - Parameters:
    ///   - session: of a login under 5 minutes old, else `.loginOld`.
    ///   - password: new, with its own salt.
    ///   - envelope: sealed under `password.envelopeKey`.
    ///   - former: the envelope that it replaces, as it came; nil where there was none.
    ///   - epoch: the one that the login said.
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

    /// Puts another envelope in the place of one; password and epoch stay.
    ///
    /// - Parameters:
    ///   - session: of a login under 5 minutes old, else `.loginOld`.
    ///   - former: the envelope that it replaces, as it came; nil where there was none.
    package func putEnvelope(
        _ session: borrowing ServerSession,
        _ envelope: [UInt8],
        replacing former: [UInt8]?
    ) async throws(AccountFailure) {
        let members = [("keyEnvelope", envelope.base64)] + previous(former)
        _ = try await change(.put, "/v1/account/envelope", members, session, .envelopeChange, 204)
    }

    /// Closes the account: verifier, envelope, logins and devices go at once.
    ///
    /// - Parameter session: of a login under 5 minutes old, else `.loginOld`.
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

    /// What takes a password's place.
    ///
    /// The verifier stands in a text: it is what the service keeps, and each guess by it costs a run of Argon2id.
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
