/// What a screen asks the owner of an older copy that was put back (A7, ERR-107-050).
@nonexhaustive
public enum OlderCopyStep: Hashable, Sendable {
    /// Whether this copy is to be the vault: its word is typed for that, and until then the session only exports.
    case question
    /// The PIN or password once more: none was given just now.
    case secret
}
