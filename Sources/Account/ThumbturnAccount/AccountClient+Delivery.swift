import Thumbturn
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// What the service answered to an upload; only a receipt is signed.
enum DeliveryAnswer: Equatable, Sendable {
    /// A receipt, not verified.
    case acknowledged([UInt8])
    /// The log ends before the upload begins.
    case gap(expected: UInt64, answer: [UInt8])
    /// The log has other records in their place.
    case forked
    /// The service has seen the nonce.
    case nonceUsed
    /// The upload was signed for another log than the account's.
    case otherLog
    /// The service does not know the device, or its key.
    case unknownDevice
    /// The service will never take the records; the problem's code.
    case refused(String)
    /// It may take them later: stored and not yet signed, or too busy.
    case later(asked: Milliseconds?)
}

// Delivering events to the account's log.
extension AccountClient {
    /// Sends records with the device's signature, and without a token.
    ///
    /// - Parameters:
    ///   - sent: what to send.
    ///   - signature: the device's over `sent.message`, DER.
    /// - Throws: `.notProved` for an answer that our service never gives, and why there was none.
    func deliver(_ sent: TrailUpload, signature: [UInt8]) async throws(AccountFailure) -> DeliveryAnswer {
        let since = sent.head.map { "?since=\($0.size)" } ?? ""
        let request = AccountRequest(
            .post,
            "/v1/audit/\(sent.upload.deviceId.text)/events\(since)",
            token: nil,
            body: sent.body,
            contentType: "application/x-ndjson",
            fields: [
                "Idempotency-Key": Self.text(TextCode.hexadecimal.encode(SHA256.digest(sent.body))),
                "Thumbturn-Upload": Self.text(TextCode.base64.encode(sent.upload.header)),
                "Thumbturn-Signature": Self.text(TextCode.base64.encode(signature)),
            ],
            timeout: Int(timeout.count)
        )
        let response: AccountResponse
        do throws(TransportFailure) { response = try await transport.roundTrip(request) } catch {
            throw AccountFailure(error)
        }
        return try Self.answer(response)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func answer(_ response: borrowing AccountResponse) throws(AccountFailure) -> DeliveryAnswer {
        let body = response.body.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
        let asked = response.retryAfter.map { Milliseconds.seconds(Int64(min(max($0, 0), 86_400))) }
        switch (response.status, code(of: response)) {
        case (200, _): return .acknowledged(body)
        case (202, _), (429, _), (500...599, _): return .later(asked: asked)
        case (409, "GAP"):
            let expected = try AnswerBody(response.body).number("expectedSeq", in: 0...(1 << 53 - 1))
            return .gap(expected: UInt64(expected), answer: body)
        case (409, "FORK"): return .forked
        case (409, "NONCE"): return .nonceUsed
        case (409, "ORIGIN"): return .otherLog
        // Without a code it is an answer of what stands before the service.
        case (400, let code), (413, let code), (422, let code):
            guard !code.isEmpty else { throw .notProved }
            return .refused(code)
        case (401, let code):
            guard !code.isEmpty else { throw .notProved }
            return .unknownDevice
        default: throw .notProved
        }
    }
}
