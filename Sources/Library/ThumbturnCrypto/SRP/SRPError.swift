/// Why a step of a login gave no result.
///
/// No case carries a value, so no error can carry a secret into a log.
package enum SRPError: Error, Equatable, Sendable {
    /// A public value or a verifier has not exactly the group's length.
    case wrongLength
    /// A number lies outside 2 … N − 2, or one that follows from both sides' values gives the secret away.
    case outOfRange
    /// The other side did not know the password, or the verifier. One case on purpose: a proof of another length too.
    case proofRefused
    /// The cryptographic library refused valid input.
    case backendFailed
}
