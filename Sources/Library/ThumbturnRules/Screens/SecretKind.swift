/// What the owner types to open the vault; only the app knows what it asked for when the vault was made.
public enum SecretKind: Hashable, Sendable {
    /// Digits on a pad.
    ///
    /// With a length, the last digit submits, so every PIN that may be typed must have that length; nil where lengths vary.
    case pin(length: Int?)
    /// A text, typed in the system's field.
    case password
}
