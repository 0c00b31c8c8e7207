/// Why a cryptographic operation gave no result.
///
/// No case carries a value, so no error can carry a secret into a log.
@nonexhaustive
public enum CryptoError: Error, Equatable, Sendable {
    /// The tag did not verify: a wrong key, or data that someone changed. One case on purpose, so that an error never
    /// tells which.
    case authenticationFailed
    /// A length, cost or parameter lies outside what we accept; nothing was computed.
    case parametersOutOfRange
    /// The system refused the memory the operation needs.
    case outOfMemory
    /// The bytes are not the canonical form of anything we write.
    case malformed
    /// The cryptographic library refused valid input.
    case backendFailed
}
