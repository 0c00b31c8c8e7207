package import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// The service's answer to a contact of a device.
package struct ContactAnswer: Hashable, Sendable {
    /// The number of password changes.
    package let policyEpoch: UInt64
    /// When the password was last changed, since 1970.
    package let passwordChangedAt: Milliseconds
    /// The service's clock, since 1970.
    package let serverTime: Milliseconds
}

// Calls about the account's devices.
extension AccountClient {
    /// Signs a message with the device's key; returns a DER signature (ECDSA P-256, SHA-256).
    package typealias Signer = @Sendable ([UInt8]) async throws(VaultError) -> [UInt8]

    /// Lists a device; its contacts are then answered with a proof by this login's key (`ServerSession.contactKey()`).
    ///
    /// Each login of a device calls it. Repeating the call gives the same answer, so a lost answer does no harm.
    ///
    /// - Parameters:
    ///   - session: of a login less than 5 minutes old, or the call throws `.loginOld`.
    ///   - id: the device's identifier; `.deviceTaken` means that another device had it.
    ///   - publicKey: the SubjectPublicKeyInfo of a P-256 key, 91 bytes.
    ///   - name: the name its owner gives it; `nil` keeps the current name.
    /// - Returns: when the service listed it, since 1970.
    package func addDevice(
        _ session: borrowing ServerSession,
        _ id: Identifier,
        publicKey: [UInt8],
        name: DeviceName? = nil
    ) async throws(AccountFailure) -> Milliseconds {
        let members: [(String, JSON)] =
            [
                ("deviceId", .string(id.text)), ("publicKey", publicKey.base64), ("algorithm", "ecdsa-p256-sha256"),
            ] + (name.map { [("name", .string($0.text))] } ?? [])
        let response = try await call(.post, "/v1/devices", members, in: session, expecting: 201)
        let body = try AnswerBody(response.body)
        guard try body.identifier("deviceId") == id else { throw .notProved }
        return try body.time("createdAt")
    }

    /// Revokes a device; has no effect on one that is already revoked.
    ///
    /// - Parameter session: of a login less than 5 minutes old, or the call throws `.loginOld`.
    package func revokeDevice(_ session: borrowing ServerSession, _ id: Identifier) async throws(AccountFailure) {
        _ = try await call(.delete, "/v1/devices/\(id.text)", in: session, expecting: 204)
    }

    /// Asks for the account's state, signed by the device and without a token; the service accepts each contact once.
    ///
    /// - Parameters:
    ///   - id: this device's identifier.
    ///   - service: the service's name, which is part of what is signed.
    ///   - time: the device's clock, since 1970; the service refuses none for its age.
    ///   - timeout: the maximum duration of the round trip.
    ///   - key: the key of the device's last login, which proves the answer.
    ///   - sign: signs with the device's key.
    /// - Throws: `.deviceRevoked` if the service says so, with the same proof as an answer. Every other failure means
    ///   that no contact was made; `.contactNotProved` calls for a login.
    package func contact(
        from id: Identifier,
        to service: String,
        at time: Milliseconds,
        timeout: Milliseconds? = nil,
        provedBy key: borrowing SecretBytes,
        signedBy sign: Signer
    ) async throws(AccountFailure) -> ContactAnswer {
        let (nonce, sentAt) = (RandomBytes.make(16), JSON.string(time.utcText))
        let signed: [(String, JSON)] = [
            ("deviceId", .string(id.text)), ("nonce", nonce.base64), ("origin", .string(service)),
            ("sentAt", sentAt),
        ]
        let message = Array("thumbturn.contact.v1\n".utf8) + (try Self.canonical(signed))
        let signature: [UInt8]
        do throws(VaultError) { signature = try await sign(message) } catch { throw .notSigned(error) }
        let response = try await exchange(
            .post,
            "/v1/devices/\(id.text)/contact",
            [("nonce", nonce.base64), ("sentAt", sentAt), ("signature", signature.base64)],
            timeout: timeout
        )
        let refusal = response.status == 200 ? nil : Self.refusal(response)
        guard refusal == nil || refusal == .deviceRevoked else { throw refusal ?? .notProved }
        try response.checkContact(nonce, key)
        if let refusal { throw refusal }
        let body = try AnswerBody(response.body)
        return ContactAnswer(
            policyEpoch: try body.policyEpoch(),
            passwordChangedAt: try body.time("passwordChangedAt"),
            serverTime: try body.time("serverTime")
        )
    }
}

extension AccountResponse {
    /// Refuses an answer to a contact unless the key of the device's last login proves it.
    fileprivate borrowing func checkContact(_ nonce: [UInt8], _ key: borrowing SecretBytes) throws(AccountFailure) {
        guard let proof = proof.flatMap({ TextCode.base64.decode(Array($0.utf8)) }) else { throw .contactNotProved }
        let body = body.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
        do throws(CryptoError) {
            try ContactProof.check(proof, nonce: nonce, status: status, body: body, key: key)
        } catch {
            throw .contactNotProved
        }
    }
}
