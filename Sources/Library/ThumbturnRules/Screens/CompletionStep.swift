/// What a screen asks the owner of a half-migrated vault, to complete the migration of a former app's wallet (K-08).
@nonexhaustive
public enum CompletionStep: Hashable, Sendable {
    /// The former PIN, while a session is open: the requested change needs it first.
    case secret
    /// A new PIN or password: the former one was right, but the vault's rules refuse it.
    case newSecret
    /// A name: the wallet under the PIN differs from the one behind biometrics, and both are kept.
    case walletName
    /// Whether to continue without biometrics, since no finger or face was recognised: the vault then gets a new key,
    /// and biometrics are off until they are enabled again.
    case withoutBiometrics

    /// Returns the step after a refusal; nil when it asks for nothing else.
    package init?(after refusal: ErrorCode) {
        switch refusal {
        case .secretTooShort, .secretTooCommon, .secretTooWeakForDevice: self = .newSecret
        case .migrationConflict, .nameTaken: self = .walletName
        case .migrationNeedsBiometrics: self = .withoutBiometrics
        default: return nil
        }
    }
}
