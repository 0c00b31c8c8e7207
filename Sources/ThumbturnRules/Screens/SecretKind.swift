/// What the owner types to open the vault; only the app knows what it asked for when the vault was made.
public enum SecretKind: Hashable, Sendable {
    /// Digits on a pad; with a length, the last one sends them, so it has to be that of every PIN that may be typed; nil else.
    case pin(length: Int?)
    /// A text, typed in the system's field.
    case password
}
