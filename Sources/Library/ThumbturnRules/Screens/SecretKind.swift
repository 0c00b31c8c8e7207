/// The kind of secret that the owner types; only the app knows what it asked for when the vault was created.
public enum SecretKind: Hashable, Sendable {
    /// Digits on a pad.
    ///
    /// With a length, the last digit submits, so every accepted PIN must have that length; nil for varying lengths.
    case pin(length: Int?)
    /// A text, typed in the system's field.
    case password
}
