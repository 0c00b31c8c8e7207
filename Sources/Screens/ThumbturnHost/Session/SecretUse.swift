/// What a script's secret is for: it is taken for nothing else.
///
/// A PIN that was typed for the vault never becomes a secret that a script can read again.
public enum SecretUse: String, Sendable {
    /// An action of the vault's screens.
    case vault
    /// A secret of the app's own, which it reads again after a prompt.
    case ownerSecret
}
