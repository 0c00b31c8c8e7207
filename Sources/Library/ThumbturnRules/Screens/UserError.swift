/// The refusal of a call as a user reads it: seed 002's `{code, message, recoverable}`, and what to do.
public struct UserError: Hashable, Sendable {
    /// What went wrong.
    public let errorCode: ErrorCode
    /// The sensor that the message names; nil for seed 002's own text, on Apple's devices.
    public let biometry: BiometricCapability.BiometryType?
    /// The language of the message.
    public let language: Language
    /// Whether there is a recovery key, which works while a PIN has to wait.
    public let recoveryKeyOpens: Bool
    /// The vault's strong factor: for an account's vault no text says "PIN".
    public let strongFactor: VaultPolicy.StrongFactor
    /// What the user can do.
    public let recovery: ErrorCode.Recovery

    /// The code, for example `ERR-107-031`.
    public var code: String { errorCode.text }

    /// What happened, in one sentence.
    public var message: String { words.in(language) }

    /// What the user can do, in one sentence.
    public var hint: String { hintWords.in(language) }

    /// What happened, in both languages.
    package var words: Words { errorCode.message(naming: biometry, asking: strongFactor) }

    /// What the user can do, in both languages.
    package var hintWords: Words {
        let isOwn = recovery == errorCode.recovery
        let hint =
            isOwn
            ? errorCode.hint(recoveryKeyOpens: recoveryKeyOpens, asking: strongFactor)
            : recovery.words.naming(strongFactor)
        return hint.sentence
    }

    /// Whether the user can continue here and now, without fixing something elsewhere or losing something.
    public var recoverable: Bool {
        switch recovery {
        case .retry, .offerStrongFactor, .strongFactorThenReenable, .wait, .correctInput, .offerSystem: true
        case .useRecoveryKey, .mendEnvironment, .exportAndRenew, .reopen: false
        }
    }

    /// The refusal of a call that is about no vault: Apple's words, and the code's own recovery.
    package init(_ code: ErrorCode, recoveryKeyOpens: Bool = false, in language: Language) {
        errorCode = code
        biometry = nil
        self.language = language
        self.recoveryKeyOpens = recoveryKeyOpens
        strongFactor = .localSecret
        recovery = code.recovery
    }

    package init(_ code: ErrorCode, _ snapshot: VaultSnapshot, in language: Language) {
        errorCode = code
        biometry = snapshot.device == .apple ? nil : snapshot.capability.biometryType
        self.language = language
        recoveryKeyOpens = snapshot.slots.contains { $0.kind == .recovery }
        strongFactor = snapshot.policy.strongFactor
        // Seed 002, section 6: allow another try until the third.
        let wasLast = code == .biometricsNotRecognised && !snapshot.takesAnotherFinger
        recovery = wasLast ? .offerStrongFactor : code.recovery
    }
}
