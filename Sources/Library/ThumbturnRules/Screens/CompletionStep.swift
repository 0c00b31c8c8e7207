/// What a screen asks the owner of a half migrated vault besides, to finish moving a former app's wallet (K-08).
@nonexhaustive
public enum CompletionStep: Hashable, Sendable {
    /// The former PIN, while a session is open: something is to be changed that needs it first.
    case secret
    /// A new PIN or password: the former one was right, and the vault's rules refuse it.
    case newSecret
    /// A name: what lies under the PIN is another wallet than what lay behind biometrics, and both are kept.
    case walletName
    /// Whether to do without biometrics, since nobody was recognised: the vault gets a new key then, and they are off until
    /// they are enabled again.
    case withoutBiometrics

    /// What a refusal leads to; nil for one that asks for nothing else.
    package init?(after refusal: ErrorCode) {
        switch refusal {
        case .secretTooShort, .secretTooCommon, .secretTooWeakForDevice: self = .newSecret
        case .migrationConflict, .nameTaken: self = .walletName
        case .migrationNeedsBiometrics: self = .withoutBiometrics
        default: return nil
        }
    }
}
