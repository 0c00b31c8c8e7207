/// What a screen asks the owner of an older copy (A7, ERR-107-050).
@nonexhaustive
public enum OlderCopyStep: Hashable, Sendable {
    /// Whether to accept this copy as the vault: a word must be typed for that, and until then the session only
    /// exports.
    case question
    /// The PIN or password once more, since it was not entered just now.
    case secret
}
