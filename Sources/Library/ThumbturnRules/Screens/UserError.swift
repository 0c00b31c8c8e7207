/// What a user reads when something was refused: seed 002's `{code, message, recoverable}`, and the way on.
public struct UserError: Hashable, Sendable {
    /// What went wrong.
    public let errorCode: ErrorCode
    /// The sensor that the message names; nil where seed 002's own words do, on Apple's devices.
    public let biometry: BiometricCapability.BiometryType?
    /// The language of the message.
    public let language: Language
    /// Whether there is a recovery key, which opens while a PIN has to wait.
    public let recoveryKeyOpens: Bool
    /// What the owner of the vault proves: on an account's vault no text says "PIN".
    public let strongFactor: VaultPolicy.StrongFactor
    /// What gets the user on.
    public let recovery: ErrorCode.Recovery

    /// The code, for example `ERR-107-031`.
    public var code: String { errorCode.text }

    /// What happened, one sentence.
    public var message: String { words.in(language) }

    /// What gets the user on, one sentence.
    public var hint: String { hintWords.in(language) }

    /// What happened, in both languages.
    package var words: Words { errorCode.message(naming: biometry, asking: strongFactor) }

    /// What gets the user on, in both languages.
    package var hintWords: Words {
        let isOwn = recovery == errorCode.recovery
        let hint =
            isOwn
            ? errorCode.hint(recoveryKeyOpens: recoveryKeyOpens, asking: strongFactor)
            : recovery.words.naming(strongFactor)
        return hint.sentence
    }

    /// Whether the user can get on here and now, without mending something elsewhere or losing something.
    public var recoverable: Bool {
        switch recovery {
        case .retry, .offerStrongFactor, .strongFactorThenReenable, .wait, .correctInput, .offerSystem: true
        case .useRecoveryKey, .mendEnvironment, .exportAndRenew, .reopen: false
        }
    }

    init(_ code: ErrorCode, _ snapshot: VaultSnapshot, in language: Language) {
        errorCode = code
        biometry = snapshot.device == .apple ? nil : snapshot.capability.biometryType
        self.language = language
        recoveryKeyOpens = snapshot.slots.contains { $0.kind == .recovery }
        strongFactor = snapshot.policy.strongFactor
        // Seed 002, section 6: another try until the third.
        let wasLast = code == .biometricsNotRecognised && !snapshot.takesAnotherFinger
        recovery = wasLast ? .offerStrongFactor : code.recovery
    }
}
