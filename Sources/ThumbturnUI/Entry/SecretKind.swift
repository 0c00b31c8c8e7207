/// What the owner types to open the vault; only the app knows what it asked for when the vault was made.
public enum SecretKind: Hashable, Sendable {
    /// Digits on a pad; with a length, the last one sends them.
    case pin(length: Int?)
    /// A text, typed in the system's field.
    case password
}
