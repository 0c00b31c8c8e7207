package import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// What a device hears from its account's service.
package struct ContactAnswer: Hashable, Sendable {
    /// How often the password was changed.
    package let policyEpoch: UInt64
    /// When it was changed last, since 1970.
    package let passwordChangedAt: Milliseconds
    /// The service's clock, since 1970.
    package let serverTime: Milliseconds
}

// The account's devices.
extension AccountClient {
    /// Signs a message with the device's key; gives a DER signature (ECDSA P-256, SHA-256).
    package typealias Signer = @Sendable ([UInt8]) async throws(VaultError) -> [UInt8]

    /// Lists a device.
    ///
    /// The same once more is answered alike, so a lost answer does no harm.
    ///
    /// - Parameters:
    ///   - session: of a login under 5 minutes old, else `.loginOld`.
    ///   - id: new; `.deviceTaken` says that some device had it.
    ///   - publicKey: SubjectPublicKeyInfo of a P-256 key, 91 bytes.
    /// - Returns: when the service listed it, since 1970.
    package func addDevice(
        _ session: borrowing ServerSession,
        _ id: Identifier,
        publicKey: [UInt8]
    ) async throws(AccountFailure) -> Milliseconds {
        let members: [(String, JSON)] = [
            ("deviceId", .string(id.text)), ("publicKey", publicKey.base64), ("algorithm", "ecdsa-p256-sha256"),
        ]
        let response = try await call(.post, "/v1/devices", members, in: session, expecting: 201)
        let body = try AnswerBody(response.body)
        guard try body.identifier("deviceId") == id else { throw .notProved }
        return try body.time("createdAt")
    }

    /// Revokes a device; one that is revoked already stays so.
    ///
    /// - Parameter session: of a login under 5 minutes old, else `.loginOld`.
    package func revokeDevice(_ session: borrowing ServerSession, _ id: Identifier) async throws(AccountFailure) {
        _ = try await call(.delete, "/v1/devices/\(id.text)", in: session, expecting: 204)
    }

    /// Asks how the account stands, signed by the device and without a token; each contact is heard once.
    ///
    /// - Parameters:
    ///   - id: of this device.
    ///   - time: the device's clock, since 1970; the service refuses none for its age.
    ///   - timeout: how long the round trip may take.
    ///   - sign: signs by the device's key, for this service alone: its origin is among what is signed.
    /// - Throws: `.deviceRevoked` and `.deviceUnknown` are the service's word. Every other failure is no contact.
    package func contact(
        from id: Identifier,
        at time: Milliseconds,
        timeout: Milliseconds? = nil,
        signedBy sign: Signer
    ) async throws(AccountFailure) -> ContactAnswer {
        let (nonce, sentAt) = (RandomBytes.make(16).base64, JSON.string(time.utcText))
        let signed: [(String, JSON)] = [
            ("deviceId", .string(id.text)), ("nonce", nonce), ("origin", .string(transport.origin)),
            ("sentAt", sentAt),
        ]
        let message = Array("thumbturn.contact.v1\n".utf8) + (try Self.canonical(signed))
        let signature: [UInt8]
        do throws(VaultError) { signature = try await sign(message) } catch { throw .notSigned(error) }
        let response = try await call(
            .post,
            "/v1/devices/\(id.text)/contact",
            [("nonce", nonce), ("sentAt", sentAt), ("signature", signature.base64)],
            timeout: timeout,
            expecting: 200
        )
        let body = try AnswerBody(response.body)
        return ContactAnswer(
            policyEpoch: try body.policyEpoch(),
            passwordChangedAt: try body.time("passwordChangedAt"),
            serverTime: try body.time("serverTime")
        )
    }
}
