/// Why the service refuses a request: the catalogue of all problem codes.
///
/// Codes are stable, because clients rely on them. New ones may be added, but none changes its meaning; the texts may
/// change.
package enum ProblemCode: Hashable, Sendable, CaseIterable {
    // The form of the request.
    case notJSON, refusedJSON, form, width, group
    // The client's identity.
    case token, handshake, login, loginOld, proof, deviceUnknown, deviceRevoked, signature
    // The state of the account.
    case registrationClosed, accountsFull, accountTaken, deviceTaken, deviceLimit, epoch, envelopeMissing,
        envelopeMoved, nonce
    // An upload of audit records.
    case record, records, foreign, chain, signedOther, idempotency, gap, fork, origin, quota
    // The resource in the path.
    case notListed, logUnknown, beyondHead
    // Delays and temporary failures.
    case wait, loginsFull, busy, handshakesFull, headMissing, storeUnavailable, storeUncertain, storeFull, keyMissing
    // Internal failures.
    case damaged, broken

    /// The status of the answer (RFC 9110 §15).
    package var status: Int { entry.status }
    /// The code as clients read it.
    package var text: String { entry.text }
    /// What happened, explained for a developer.
    package var detail: String { entry.detail }

    /// The authentication scheme required in an answer of 401 (RFC 9110 §11.6.1).
    var challenge: String? {
        switch self {
        case .token: "Bearer"
        case .handshake, .login: "SRP"
        case .deviceUnknown, .signature: "Signature"
        default: nil
        }
    }

    private var entry: (status: Int, text: String, detail: String) {
        switch self {
        case .notJSON: (400, "JSON", "The body is not JSON (RFC 8259) in UTF-8.")
        case .refusedJSON:
            (
                422, "JSON",
                """
                The body is JSON that not all read alike: a name twice, half a surrogate pair, a number that is not whole or \
                too great, or values too deep in one another.
                """
            )
        case .form: (422, "FORM", "A member is missing, unknown, or not of the form that the document gives it.")
        case .width: (422, "RANGE", "A number is not as wide as its group, or lies outside of what the group allows.")
        case .group: (422, "GROUP", "A is as wide as another group than the account's, which the member group names.")
        case .token: (401, "TOKEN", "There is no token, or it has ended.")
        case .handshake:
            (401, "HANDSHAKE", "There is no such handshake: it was used, has ended, or another took its place.")
        case .login: (401, "LOGIN", "The proof does not match.")
        case .loginOld: (403, "LOGIN_OLD", "This needs a login that is less than five minutes old.")
        case .proof: (403, "PROOF", "The proof under the session's key does not match the body.")
        case .deviceUnknown: (401, "DEVICE_UNKNOWN", "No account has this device.")
        case .deviceRevoked: (403, "DEVICE_REVOKED", "The device was revoked.")
        case .signature: (401, "SIGNATURE", "The signature is not the device's over this request.")
        case .registrationClosed: (403, "REGISTRATION_CLOSED", "This service registers no new accounts.")
        case .accountsFull: (507, "ACCOUNTS_FULL", "The service has as many accounts as it may.")
        case .accountTaken: (409, "ACCOUNT_TAKEN", "The name is taken.")
        case .deviceTaken: (409, "DEVICE_TAKEN", "The identifier is taken.")
        case .deviceLimit: (409, "DEVICE_LIMIT", "The account has as many devices as it may; revoke one first.")
        case .epoch: (409, "EPOCH", "The password was changed since: the account has another policyEpoch.")
        case .envelopeMissing: (422, "ENVELOPE", "The account has an envelope, and the change brings none.")
        case .envelopeMoved: (409, "ENVELOPE", "The account's envelope is not the one that previous names.")
        case .nonce: (409, "NONCE", "The nonce was used before.")
        case .record: (400, "RECORD", "A line is no audit record in its one form; the member line says which.")
        case .records: (413, "RECORDS", "An upload has 1 to 256 records, of 4,096 bytes at most.")
        case .foreign: (422, "FOREIGN", "A record is of another device, chain or account; the member line says which.")
        case .chain: (422, "CHAIN", "A record doesn't continue the one before it; the member line says which.")
        case .signedOther: (422, "UPLOAD", "Thumbturn-Upload names other records than the content has.")
        case .idempotency: (422, "IDEMPOTENCY", "Idempotency-Key is not the SHA-256 of the content.")
        case .gap:
            (409, "GAP", "Records are missing: expectedSeq is the one to begin with, headHash what it has to continue.")
        case .fork: (409, "FORK", "The log has another record in its place: this chain has ended.")
        case .origin: (409, "ORIGIN", "The upload is signed for a former log; a login tells the present one.")
        case .quota: (429, "QUOTA", "The device has sent as many records as it may on a day.")
        case .notListed: (404, "DEVICE_NOT_LISTED", "The account has no such device.")
        case .logUnknown: (404, "LOG_UNKNOWN", "The service has no log of this number.")
        case .beyondHead: (404, "BEYOND_HEAD", "The log's newest signed head does not reach so far.")
        case .headMissing: (503, "NO_HEAD", "No head of this log is signed yet; Retry-After says when to come again.")
        case .wait: (429, "WAIT", "Too often; Retry-After says when to come again.")
        case .handshakesFull: (429, "HANDSHAKES", "Too many handshakes are open.")
        case .loginsFull: (429, "LOGINS", "This network began too many logins; Retry-After says when to come again.")
        case .busy: (503, "BUSY", "Others got in the way; nothing changed.")
        case .storeUnavailable: (503, "STORE", "The database can't be used; nothing changed.")
        case .storeUncertain:
            (503, "UNCERTAIN", "The database went while it stored this: it is stored as a whole, or not at all.")
        case .storeFull: (503, "STORE_FULL", "There is no room to store this; nothing changed.")
        case .keyMissing: (503, "SERVICE_KEY", "This is sealed under a key that the service has not got yet.")
        case .damaged: (500, "DAMAGED", "What is stored is not what was written.")
        case .broken: (500, "INTERNAL", "The service failed.")
        }
    }
}
