/// Why a step of a login failed.
///
/// No case carries a value, so no error can carry a secret into a log.
package enum SRPError: Error, Equatable, Sendable {
    /// A public value or a verifier does not have exactly the group's length.
    case wrongLength
    /// A number is outside 2 … N − 2, or one derived from both sides' values would reveal the secret.
    case outOfRange
    /// The other side did not know the password, or the verifier.
    ///
    /// One case for both, and for a proof of another length.
    case proofRefused
    /// The cryptographic library refused valid input.
    case backendFailed
}
