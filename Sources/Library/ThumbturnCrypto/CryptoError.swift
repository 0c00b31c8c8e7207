/// Why a cryptographic operation failed.
///
/// No case carries a value, so no error can carry a secret into a log.
@nonexhaustive
public enum CryptoError: Error, Equatable, Sendable {
    /// The tag did not verify: a wrong key, or modified data.
    ///
    /// One case for both, so that an error never tells which.
    case authenticationFailed
    /// A length, cost or parameter is outside the accepted range; nothing was computed.
    case parametersOutOfRange
    /// The system refused the memory the operation needs.
    case outOfMemory
    /// The bytes are not in any of our canonical forms.
    case malformed
    /// The cryptographic library refused valid input.
    case backendFailed
}
